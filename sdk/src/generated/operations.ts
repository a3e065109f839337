// Written by `npm run docs` from docs/openapi.json. Do not edit.

import type { CursorPage, List } from '../list.ts'
import type { Operation } from '../operation.ts'
import type { Options, OptionsWithQuery } from '../options.ts'
import type { EventStream, StreamOptions } from '../stream.ts'
import type * as api from './types.ts'

export interface Organization {
  /**
   * Who am I?
   *
   * The organization, mode and scopes of the credential, whichever it is. For a person who belongs to several organizations and names none, `organization` is null, there are no scopes yet, and `organizations` lists what the header `organization_id` can choose.
   *
   * Takes any valid credential.
   */
  getMe(options?: Options): Promise<api.Me>

  /**
   * Change your name
   *
   * For people: as colleagues see them, in every organization that they belong to.
   *
   * Takes any valid credential.
   */
  updateMe(body: api.MyChanges, options?: Options): Promise<api.Me>

  /**
   * Get the organization
   *
   * With what the operator of this service has set for everybody on it: limits, retention, rates.
   *
   * Takes any valid credential.
   */
  get(options?: Options): Promise<api.Organization>

  /**
   * Update the organization
   *
   * Required scope: `full_access`.
   */
  update(body: api.OrganizationChanges, options?: Options): Promise<api.Organization>
}

export interface Keys {
  /**
   * List keys
   *
   * Revoked and expired ones among them. A test key sees test keys only.
   *
   * Required scope: `full_access`.
   */
  list(query?: api.ListKeysQuery, options?: Options): List<api.Key, CursorPage<api.Key>>

  /**
   * Create a key
   *
   * The answer is the only place where its secret ever appears. A test key can only make test keys.
   *
   * Required scope: `full_access`.
   *
   * A replay by `Idempotency-Key` carries null in place of `secret`.
   */
  create(body: api.NewKey, options?: Options): Promise<api.KeyWithSecret>

  /**
   * Get a key
   *
   * Required scope: `full_access`.
   */
  get(key_id: string, options?: Options): Promise<api.Key>

  /**
   * Revoke a key
   *
   * It is refused everywhere within five seconds and stays in the list.
   *
   * Required scope: `full_access`.
   */
  revoke(key_id: string, options?: Options): Promise<api.Deleted>

  /**
   * Replace a key by a new one
   *
   * The new key may do what the old one may. The old one works on for `overlap_seconds`.
   *
   * Required scope: `full_access`.
   *
   * A replay by `Idempotency-Key` carries null in place of `secret`.
   */
  roll(key_id: string, body?: api.KeyRoll, options?: Options): Promise<api.KeyWithSecret>
}

export interface Members {
  /**
   * List the people of the organization
   *
   * Required scope: `contacts:read`.
   */
  list(query?: api.ListMembersQuery, options?: Options): List<api.Member, CursorPage<api.Member>>

  /**
   * Get a member
   *
   * Required scope: `contacts:read`.
   */
  get(member_id: string, options?: Options): Promise<api.Member>

  /**
   * Change a member’s role
   *
   * Admins cannot touch owners or make them; the last owner cannot step down.
   *
   * Required scope: `full_access`.
   */
  update(member_id: string, body: api.RoleChange, options?: Options): Promise<api.Member>

  /**
   * Remove a member, or leave
   *
   * Takes full access, except for people who remove themselves. The last owner cannot leave.
   *
   * Takes any valid credential.
   */
  remove(member_id: string, options?: Options): Promise<api.Deleted>

  /**
   * List invitations that nobody has accepted yet
   *
   * Required scope: `full_access`.
   */
  listInvitations(query?: api.ListInvitationsQuery, options?: Options): List<api.Invitation, CursorPage<api.Invitation>>

  /**
   * Invite somebody
   *
   * Answers the link to send them: it works once, for seven days, and is shown only here. Nobody can invite above their own role, and test keys cannot invite.
   *
   * Required scope: `full_access`.
   *
   * A replay by `Idempotency-Key` carries null in place of `link`.
   */
  createInvitation(body: api.NewInvitation, options?: Options): Promise<api.InvitationWithLink>

  /**
   * Get an invitation
   *
   * Required scope: `full_access`.
   */
  getInvitation(invitation_id: string, options?: Options): Promise<api.Invitation>

  /**
   * Withdraw an invitation
   *
   * Required scope: `full_access`.
   */
  deleteInvitation(invitation_id: string, options?: Options): Promise<api.Deleted>
}

export interface SignIn {
  /**
   * Sign in with e-mail and password
   *
   * Also sets the cookies that the console uses. Each address may try a few times a minute, and each device that signed in before as often for itself. Many attempts at one account slow it down for other devices.
   *
   * Needs no credential.
   */
  login(body: api.Login, options?: Options): Promise<api.SignedIn>

  /**
   * Sign in with a one-time link
   *
   * Takes the token from the link’s fragment. It works once, for 15 minutes.
   *
   * Needs no credential.
   */
  useLink(body: api.SignInLink, options?: Options): Promise<api.SignedIn>

  /**
   * Get a new access token
   *
   * With the refresh token in the body, or in the cookie: then the next one is set there and the answer has null. Each refresh token is used once: keep the one that comes back. Requests that send the same one within ten seconds all get the same next one; after that, sending it again ends the session.
   *
   * Needs no credential.
   */
  refresh(body?: api.Refresh, options?: Options): Promise<api.SignedIn>

  /**
   * Sign out
   *
   * Ends the session of the refresh token or of the access token, in the request or in its cookies.
   *
   * Needs no credential.
   */
  logout(body?: api.Refresh, options?: Options): Promise<api.Deleted>

  /**
   * Set a new password
   *
   * For people. The current one is needed, unless there is none or a sign-in link brought the person here. All other sessions end.
   *
   * Takes any valid credential.
   */
  changePassword(body: api.PasswordChange, options?: Options): Promise<api.Deleted>

  /**
   * Join an organization by invitation
   *
   * A new person chooses a password. Somebody whose e-mail has an account gives its password, or is signed in with it.
   *
   * Needs no credential.
   */
  acceptInvitation(body: api.InvitationAcceptance, options?: Options): Promise<api.Joined>
}

export interface Contacts {
  /**
   * List contacts
   *
   * Required scope: `contacts:read`.
   */
  list(query?: api.ListContactsQuery, options?: Options): List<api.Contact, CursorPage<api.Contact>>

  /**
   * Create a contact
   *
   * A phone number belongs to one contact: a second one is refused with the id of the first.
   *
   * Required scope: `contacts:write`.
   */
  create(body: api.NewContact, options?: Partial<OptionsWithQuery<api.CreateContactQuery>>): Promise<api.Contact>

  /**
   * Export contacts as CSV
   *
   * Takes the filters of the list, oldest first. An import reads the file back: custom fields have columns of their own (as JSON where a value is not plain text), and cells that a spreadsheet would take for a formula start with an apostrophe.
   *
   * Required scope: `contacts:read`.
   */
  export(query?: api.ExportContactsQuery, options?: Options): Promise<Response>

  /**
   * The tags that contacts have, the most used first
   *
   * Required scope: `contacts:read`.
   */
  listTags(query?: api.ListContactTagsQuery, options?: Options): Promise<api.ContactTags>

  /**
   * Get a contact
   *
   * Required scope: `contacts:read`.
   */
  get(contact_id: string, options?: Options): Promise<api.Contact>

  /**
   * Update a contact
   *
   * Changes the members given; the others stay as they are.
   *
   * Required scope: `contacts:write`.
   */
  replace(contact_id: string, body: api.ContactReplacement, options?: Options): Promise<api.Contact>

  /**
   * Update a contact, its stage, its handling or whether it wants marketing
   *
   * Required scope: `contacts:write`.
   */
  update(contact_id: string, body: api.ContactChanges, options?: Options): Promise<api.Contact>

  /**
   * Delete a contact
   *
   * Its activities, tasks, tickets and messages go with it; call logs and deliveries stay, unlinked.
   *
   * Required scope: `contacts:write`.
   */
  delete(contact_id: string, options?: Options): Promise<api.Deleted>

  /**
   * Hand a contact to a person or to the AI
   *
   * Required scope: `contacts:write`.
   */
  handOff(contact_id: string, body: api.Handoff, options?: Options): Promise<api.Contact>

  /**
   * A contact’s timeline, newest first
   *
   * Required scope: `contacts:read`.
   */
  listActivities(contact_id: string, query?: api.ListActivitiesQuery, options?: Options): List<api.Activity, {
    activities: api.Activity[]
    /** Activities that match the filter */
    total: number
    limit: number
    offset: number
    has_more: boolean
  }>

  /**
   * Add to a contact’s timeline
   *
   * Required scope: `contacts:write`.
   */
  createActivity(contact_id: string, body: api.NewActivity, options?: Options): Promise<api.Activity>

  /**
   * Import contacts from a CSV file
   *
   * Answers as soon as the file is here; the import then runs in the background. Its parameters may also be parts of the form, which then go first.
   *
   * Required scope: `contacts:write`.
   */
  import(body: api.ImportContactsForm, options?: Partial<OptionsWithQuery<api.ImportContactsQuery>>): Promise<api.ContactImport>

  /**
   * List imports of contacts
   *
   * Required scope: `contacts:read`.
   */
  listImports(query?: api.ListContactImportsQuery, options?: Options): List<api.ContactImport, CursorPage<api.ContactImport>>

  /**
   * How an import of contacts is doing
   *
   * Required scope: `contacts:read`.
   */
  getImport(import_id: string, options?: Options): Promise<api.ContactImportReport>
}

export interface Tasks {
  /**
   * List tasks
   *
   * Required scope: `contacts:read`.
   */
  list(query?: api.ListTasksQuery, options?: Options): List<api.Task, CursorPage<api.Task>>

  /**
   * Create a task for a contact
   *
   * Required scope: `contacts:write`.
   */
  create(body: api.NewTask, options?: Options): Promise<api.Task>

  /**
   * Get a task
   *
   * Required scope: `contacts:read`.
   */
  get(task_id: string, options?: Options): Promise<api.Task>

  /**
   * Update, complete or reassign a task
   *
   * Completing a task is told in the contact’s timeline, once.
   *
   * Required scope: `contacts:write`.
   */
  update(task_id: string, body: api.TaskChanges, options?: Options): Promise<api.Task>

  /**
   * Delete a task
   *
   * What the contact’s timeline says of it stays.
   *
   * Required scope: `contacts:write`.
   */
  delete(task_id: string, options?: Options): Promise<api.Deleted>
}

export interface Dashboard {
  /**
   * How many contacts and tasks there are, and where they stand
   *
   * Required scope: `contacts:read`.
   */
  get(options?: Options): Promise<api.Dashboard>

  /**
   * How many messages and calls there were on each of the last days
   *
   * Required scope: `contacts:read`.
   */
  getDailyActivity(query?: api.GetDailyActivityQuery, options?: Options): Promise<api.Daily>
}

export interface Events {
  /**
   * What has happened, newest first
   *
   * Events that the credential’s scopes do not cover are left out.
   *
   * Takes any valid credential.
   */
  list(query?: api.ListEventsQuery, options?: Options): List<api.Event, CursorPage<api.Event>>

  /**
   * Events as they happen
   *
   * Server-sent events: each has an event, as the list of events shows it, as its `data`, and the event’s id as its `id`. Who was cut off goes on with `Last-Event-ID` and misses nothing; without it the stream begins now, and with an `id` that has no data: where to go on for who is cut off before the first event. Events come in the order of the changes that made them, those that the credential’s scopes do not cover are left out, and the stream ends when the credential does. A page’s `EventSource` comes by cookie and can say `mode` and `organization_id` in the query.
   *
   * Takes any valid credential.
   */
  stream(query?: api.StreamEventsQuery, options?: StreamOptions): EventStream
}

export interface Channels {
  /**
   * List channels
   *
   * Required scope: `campaigns:manage`.
   */
  list(query?: api.ListChannelsQuery, options?: Options): List<api.Channel, CursorPage<api.Channel>>

  /**
   * Create a channel
   *
   * A number is enough: in test mode the simulator carries it, in live mode `chat` and `voice` can follow. Tokens and secrets are write-only: they are kept encrypted, and answers only tell whether they are there. A phone number and each platform’s `phone_number_id` belong to one channel: a second one is refused with the id of the first. In live mode a chat `phone_number_id` belongs to one organization: it is read from the platform with the `access_token` given. A refusal is 502 and nothing is stored; while the platform cannot be reached, the channel is `pending_verification`.
   *
   * Required scope: `full_access`.
   */
  create(body: api.NewChannel, options?: Options): Promise<api.Channel>

  /**
   * Get a channel
   *
   * Required scope: `campaigns:manage`.
   */
  get(channel_id: string, options?: Options): Promise<api.Channel>

  /**
   * Update a channel
   *
   * Changes the members given, also within `chat` and `voice`: an `access_token` alone is replaced alone. `null` takes a side away, with its secrets. In live mode another number, business account or token is checked as on create; a new token alone leaves an active channel active while the platform cannot be reached.
   *
   * Required scope: `full_access`.
   */
  update(channel_id: string, body: api.ChannelChanges, options?: Options): Promise<api.Channel>

  /**
   * Delete a channel
   *
   * Its secrets are forgotten and its number may be used again; records that refer to it stay. A live chat number stays reserved for the organization for 30 days.
   *
   * Required scope: `full_access`.
   */
  delete(channel_id: string, options?: Options): Promise<api.Deleted>
}

export interface Inbox {
  /**
   * Open a ticket, or return the open one
   *
   * A contact that has an open ticket gets no second one: the most recently active is returned with 200.
   *
   * Required scope: `inbox:write`.
   */
  createTicket(body: api.NewTicket, options?: Options): Promise<api.TicketWithContact>

  /**
   * List tickets, last active first
   *
   * Required scope: `inbox:read`.
   */
  listTickets(query?: api.ListTicketsQuery, options?: Options): List<api.TicketWithContact, {
    /** How many there are in all */
    total: number
    /** Which page this is, counted from 1 */
    page: number
    /** How many were returned */
    size: number
    inboxes: api.TicketWithContact[]
  }>

  /**
   * Get a ticket
   *
   * Required scope: `inbox:read`.
   */
  getTicket(inbox_id: string, options?: Options): Promise<api.TicketWithContact>

  /**
   * Close, reopen or assign a ticket
   *
   * Required scope: `inbox:write`.
   */
  updateTicket(inbox_id: string, body: api.TicketChanges, options?: Options): Promise<api.Ticket>

  /**
   * Mark a ticket’s messages as seen
   *
   * The contact sees it too, as soon as the platform has been told.
   *
   * Required scope: `inbox:write`.
   */
  readTicket(inbox_id: string, options?: Options): Promise<api.Ticket>

  /**
   * A ticket’s messages by time
   *
   * Required scope: `inbox:read`.
   */
  listMessages(inbox_id: string, query?: api.ListMessagesQuery, options?: Options): List<api.Message, {
    /** How many there are in all */
    total: number
    /** Which page this is, counted from 1 */
    page: number
    /** How many were returned */
    size: number
    messages: api.Message[]
  }>

  /**
   * Reply in a ticket
   *
   * Sends a free message, which the platform takes within 24 hours of the contact’s last one; later it takes only templates (409), which `template_id` sends. A file comes as a form, or is fetched from `media_url`. What the platform refuses is kept as a `failed` message, named by `message_id` in the 502. A reply by a person takes the contact over from the AI.
   *
   * Required scope: `inbox:write`.
   */
  sendMessage(inbox_id: string, body: api.NewMessage | api.NewMessageForm, options?: Options): Promise<api.Message>

  /**
   * React to a message with an emoji
   *
   * Required scope: `inbox:write`.
   */
  reactToMessage(inbox_id: string, message_id: string, body: api.Reaction, options?: Options): Promise<api.Message>

  /**
   * Download the file of a message
   *
   * Takes `Range`. A file of the contact that is still being fetched from the platform answers 409, one that the platform has lost 404.
   *
   * Required scope: `inbox:read`.
   */
  getMedia(media_id: string, options?: Options): Promise<Response>
}

export interface Templates {
  /**
   * List templates, newest first
   *
   * Required scope: `campaigns:manage`.
   */
  list(query?: api.ListTemplatesQuery, options?: Options): List<api.Template, {
    items: api.Template[]
    has_more: boolean
    total: number
    page: number
    limit: number
  }>

  /**
   * Create a template
   *
   * Stored at once and registered with the platform in the background: its verdict comes as `status`. Rules of the platform that the template seems to break are `warnings`. A name can be used once in each language of a business account.
   *
   * Required scope: `campaigns:manage`.
   */
  create(body: api.NewTemplate, options?: Options): Promise<api.CreatedTemplate>

  /**
   * Find out what is wrong with a template
   *
   * Takes what creating one takes, writes nothing and asks nobody: rules of the platform that it seems to break, and whether its name is taken.
   *
   * Required scope: `campaigns:manage`.
   */
  preflight(body: api.NewTemplate, options?: Options): Promise<api.TemplatePreflight>

  /**
   * What the platform’s library offers
   *
   * Required scope: `campaigns:manage`.
   */
  listLibrary(query?: api.ListTemplateLibraryQuery, options?: Options): Promise<{
    items: api.LibraryTemplate[]
  }>

  /**
   * Create a template from the library
   *
   * The platform makes it at once, mostly without a review. The answer is the platform’s reply; the template is stored here too. After a 502 that leaves open whether it was created, a sync within two minutes shows it.
   *
   * Required scope: `campaigns:manage`.
   */
  createFromLibrary(template_id: string, body: api.LibraryChoice, options: OptionsWithQuery<api.CreateTemplateFromLibraryQuery>): Promise<api.LibraryReply>

  /**
   * Bring the templates in step with the platform
   *
   * Also done every 15 minutes, and when the platform says that something changed. Without `channel_id` every business account is read; one that cannot be read stands in `failures`, and only if none could be is the answer 502.
   *
   * Required scope: `campaigns:manage`.
   */
  sync(body?: api.SyncChoice, options?: Options): Promise<api.SyncReport>

  /**
   * Get a template
   *
   * Required scope: `campaigns:manage`.
   */
  get(template_id: string, options?: Options): Promise<api.Template>

  /**
   * Delete a template
   *
   * At the platform first, in this language only, then here. If the platform refuses or cannot be reached, the answer is 502 and the template stays; what the platform does not have any more is deleted here.
   *
   * Required scope: `campaigns:manage`.
   */
  delete(template_id: string, query?: api.DeleteTemplateQuery, options?: Options): Promise<api.Deleted>
}

export interface Campaigns {
  /**
   * List campaigns
   *
   * Required scope: `campaigns:manage`.
   */
  list(query?: api.ListCampaignsQuery, options?: Options): List<api.Campaign, CursorPage<api.Campaign>>

  /**
   * Create a campaign
   *
   * Sends a template to everybody in the audience, now or at `scheduled_at`. Recipients are frozen when sending starts, up to 10,000 of them before this answers. Marketing is not sent to contacts who have opted out.
   *
   * Required scope: `campaigns:manage`.
   *
   * Limited to 60 requests a minute.
   */
  create(body: api.NewCampaign, options?: Options): Promise<api.Campaign>

  /**
   * Find out what a campaign would do
   *
   * Takes what creating one takes, and writes nothing.
   *
   * Required scope: `campaigns:manage`.
   */
  preflight(body: api.NewCampaign, options?: Options): Promise<api.CampaignPreflight>

  /**
   * Get a campaign
   *
   * Required scope: `campaigns:manage`.
   */
  get(campaign_id: string, options?: Options): Promise<api.Campaign>

  /**
   * Update a scheduled campaign
   *
   * Changes the members given, while it is scheduled. Without `scheduled_at`, or with a past one, it starts.
   *
   * Required scope: `campaigns:manage`.
   */
  update(campaign_id: string, body: api.CampaignChanges, options?: Options): Promise<api.Campaign>

  /**
   * Delete a campaign
   *
   * Stops it first. Its deliveries go with it; messages that were sent stay with their contacts.
   *
   * Required scope: `campaigns:manage`.
   */
  delete(campaign_id: string, options?: Options): Promise<api.Deleted>

  /**
   * Pause a campaign
   *
   * What is on its way to the platform arrives; nothing else is sent until it is resumed.
   *
   * Required scope: `campaigns:manage`.
   */
  pause(campaign_id: string, options?: Options): Promise<api.Campaign>

  /**
   * Resume a paused campaign
   *
   * Required scope: `campaigns:manage`.
   */
  resume(campaign_id: string, options?: Options): Promise<api.Campaign>

  /**
   * Cancel a campaign
   *
   * For good. What was not sent stays pending and never is.
   *
   * Required scope: `campaigns:manage`.
   */
  cancel(campaign_id: string, options?: Options): Promise<api.Campaign>

  /**
   * Try deliveries again
   *
   * Those that `failed`, or those of which it is `unknown` whether they were sent: these may reach somebody twice, which is why nobody but a person repeats them. Missing variables are filled from what is known of the contacts now.
   *
   * Required scope: `campaigns:manage`.
   */
  retry(campaign_id: string, body: api.CampaignRetry, options?: Options): Promise<api.RetriedCampaign>

  /**
   * List the deliveries of a campaign
   *
   * One for each recipient, with how far it has come and, where it did not, why.
   *
   * Required scope: `campaigns:manage`.
   */
  listDeliveries(campaign_id: string, query?: api.ListDeliveriesQuery, options?: Options): List<api.Delivery, CursorPage<api.Delivery>>

  /**
   * What became of a campaign
   *
   * What the PDF draws, for programs: the message, sends over time, and what did not arrive, by reason and with what to do about it. The counts stand in the campaign itself.
   *
   * Required scope: `campaigns:manage`.
   */
  getReport(campaign_id: string, query?: api.GetCampaignReportQuery, options?: Options): Promise<api.CampaignReport>

  /**
   * A campaign’s report as PDF
   *
   * One or two pages to pass on: audience, template as the customer sees it, how many messages were sent, delivered and read, when, and what to do about each reason of failure. All figures are as of one moment, which the report names.
   *
   * Required scope: `campaigns:manage`.
   */
  exportPdf(campaign_id: string, query?: api.ExportCampaignPdfQuery, options?: Options): Promise<Response>

  /**
   * A campaign’s deliveries as CSV
   *
   * A row for each delivery, all as of one moment, with the reason of each failure in words. Cells that a spreadsheet would take for a formula start with an apostrophe; phone numbers stay as they are.
   *
   * Required scope: `campaigns:manage`.
   */
  exportCsv(campaign_id: string, options?: Options): Promise<Response>
}

export interface Knowledge {
  /**
   * Upload a document
   *
   * Answers as soon as the file is here, with `status` `processing`; reading, splitting and indexing follow in the background. The same bytes under the same name answer 200 with the document that is there; one that failed is then tried once more.
   *
   * Required scope: `knowledge:write`.
   *
   * Limited to 60 requests a minute.
   */
  uploadDocument(body: api.UploadDocumentForm, options?: Options): Promise<api.Document>

  /**
   * List all documents, newest first
   *
   * Required scope: `knowledge:read`.
   */
  listDocuments(options?: Options): Promise<api.DocumentList>

  /**
   * Search the documents
   *
   * Finds the pieces of documents that answer a question best: by its words (BM25, in the language of each document), by its meaning (vectors), or by both together.
   *
   * Required scope: `knowledge:read`.
   */
  search(body: api.SearchKnowledgeBody, options?: Options): Promise<api.SearchResults>

  /**
   * Get a document
   *
   * Required scope: `knowledge:read`.
   */
  getDocument(document_id: string, options?: Options): Promise<api.Document>

  /**
   * Delete a document
   *
   * Its bytes, chunks and vectors go with it, also while it is being processed.
   *
   * Required scope: `knowledge:write`.
   */
  deleteDocument(document_id: string, options?: Options): Promise<api.Deleted>

  /**
   * Download a document as it was uploaded
   *
   * The very bytes, under their original name. Takes `Range`.
   *
   * Required scope: `knowledge:read`.
   */
  downloadDocument(document_id: string, options?: Options): Promise<Response>

  /**
   * Copy a document from test mode into live mode
   *
   * With a live credential, and the id of a ready document of test mode. The copy, with an id of its own, is ready at once; where live mode has the same bytes under the same name, that document is answered with 200.
   *
   * Required scope: `knowledge:write`.
   */
  promoteDocument(document_id: string, options?: Options): Promise<api.Document>
}

export interface Webhooks {
  /**
   * List webhooks
   *
   * Required scope: `webhooks:admin`.
   */
  list(query?: api.ListWebhooksQuery, options?: Options): List<api.Webhook, CursorPage<api.Webhook>>

  /**
   * Create a webhook
   *
   * From now on events of this mode are posted to its `url`, signed after Standard Webhooks: at least once each, in no particular order. The answer is the only place where its `secret` ever appears. A webhook receives only events that the credential which creates it may read, as `GET /events` shows them: a type that it may not read is refused with 403 and the missing scope; a pattern stands for the readable types, which the answer lists.
   *
   * Required scope: `webhooks:admin`.
   *
   * A replay by `Idempotency-Key` carries null in place of `secret`.
   */
  create(body: api.NewWebhook, options?: Options): Promise<api.WebhookWithSecret>

  /**
   * Get a webhook
   *
   * Required scope: `webhooks:admin`.
   */
  get(webhook_id: string, options?: Options): Promise<api.Webhook>

  /**
   * Update a webhook
   *
   * While it is disabled nothing is sent. What was waiting goes on when it is enabled again; what happened meanwhile can be had with `recover`. New `events` are judged by the credential that sends them, as when a webhook is created. Who sends a new `url` alone must be able to read every type that the webhook receives, else the answer is 403.
   *
   * Required scope: `webhooks:admin`.
   */
  update(webhook_id: string, body: api.WebhookChanges, options?: Options): Promise<api.Webhook>

  /**
   * Delete a webhook
   *
   * With its log. What is on its way at this moment may still arrive.
   *
   * Required scope: `webhooks:admin`.
   */
  delete(webhook_id: string, options?: Options): Promise<api.Deleted>

  /**
   * Replace the secret of a webhook
   *
   * For `overlap_seconds` deliveries carry two signatures, one by each secret; then the new one alone. The answer is the only place where the new `secret` ever appears.
   *
   * Required scope: `webhooks:admin`.
   *
   * A replay by `Idempotency-Key` carries null in place of `secret`.
   */
  rotateSecret(webhook_id: string, body?: api.SecretRotation, options?: Options): Promise<api.WebhookWithSecret>

  /**
   * Send a ping to a webhook
   *
   * Whatever events it wants. The delivery in the answer is pending; the list of deliveries shows what became of it.
   *
   * Required scope: `webhooks:admin`.
   */
  test(webhook_id: string, options?: Options): Promise<api.WebhookDelivery>

  /**
   * List the deliveries of a webhook
   *
   * What was sent and what was answered, for as long as events are kept. Bodies are left out (`request.body` is null) where the credential may not read events of that type.
   *
   * Required scope: `webhooks:admin`.
   */
  listDeliveries(webhook_id: string, query?: api.ListWebhookDeliveriesQuery, options?: Options): List<api.WebhookDelivery, CursorPage<api.WebhookDelivery>>

  /**
   * Send a delivery again
   *
   * Now, whatever became of it before, and with all retries ahead should it fail. 409 where the webhook may not receive events of that type (any more).
   *
   * Required scope: `webhooks:admin`.
   */
  retryDelivery(webhook_id: string, delivery_id: string, options?: Options): Promise<api.WebhookDelivery>

  /**
   * Send what did not reach a webhook
   *
   * Events since then that it wants and that failed, or that it was never told of: because it was disabled, or not there yet.
   *
   * Required scope: `webhooks:admin`.
   */
  recover(webhook_id: string, body: api.Recovery, options?: Options): Promise<api.RecoveryBegun>
}

export interface Agents {
  /**
   * Create an agent
   *
   * What `agent_config` leaves out has its default. Values of headers are kept encrypted and shown masked. The addresses of tools and MCP servers may not lead into the network of this service.
   *
   * Required scope: `agents:write`.
   */
  create(body: api.NewAgent, options?: Options): Promise<api.Agent>

  /**
   * List agents
   *
   * Required scope: `agents:read`.
   */
  list(query?: api.ListAgentsQuery, options?: Options): List<api.Agent, CursorPage<api.Agent>>

  /**
   * Get an agent
   *
   * Required scope: `agents:read`.
   */
  get(agent_id: string, options?: Options): Promise<api.Agent>

  /**
   * Update an agent
   *
   * Changes the members given, also within `agent_config`, its `transcriber`, its `call_settings` and its `knowledge`; `tools`, `mcp_servers` and `rules` are replaced whole, and `null` gives a member its default again. A masked header value sent back means unchanged, as long as the address stays on the same server. Every change makes a new version.
   *
   * Required scope: `agents:write`.
   */
  update(agent_id: string, body: api.AgentChanges, options?: Options): Promise<api.Agent>

  /**
   * Delete an agent
   *
   * Channels that it answered have none then; call logs stay.
   *
   * Required scope: `agents:write`.
   */
  delete(agent_id: string, options?: Options): Promise<api.Deleted>

  /**
   * Try an agent out: one turn in writing
   *
   * The same agent, tools and knowledge as in calls and in the inbox, also while it is inactive. In test mode no hosted model is asked: the answer is taken word for word from the knowledge base, and a tool is used when the message says its name. A session is kept for a day after its last turn.
   *
   * Required scope: `agents:write`.
   */
  chatWith(agent_id: string, body: api.AgentChatMessage, options?: Options): Promise<api.AgentChatAnswer>

  /**
   * Copy an agent from test mode into live mode
   *
   * With a live credential, and the id of an agent of test mode. The copy has an id of its own; promoting the same agent again brings the copy up to date (200). Documents that were chosen for the agent become their promoted copies; `missing_documents` lists those that have none.
   *
   * Required scope: `agents:write`.
   */
  promote(agent_id: string, options?: Options): Promise<api.PromotedAgent>

  /**
   * The voices that agents can have
   *
   * Required scope: `agents:read`.
   */
  listVoices(options?: Options): Promise<api.VoiceList>
}

export interface Calls {
  /**
   * Call somebody
   *
   * Answers at once: the call waits for a free slot of the organization and is then dialed, once, whatever happens meanwhile. In test mode a simulated person answers; numbers that end in 0110 to 0116 behave in special ways.
   *
   * Required scope: `calls:dispatch`.
   */
  create(body: api.NewCall, options?: Options): Promise<api.Call>

  /**
   * List calls
   *
   * Required scope: `calls:read`.
   */
  list(query?: api.ListCallsQuery, options?: Options): List<api.Call, CursorPage<api.Call>>

  /**
   * Let a browser talk to an agent
   *
   * The token lets one socket join `ws_url` within a minute, as the query parameter `access_token` or as the second WebSocket protocol behind `frontdesk`. Binary frames are PCM16 at 16 kHz both ways, text frames are JSON events.
   *
   * Required scope: `calls:dispatch`.
   *
   * A replay by `Idempotency-Key` carries null in place of `access_token`.
   */
  createWeb(body: api.NewWebCall, options?: Options): Promise<api.WebCall>

  /**
   * Get a call
   *
   * Required scope: `calls:read`.
   */
  get(call_id: string, options?: Options): Promise<api.Call>

  /**
   * Delete a call
   *
   * Its transcript and its recording go with it. A call that runs has to be ended first.
   *
   * Required scope: `full_access`.
   */
  delete(call_id: string, options?: Options): Promise<api.Deleted>

  /**
   * What was said so far
   *
   * Also while the call runs. Ask again with `after` set to the last number for what came since.
   *
   * Required scope: `calls:read`.
   */
  getLiveTranscript(call_id: string, query?: api.GetLiveTranscriptQuery, options?: Options): Promise<api.LiveTranscript>

  /**
   * End a call
   *
   * A call that is talked on ends a moment later, once what was said is written down. One that has ended stays as it is.
   *
   * Required scope: `calls:dispatch`.
   */
  end(call_id: string, options?: Options): Promise<api.Call>

  /**
   * List call logs
   *
   * Required scope: `calls:read`.
   */
  listLogs(query?: api.ListCallLogsQuery, options?: Options): List<api.Call, {
    total: number
    page: number
    page_size: number
    items: api.Call[]
  }>

  /**
   * Get a call log
   *
   * Required scope: `calls:read`.
   */
  getLog(call_log_id: string, options?: Options): Promise<api.Call>

  /**
   * Listen to a call
   *
   * A stereo WAV file: the caller on the left, the agent on the right. Takes `Range`.
   *
   * Required scope: `calls:read`.
   */
  getRecording(call_log_id: string, options?: Options): Promise<Response>
}

export interface Simulator {
  /**
   * Write to a channel as a customer
   *
   * Test mode only. The message takes the way of a real one: the simulated platform posts it to the channel’s webhook, signed, and from there it comes into the inbox a moment later. Numbers that end in 0100 to 0107 behave in special ways when they are written to; see the guide “Try it without an account”.
   *
   * Required scope: `inbox:write`.
   */
  simulateMessage(body: api.SimulatedMessage, options?: Options): Promise<api.ReceivedMessage>

  /**
   * Call a channel as a customer
   *
   * Test mode only. The call takes the way of a real one: the simulated carrier asks the channel’s hook what to do, and the channel’s agent answers a person who really talks.
   *
   * Required scope: `calls:dispatch`.
   */
  simulateCall(body: api.SimulatedCall, options?: Options): Promise<api.ReceivedCall>

  /**
   * Change the platform’s mind about a template
   *
   * Test mode only. Approves, rejects, rates, pauses, disables or recategorizes a template at the simulated platform; the template follows when the platform’s webhook has arrived.
   *
   * Required scope: `campaigns:manage`.
   */
  simulateTemplateEvent(template_id: string, body: api.SimulatedTemplateEvent, options?: Options): Promise<api.Told>
}

export interface Service {
  /**
   * This document
   *
   * Needs no credential.
   */
  getOpenApi(options?: Options): Promise<Record<string, unknown>>
}

/** Every operation of the API, by what it is about. */
export interface Resources {
  readonly organization: Organization
  readonly keys: Keys
  readonly members: Members
  readonly signIn: SignIn
  readonly contacts: Contacts
  readonly tasks: Tasks
  readonly dashboard: Dashboard
  readonly events: Events
  readonly channels: Channels
  readonly inbox: Inbox
  readonly templates: Templates
  readonly campaigns: Campaigns
  readonly knowledge: Knowledge
  readonly webhooks: Webhooks
  readonly agents: Agents
  readonly calls: Calls
  readonly simulator: Simulator
  readonly service: Service
}

export const operations = {
  organization: {
    getMe: { method: 'GET', path: '/me', repeat: 'safe' },
    updateMe: { method: 'PATCH', path: '/me', json: true, repeat: 'safe' },
    get: { method: 'GET', path: '/organization', repeat: 'safe' },
    update: { method: 'PATCH', path: '/organization', json: true, repeat: 'safe' },
  },
  keys: {
    list: { method: 'GET', path: '/keys', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    create: { method: 'POST', path: '/keys', json: true, repeat: 'keyed' },
    get: { method: 'GET', path: '/keys/{key_id}', repeat: 'safe' },
    revoke: { method: 'DELETE', path: '/keys/{key_id}', repeat: 'safe' },
    roll: { method: 'POST', path: '/keys/{key_id}/roll', json: true, repeat: 'keyed' },
  },
  members: {
    list: { method: 'GET', path: '/members', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    get: { method: 'GET', path: '/members/{member_id}', repeat: 'safe' },
    update: { method: 'PATCH', path: '/members/{member_id}', json: true, repeat: 'safe' },
    remove: { method: 'DELETE', path: '/members/{member_id}', repeat: 'safe' },
    listInvitations: { method: 'GET', path: '/invitations', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    createInvitation: { method: 'POST', path: '/invitations', json: true, repeat: 'keyed' },
    getInvitation: { method: 'GET', path: '/invitations/{invitation_id}', repeat: 'safe' },
    deleteInvitation: { method: 'DELETE', path: '/invitations/{invitation_id}', repeat: 'safe' },
  },
  signIn: {
    login: { method: 'POST', path: '/auth/login', json: true, repeat: 'unsafe' },
    useLink: { method: 'POST', path: '/auth/link', json: true, repeat: 'unsafe' },
    refresh: { method: 'POST', path: '/auth/refresh', json: true, repeat: 'unsafe' },
    logout: { method: 'POST', path: '/auth/logout', json: true, repeat: 'unsafe' },
    changePassword: { method: 'POST', path: '/auth/password', json: true, repeat: 'unsafe' },
    acceptInvitation: { method: 'POST', path: '/invitations/accept', json: true, repeat: 'unsafe' },
  },
  contacts: {
    list: { method: 'GET', path: '/contacts', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    create: { method: 'POST', path: '/contacts', query: true, json: true, repeat: 'keyed' },
    export: { method: 'GET', path: '/contacts/export', query: true, answer: 'file', repeat: 'safe' },
    listTags: { method: 'GET', path: '/contacts/tags', query: true, repeat: 'safe' },
    get: { method: 'GET', path: '/contacts/{contact_id}', repeat: 'safe' },
    replace: { method: 'PUT', path: '/contacts/{contact_id}', json: true, repeat: 'safe' },
    update: { method: 'PATCH', path: '/contacts/{contact_id}', json: true, repeat: 'safe' },
    delete: { method: 'DELETE', path: '/contacts/{contact_id}', repeat: 'safe' },
    handOff: { method: 'POST', path: '/contacts/{contact_id}/handoff', json: true, repeat: 'keyed' },
    listActivities: { method: 'GET', path: '/contacts/{contact_id}/activities', query: true, list: { by: 'offset', items: 'activities', size: 'limit' }, repeat: 'safe' },
    createActivity: { method: 'POST', path: '/contacts/{contact_id}/activities', json: true, repeat: 'keyed' },
    import: { method: 'POST', path: '/contacts/imports', query: true, form: true, repeat: 'keyed' },
    listImports: { method: 'GET', path: '/contacts/imports', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    getImport: { method: 'GET', path: '/contacts/imports/{import_id}', repeat: 'safe' },
  },
  tasks: {
    list: { method: 'GET', path: '/crm/tasks', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    create: { method: 'POST', path: '/crm/tasks', json: true, repeat: 'keyed' },
    get: { method: 'GET', path: '/crm/tasks/{task_id}', repeat: 'safe' },
    update: { method: 'PATCH', path: '/crm/tasks/{task_id}', json: true, repeat: 'safe' },
    delete: { method: 'DELETE', path: '/crm/tasks/{task_id}', repeat: 'safe' },
  },
  dashboard: {
    get: { method: 'GET', path: '/crm/dashboard', repeat: 'safe' },
    getDailyActivity: { method: 'GET', path: '/crm/dashboard/daily', query: true, repeat: 'safe' },
  },
  events: {
    list: { method: 'GET', path: '/events', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    stream: { method: 'GET', path: '/stream', query: true, answer: 'events', repeat: 'safe' },
  },
  channels: {
    list: { method: 'GET', path: '/channels', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    create: { method: 'POST', path: '/channels', json: true, repeat: 'keyed' },
    get: { method: 'GET', path: '/channels/{channel_id}', repeat: 'safe' },
    update: { method: 'PATCH', path: '/channels/{channel_id}', json: true, repeat: 'safe' },
    delete: { method: 'DELETE', path: '/channels/{channel_id}', repeat: 'safe' },
  },
  inbox: {
    createTicket: { method: 'POST', path: '/inbox/tickets', json: true, repeat: 'keyed' },
    listTickets: { method: 'GET', path: '/inbox/tickets', query: true, list: { by: 'offset', items: 'inboxes', size: 'limit' }, repeat: 'safe' },
    getTicket: { method: 'GET', path: '/inbox/tickets/{inbox_id}', repeat: 'safe' },
    updateTicket: { method: 'PATCH', path: '/inbox/tickets/{inbox_id}', json: true, repeat: 'safe' },
    readTicket: { method: 'POST', path: '/inbox/tickets/{inbox_id}/read', repeat: 'keyed' },
    listMessages: { method: 'GET', path: '/inbox/messages/{inbox_id}', query: true, list: { by: 'offset', items: 'messages', size: 'limit' }, repeat: 'safe' },
    sendMessage: { method: 'POST', path: '/inbox/messages/{inbox_id}', json: true, form: true, repeat: 'keyed' },
    reactToMessage: { method: 'POST', path: '/inbox/messages/{inbox_id}/{message_id}/reaction', json: true, repeat: 'keyed' },
    getMedia: { method: 'GET', path: '/inbox/media/{media_id}', answer: 'file', repeat: 'safe' },
  },
  templates: {
    list: { method: 'GET', path: '/templates', query: true, list: { by: 'page', items: 'items', size: 'limit' }, repeat: 'safe' },
    create: { method: 'POST', path: '/templates', json: true, repeat: 'keyed' },
    preflight: { method: 'POST', path: '/templates/preflight', json: true, repeat: 'safe' },
    listLibrary: { method: 'GET', path: '/templates/library', query: true, repeat: 'safe' },
    createFromLibrary: { method: 'POST', path: '/templates/library/{template_id}/create', query: true, json: true, repeat: 'keyed' },
    sync: { method: 'POST', path: '/templates/sync', json: true, repeat: 'keyed' },
    get: { method: 'GET', path: '/templates/{template_id}', repeat: 'safe' },
    delete: { method: 'DELETE', path: '/templates/{template_id}', query: true, repeat: 'safe' },
  },
  campaigns: {
    list: { method: 'GET', path: '/campaigns', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    create: { method: 'POST', path: '/campaigns', json: true, repeat: 'keyed' },
    preflight: { method: 'POST', path: '/campaigns/preflight', json: true, repeat: 'safe' },
    get: { method: 'GET', path: '/campaigns/{campaign_id}', repeat: 'safe' },
    update: { method: 'PATCH', path: '/campaigns/{campaign_id}', json: true, repeat: 'safe' },
    delete: { method: 'DELETE', path: '/campaigns/{campaign_id}', repeat: 'safe' },
    pause: { method: 'POST', path: '/campaigns/{campaign_id}/pause', repeat: 'keyed' },
    resume: { method: 'POST', path: '/campaigns/{campaign_id}/resume', repeat: 'keyed' },
    cancel: { method: 'POST', path: '/campaigns/{campaign_id}/cancel', repeat: 'keyed' },
    retry: { method: 'POST', path: '/campaigns/{campaign_id}/retry', json: true, repeat: 'keyed' },
    listDeliveries: { method: 'GET', path: '/campaigns/{campaign_id}/deliveries', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    getReport: { method: 'GET', path: '/campaigns/{campaign_id}/report', query: true, repeat: 'safe' },
    exportPdf: { method: 'GET', path: '/campaigns/{campaign_id}/export/pdf', query: true, answer: 'file', repeat: 'safe' },
    exportCsv: { method: 'GET', path: '/campaigns/{campaign_id}/export/csv', answer: 'file', repeat: 'safe' },
  },
  knowledge: {
    uploadDocument: { method: 'POST', path: '/knowledge-base/upload', form: true, repeat: 'keyed' },
    listDocuments: { method: 'GET', path: '/knowledge-base', repeat: 'safe' },
    search: { method: 'POST', path: '/knowledge-base/search', json: true, repeat: 'safe' },
    getDocument: { method: 'GET', path: '/knowledge-base/{document_id}', repeat: 'safe' },
    deleteDocument: { method: 'DELETE', path: '/knowledge-base/{document_id}', repeat: 'safe' },
    downloadDocument: { method: 'GET', path: '/knowledge-base/{document_id}/download', answer: 'file', repeat: 'safe' },
    promoteDocument: { method: 'POST', path: '/knowledge-base/{document_id}/promote', repeat: 'keyed' },
  },
  webhooks: {
    list: { method: 'GET', path: '/webhooks', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    create: { method: 'POST', path: '/webhooks', json: true, repeat: 'keyed' },
    get: { method: 'GET', path: '/webhooks/{webhook_id}', repeat: 'safe' },
    update: { method: 'PATCH', path: '/webhooks/{webhook_id}', json: true, repeat: 'safe' },
    delete: { method: 'DELETE', path: '/webhooks/{webhook_id}', repeat: 'safe' },
    rotateSecret: { method: 'POST', path: '/webhooks/{webhook_id}/rotate-secret', json: true, repeat: 'keyed' },
    test: { method: 'POST', path: '/webhooks/{webhook_id}/test', repeat: 'keyed' },
    listDeliveries: { method: 'GET', path: '/webhooks/{webhook_id}/deliveries', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    retryDelivery: { method: 'POST', path: '/webhooks/{webhook_id}/deliveries/{delivery_id}/retry', repeat: 'keyed' },
    recover: { method: 'POST', path: '/webhooks/{webhook_id}/recover', json: true, repeat: 'keyed' },
  },
  agents: {
    create: { method: 'POST', path: '/agents', json: true, repeat: 'keyed' },
    list: { method: 'GET', path: '/agents', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    get: { method: 'GET', path: '/agents/{agent_id}', repeat: 'safe' },
    update: { method: 'PATCH', path: '/agents/{agent_id}', json: true, repeat: 'safe' },
    delete: { method: 'DELETE', path: '/agents/{agent_id}', repeat: 'safe' },
    chatWith: { method: 'POST', path: '/agents/{agent_id}/chat', json: true, repeat: 'keyed' },
    promote: { method: 'POST', path: '/agents/{agent_id}/promote', repeat: 'keyed' },
    listVoices: { method: 'GET', path: '/voices', repeat: 'safe' },
  },
  calls: {
    create: { method: 'POST', path: '/calls', json: true, repeat: 'keyed' },
    list: { method: 'GET', path: '/calls', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    createWeb: { method: 'POST', path: '/calls/web', json: true, repeat: 'keyed' },
    get: { method: 'GET', path: '/calls/{call_id}', repeat: 'safe' },
    delete: { method: 'DELETE', path: '/calls/{call_id}', repeat: 'safe' },
    getLiveTranscript: { method: 'GET', path: '/calls/{call_id}/transcript', query: true, repeat: 'safe' },
    end: { method: 'POST', path: '/calls/{call_id}/end', repeat: 'keyed' },
    listLogs: { method: 'GET', path: '/call-logs', query: true, list: { by: 'page', items: 'items', size: 'page_size' }, repeat: 'safe' },
    getLog: { method: 'GET', path: '/call-logs/{call_log_id}', repeat: 'safe' },
    getRecording: { method: 'GET', path: '/call-logs/{call_log_id}/recording', answer: 'file', repeat: 'safe' },
  },
  simulator: {
    simulateMessage: { method: 'POST', path: '/simulator/messages', json: true, repeat: 'keyed' },
    simulateCall: { method: 'POST', path: '/simulator/calls', json: true, repeat: 'keyed' },
    simulateTemplateEvent: { method: 'POST', path: '/simulator/templates/{template_id}/events', json: true, repeat: 'keyed' },
  },
  service: {
    getOpenApi: { method: 'GET', path: '/openapi.json', repeat: 'safe' },
  },
} satisfies Record<string, Record<string, Operation>>
