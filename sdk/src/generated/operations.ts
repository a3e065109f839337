// Written by `npm run docs` from docs/openapi.json. Do not edit.

import type { CursorPage, List } from '../list.ts'
import type { Operation } from '../operation.ts'
import type { Options, OptionsWithQuery } from '../options.ts'
import type { EventStream, StreamOptions } from '../stream.ts'
import type * as api from './types.ts'

export interface Organization {
  /**
   * Get the current identity
   *
   * Returns the organization, mode and scopes of any credential. For a person who belongs to several organizations and names none, `organization` is null, `scopes` is empty, and `organizations` lists the choices for the header `organization_id`.
   *
   * Accepts any valid credential.
   */
  getMe(options?: Options): Promise<api.Me>

  /**
   * Update your name
   *
   * Colleagues see the name in every organization that you belong to.
   *
   * For people who are signed in. API keys get 403.
   */
  updateMe(body: api.MyChanges, options?: Options): Promise<api.Me>

  /**
   * Get the organization
   *
   * Includes the limits, retention times and rates that the operator of this service has set, for all organizations or for yours.
   *
   * Accepts any valid credential.
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
   * Includes revoked and expired keys. A test key sees only test keys.
   *
   * Required scope: `full_access`.
   */
  list(query?: api.ListKeysQuery, options?: Options): List<api.Key, CursorPage<api.Key>>

  /**
   * Create a key
   *
   * The response is the only place where the secret appears. A test key can create only test keys.
   *
   * Required scope: `full_access`.
   *
   * A replay by `Idempotency-Key` has null in place of `secret`.
   */
  create(body: api.NewKey, options?: Options): Promise<api.KeyWithSecret>

  /**
   * Get a key
   *
   * Required scope: `full_access`.
   */
  get(key_id: string, options?: Options): Promise<api.Key>

  /**
   * Update a key
   *
   * Renames a key or changes `allowed_ips`, which takes effect everywhere within five seconds. A request from another address answers 403; open streams from there end.
   *
   * Required scope: `full_access`.
   */
  update(key_id: string, body: api.KeyChanges, options?: Options): Promise<api.Key>

  /**
   * Revoke a key
   *
   * Takes effect everywhere within five seconds. The key stays in the list.
   *
   * Required scope: `full_access`.
   */
  revoke(key_id: string, options?: Options): Promise<api.Deleted>

  /**
   * Roll a key
   *
   * Creates a new key with the same permissions. The old key keeps working for `overlap_seconds`.
   *
   * Required scope: `full_access`.
   *
   * A replay by `Idempotency-Key` has null in place of `secret`.
   */
  roll(key_id: string, body?: api.KeyRoll, options?: Options): Promise<api.KeyWithSecret>
}

export interface Members {
  /**
   * List members
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
   * You can neither change a member whose role allows more than yours nor give such a role. Admins cannot change owners or make someone an owner. The last owner cannot step down.
   *
   * Required scope: `full_access` or `members:manage`.
   */
  update(member_id: string, body: api.RoleChange, options?: Options): Promise<api.Member>

  /**
   * Remove a member
   *
   * Requires full access or `members:manage`, except for members who remove themselves. The last owner cannot leave.
   *
   * Accepts any valid credential.
   */
  remove(member_id: string, options?: Options): Promise<api.Deleted>

  /**
   * Limit a member’s access to conversations
   *
   * The member then sees the conversations of these channels and teams and those assigned to them, and nothing of other conversations: no messages, notes, calls, reports or events. Contacts, tasks and campaigns stay visible. Replaces the teams, and the channels of the mode of the request. Owners and admins see everything (409). A member with limited access can manage neither members nor webhooks, whatever the role.
   *
   * Required scope: `full_access` or `members:manage`.
   */
  putAccess(member_id: string, body: api.AccessInput, options?: Options): Promise<api.Member>

  /**
   * Let a member see all conversations
   *
   * In both modes. If you limit the access again, the channels of the other mode are as they were.
   *
   * Required scope: `full_access` or `members:manage`.
   */
  deleteAccess(member_id: string, options?: Options): Promise<api.Deleted>

  /**
   * List pending invitations
   *
   * Required scope: `full_access` or `members:manage`.
   */
  listInvitations(query?: api.ListInvitationsQuery, options?: Options): List<api.Invitation, CursorPage<api.Invitation>>

  /**
   * Create an invitation
   *
   * Returns the link to send to the person, and emails it if email is set up. It works once, within seven days, and is shown only here. You cannot invite above your own role, and test keys cannot invite.
   *
   * Required scope: `full_access` or `members:manage`.
   *
   * A replay by `Idempotency-Key` has null in place of `link`.
   */
  createInvitation(body: api.NewInvitation, options?: Options): Promise<api.InvitationWithLink>

  /**
   * Get an invitation
   *
   * Required scope: `full_access` or `members:manage`.
   */
  getInvitation(invitation_id: string, options?: Options): Promise<api.Invitation>

  /**
   * Withdraw an invitation
   *
   * Required scope: `full_access` or `members:manage`.
   */
  deleteInvitation(invitation_id: string, options?: Options): Promise<api.Deleted>

  /**
   * List domains
   *
   * Required scope: `full_access`.
   */
  listDomains(query?: api.ListDomainsQuery, options?: Options): List<api.Domain, CursorPage<api.Domain>>

  /**
   * Add a domain
   *
   * People who sign in with single sign-on and a verified email of this domain join without an invitation, once the domain is verified. Add the TXT record that the response names to your DNS, then verify it.
   *
   * Required scope: `full_access`.
   */
  createDomain(body: api.NewDomain, options?: Options): Promise<api.Domain>

  /**
   * Verify a domain
   *
   * Looks up the TXT record. 409 if it is missing. Verified domains are checked again every day; after seven days without the record, people no longer join.
   *
   * Required scope: `full_access`.
   */
  verifyDomain(domain_id: string, options?: Options): Promise<api.Domain>

  /**
   * Delete a domain
   *
   * People with an email of this domain can no longer join without an invitation. Members who joined stay.
   *
   * Required scope: `full_access`.
   */
  deleteDomain(domain_id: string, options?: Options): Promise<api.Deleted>
}

export interface Roles {
  /**
   * List roles
   *
   * The built-in roles and the custom roles of the organization, with what each allows.
   *
   * Accepts any valid credential.
   */
  list(options?: Options): Promise<api.RoleList>

  /**
   * Create a role
   *
   * A custom role allows at most what you may do yourself. An organization can have 100. Test keys cannot manage roles.
   *
   * Required scope: `full_access` or `members:manage`.
   */
  create(body: api.NewRole, options?: Options): Promise<api.CustomRole>

  /**
   * Get a custom role
   *
   * Accepts any valid credential.
   */
  get(role_id: string, options?: Options): Promise<api.CustomRole>

  /**
   * Update a role
   *
   * The change applies to every member with this role within five seconds. You need every permission that the role has before and after.
   *
   * Required scope: `full_access` or `members:manage`.
   */
  update(role_id: string, body: api.RoleChanges, options?: Options): Promise<api.CustomRole>

  /**
   * Delete a role
   *
   * A role that members or open invitations have cannot be deleted; the message says how many.
   *
   * Required scope: `full_access` or `members:manage`.
   */
  delete(role_id: string, options?: Options): Promise<api.Deleted>
}

export interface SignIn {
  /**
   * Sign in with email and password
   *
   * Also sets the cookies that the console uses. Attempts are limited per minute for each IP address, and separately for each device that signed in before. Many attempts at one account slow it down for other devices. A person with a second factor gets a 401 with `error.code` `second_factor_required`: send the same request with `code`. A wrong code is `second_factor_invalid`.
   *
   * Needs no credential.
   */
  login(body: api.Login, options?: Options): Promise<api.SignedIn>

  /**
   * Sign in with a one-time link
   *
   * Send the token from the link’s fragment. It works once, within 15 minutes. A second factor is required as for `POST /auth/login`; the link is not used up until then.
   *
   * Needs no credential.
   */
  useLink(body: api.SignInLink, options?: Options): Promise<api.SignedIn>

  /**
   * Get how people can sign in here
   *
   * Needs no credential.
   */
  getOptions(options?: Options): Promise<api.SignInOptions>

  /**
   * Email a link to choose a new password
   *
   * The response is the same whether or not the address has an account. The link works once, within 60 minutes: send its token to `POST /auth/link`, then the new password to `POST /auth/password`, which ends all other sessions. 409 if this installation sends no email.
   *
   * Needs no credential.
   */
  requestPasswordReset(body: api.PasswordReset, options?: Options): Promise<api.Deleted>

  /**
   * Refresh an access token
   *
   * Send the refresh token in the body or in the cookie; with the cookie, the next one is set there and the response has null. Each refresh token works once: store the one you get back. Requests that send the same token within ten seconds all get the same next token; after that, sending it again ends the session.
   *
   * Needs no credential.
   */
  refresh(body?: api.Refresh, options?: Options): Promise<api.SignedIn>

  /**
   * Sign out
   *
   * Ends the session of the refresh token or access token, from the request or its cookies.
   *
   * Needs no credential.
   */
  logout(body?: api.Refresh, options?: Options): Promise<api.Deleted>

  /**
   * Set a new password
   *
   * Requires the current password, unless there is none or the person signed in with a link. All other sessions end.
   *
   * For people who are signed in. API keys get 403.
   */
  changePassword(body: api.PasswordChange, options?: Options): Promise<api.Deleted>

  /**
   * Accept an invitation
   *
   * Send a new password if the email has no account yet. If it has one, send that account’s password, and a code if it has a second factor, or sign in to it first.
   *
   * Needs no credential.
   */
  acceptInvitation(body: api.InvitationAcceptance, options?: Options): Promise<api.Joined>

  /**
   * List your sessions
   *
   * Where you are signed in. Tokens of a trusted issuer (`TRUSTED_ISSUER`) have no session.
   *
   * For people who are signed in. API keys get 403.
   */
  listSessions(query?: api.ListSessionsQuery, options?: Options): List<api.Session, CursorPage<api.Session>>

  /**
   * Sign out everywhere else
   *
   * Ends all your sessions except the one of this request.
   *
   * For people who are signed in. API keys get 403.
   */
  endOtherSessions(options?: Options): Promise<api.Deleted>

  /**
   * End one of your sessions
   *
   * Its access token and refresh token stop working on every node within five seconds.
   *
   * For people who are signed in. API keys get 403.
   */
  endSession(session_id: string, options?: Options): Promise<api.Deleted>

  /**
   * Get your second factors
   *
   * For people who are signed in. API keys get 403.
   */
  getSecondFactors(options?: Options): Promise<api.SecondFactors>

  /**
   * Set up an authenticator app
   *
   * Returns a secret for any TOTP app (SHA-1, 6 digits, 30 seconds). Sign-in asks for codes once you have confirmed the secret with one.
   *
   * For people who are signed in. API keys get 403.
   */
  createAuthenticator(body: api.AuthenticatorSetup, options?: Options): Promise<api.NewAuthenticator>

  /**
   * Confirm the authenticator app
   *
   * Turns it on, returns ten recovery codes and ends all other sessions.
   *
   * For people who are signed in. API keys get 403.
   */
  confirmAuthenticator(body: api.CodeConfirmation, options?: Options): Promise<api.RecoveryCodes>

  /**
   * Replace your recovery codes
   *
   * The previous ones stop working.
   *
   * For people who are signed in. API keys get 403.
   */
  createRecoveryCodes(body: api.CodeConfirmation, options?: Options): Promise<api.RecoveryCodes>

  /**
   * Remove the authenticator app
   *
   * Requires the password and a code. With the last second factor, your recovery codes stop working.
   *
   * For people who are signed in. API keys get 403.
   */
  removeAuthenticator(body: api.AuthenticatorRemoval, options?: Options): Promise<api.Deleted>

  /**
   * Start signing in with a passkey
   *
   * Pass the response to `navigator.credentials.get`. The challenge works once, within five minutes.
   *
   * Needs no credential.
   */
  createPasskeyChallenge(options?: Options): Promise<api.PasskeyOptions>

  /**
   * Sign in with a passkey
   *
   * The device has verified the person, so no password and no code are asked for.
   *
   * Needs no credential.
   */
  loginWithPasskey(body: api.PasskeyLogin, options?: Options): Promise<api.SignedIn>

  /**
   * List your passkeys
   *
   * For people who are signed in. API keys get 403.
   */
  listPasskeys(options?: Options): Promise<api.Passkeys>

  /**
   * Add a passkey
   *
   * For people who are signed in. API keys get 403.
   */
  createPasskey(body: api.NewPasskey, options?: Options): Promise<api.PasskeyCreated>

  /**
   * Start adding a passkey
   *
   * Pass the response to `navigator.credentials.create`. The challenge works once, within five minutes.
   *
   * For people who are signed in. API keys get 403.
   */
  createPasskeyOptions(body: api.PasskeySetup, options?: Options): Promise<api.PasskeyOptions>

  /**
   * Remove a passkey
   *
   * Requires the password and, for your last second factor, a code, unless you have signed in with a passkey within 15 minutes. With the last second factor, your recovery codes stop working.
   *
   * For people who are signed in. API keys get 403.
   */
  removePasskey(passkey_id: string, body: api.PasskeyRemoval, options?: Options): Promise<api.Deleted>
}

export interface AuditLog {
  /**
   * List audit entries
   *
   * Who changed what, newest first, in both modes: settings, keys, members, channels, webhooks, agents, exports, deletions and sign-ins. Entries cannot be changed, and are deleted only after the retention of the installation.
   *
   * Required scope: `full_access` or `audit:read`.
   */
  list(query?: api.ListAuditLogQuery, options?: Options): List<api.AuditEntry, CursorPage<api.AuditEntry>>

  /**
   * Export the audit log as CSV
   *
   * Accepts the filters of the list; newest first. The export is recorded in the log.
   *
   * Required scope: `full_access` or `audit:read`.
   */
  export(query?: api.ExportAuditLogQuery, options?: Options): Promise<Response>
}

export interface Contacts {
  /**
   * List contacts
   *
   * Required scope: `contacts:read`.
   */
  list(query?: api.ListContactsQuery, options?: Options): List<api.ListedContact, CursorPage<api.ListedContact>>

  /**
   * Create a contact
   *
   * A phone number belongs to one contact: a second contact is refused with the id of the first.
   *
   * Required scope: `contacts:write`.
   */
  create(body: api.NewContact, options?: Partial<OptionsWithQuery<api.CreateContactQuery>>): Promise<api.Contact>

  /**
   * Export contacts as CSV
   *
   * Accepts the filters of the list; oldest first. You can import the file again: custom fields have their own columns (as JSON if a value is not plain text), and cells that a spreadsheet would read as a formula start with an apostrophe.
   *
   * Required scope: `contacts:read`.
   */
  export(query?: api.ExportContactsQuery, options?: Options): Promise<Response>

  /**
   * List tags
   *
   * Most used first.
   *
   * Required scope: `contacts:read`.
   */
  listTags(query?: api.ListContactTagsQuery, options?: Options): Promise<api.ContactTags>

  /**
   * Get a contact
   *
   * With its identities. A contact that was merged into another one answers 404 with `merged_into`, the id of that contact.
   *
   * Required scope: `contacts:read`.
   */
  get(contact_id: string, options?: Options): Promise<api.ContactWithIdentities>

  /**
   * Update a contact
   *
   * Changes only the fields that you send.
   *
   * Required scope: `contacts:write`.
   */
  replace(contact_id: string, body: api.ContactReplacement, options?: Options): Promise<api.Contact>

  /**
   * Update a contact, its stage or its handling
   *
   * Changes only the fields that you send, including the stage, the AI handling, the marketing opt-out and the block.
   *
   * Required scope: `contacts:write`.
   */
  update(contact_id: string, body: api.ContactChanges, options?: Options): Promise<api.Contact>

  /**
   * Delete a contact
   *
   * Deletes its activities, tasks, tickets and messages too. Call logs and deliveries stay without a contact.
   *
   * Required scope: `contacts:write`.
   */
  delete(contact_id: string, options?: Options): Promise<api.Deleted>

  /**
   * Merge two contacts
   *
   * Merges another contact into this one: its tickets, messages, calls, tasks, deliveries, activities, tags, consents and identities. The stricter consent counts. Values of this contact stay; those of the other one fill gaps, and an activity keeps the differences. From then on, the other id returns 404 with `merged_into`. You cannot undo a merge.
   *
   * Required scope: `contacts:write`.
   */
  merge(contact_id: string, body: api.ContactMerge, options?: Options): Promise<api.Contact>

  /**
   * Hand a contact off to a person or the AI
   *
   * Required scope: `contacts:write`.
   */
  handOff(contact_id: string, body: api.Handoff, options?: Options): Promise<api.Contact>

  /**
   * List a contact’s consents
   *
   * What the contact agreed to and withdrew, newest first. Entries are never changed; opting out and in adds one.
   *
   * Required scope: `contacts:read`.
   */
  listConsents(contact_id: string, query?: api.ListConsentsQuery, options?: Options): List<api.Consent, CursorPage<api.Consent>>

  /**
   * Record a consent
   *
   * Records that the contact agreed to something or withdrew it. With the channel `all` and the purpose `marketing` it also sets or clears the opt-out.
   *
   * Required scope: `contacts:write`.
   */
  createConsent(contact_id: string, body: api.NewConsent, options?: Options): Promise<api.Consent>

  /**
   * List a contact’s activities
   *
   * The timeline, newest first.
   *
   * Required scope: `contacts:read`.
   */
  listActivities(contact_id: string, query?: api.ListActivitiesQuery, options?: Options): List<api.Activity, {
    activities: api.Activity[]
    /** Number of activities that match the filter */
    total: number
    limit: number
    offset: number
    has_more: boolean
  }>

  /**
   * Create an activity
   *
   * Required scope: `contacts:write`.
   */
  createActivity(contact_id: string, body: api.NewActivity, options?: Options): Promise<api.Activity>

  /**
   * Edit all contacts that match
   *
   * Adds or removes tags, sets the stage or who handles the contacts, or deletes them, in the background. Contacts created after the start are not changed. The filter is checked again for each batch: contacts that no longer match are left alone, and contacts that have come to match are changed too. `handled_by` is checked with the channels that an agent answered at the start. Each change is recorded and emits its events, as for a single contact.
   *
   * Required scope: `contacts:write`.
   */
  createBulkEdit(body: api.NewBulkEdit, options?: Options): Promise<api.BulkEdit>

  /**
   * Get a bulk edit
   *
   * With its progress. Kept for 30 days.
   *
   * Required scope: `contacts:read`.
   */
  getBulkEdit(bulk_edit_id: string, options?: Options): Promise<api.BulkEdit>

  /**
   * Cancel a bulk edit
   *
   * Contacts that are done stay as they are.
   *
   * Required scope: `contacts:write`.
   */
  cancelBulkEdit(bulk_edit_id: string, options?: Options): Promise<api.BulkEdit>

  /**
   * List likely duplicates of a contact
   *
   * Contacts that are probably the same person. Merge one, or dismiss it.
   *
   * Required scope: `contacts:read`.
   */
  listDuplicates(contact_id: string, options?: Options): Promise<api.ContactDuplicates>

  /**
   * Dismiss a likely duplicate
   *
   * Records that two contacts are different people: neither is suggested for the other again. Returns the remaining suggestions.
   *
   * Required scope: `contacts:write`.
   */
  dismissDuplicate(contact_id: string, body: api.DismissedDuplicate, options?: Options): Promise<api.ContactDuplicates>

  /**
   * Import contacts from a CSV file
   *
   * Returns as soon as the file is uploaded; the import then runs in the background. You can also send the parameters as form fields, before the file.
   *
   * Required scope: `contacts:write`.
   */
  import(body: api.ImportContactsForm, options?: Partial<OptionsWithQuery<api.ImportContactsQuery>>): Promise<api.ContactImport>

  /**
   * List imports
   *
   * Required scope: `contacts:read`.
   */
  listImports(query?: api.ListContactImportsQuery, options?: Options): List<api.ContactImport, CursorPage<api.ContactImport>>

  /**
   * Get an import
   *
   * Required scope: `contacts:read`.
   */
  getImport(import_id: string, options?: Options): Promise<api.ContactImportReport>
}

export interface Privacy {
  /**
   * Get the privacy settings
   *
   * Accepts any valid credential.
   */
  getSettings(options?: Options): Promise<api.PrivacySettings>

  /**
   * Update the privacy settings
   *
   * Changes only the fields that you send. Records past a new limit are deleted within about an hour, in both modes, without an event for each.
   *
   * Required scope: `full_access`.
   */
  updateSettings(body: api.PrivacyChanges, options?: Options): Promise<api.PrivacySettings>

  /**
   * Erase everything about a contact
   *
   * Deletes the contact with its activities, tasks, conversations, files, events and webhook logs, and everything about it in calls and campaign deliveries. Runs in the background and cannot be undone. If asked again, returns the same erasure.
   *
   * Required scope: `full_access`.
   */
  eraseContact(contact_id: string, options?: Options): Promise<api.Erasure>

  /**
   * List erasures
   *
   * Newest first.
   *
   * Required scope: `full_access`.
   */
  listErasures(query?: api.ListErasuresQuery, options?: Options): List<api.Erasure, CursorPage<api.Erasure>>

  /**
   * Get an erasure
   *
   * The progress and, at the end, the proof: what was deleted, when, and who asked.
   *
   * Required scope: `full_access`.
   */
  getErasure(erasure_id: string, options?: Options): Promise<api.Erasure>

  /**
   * Export everything about a contact
   *
   * Writes a ZIP in the background: a JSON file for each kind of record, and the files and recordings. Poll the export until it is `completed`, then download it within a week.
   *
   * Required scope: `full_access`.
   */
  exportContact(contact_id: string, options?: Options): Promise<api.PersonExport>

  /**
   * Get an export
   *
   * Required scope: `full_access`.
   */
  getExport(export_id: string, options?: Options): Promise<api.PersonExport>

  /**
   * Download an export
   *
   * Supports `Range`. The download is recorded in the audit log.
   *
   * Required scope: `full_access`.
   */
  downloadExport(export_id: string, options?: Options): Promise<Response>
}

export interface Tasks {
  /**
   * List tasks
   *
   * Required scope: `contacts:read`.
   */
  list(query?: api.ListTasksQuery, options?: Options): List<api.Task, CursorPage<api.Task>>

  /**
   * Create a task
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
   * Update a task
   *
   * Use it to complete or reassign the task. The contact’s timeline records the completion once.
   *
   * Required scope: `contacts:write`.
   */
  update(task_id: string, body: api.TaskChanges, options?: Options): Promise<api.Task>

  /**
   * Delete a task
   *
   * Entries about it in the contact’s timeline stay.
   *
   * Required scope: `contacts:write`.
   */
  delete(task_id: string, options?: Options): Promise<api.Deleted>
}

export interface Dashboard {
  /**
   * Get contact and task counts
   *
   * Contacts by stage and by who handles them, and pending and overdue tasks.
   *
   * Required scope: `contacts:read`.
   */
  get(options?: Options): Promise<api.Dashboard>

  /**
   * Get daily message and call counts
   *
   * One entry for each of the last days.
   *
   * Required scope: `contacts:read`.
   */
  getDailyActivity(query?: api.GetDailyActivityQuery, options?: Options): Promise<api.Daily>

  /**
   * Count contacts by ad
   *
   * How many contacts came from ads and posts in the last days, by the first ad or post of each contact. Use `source_id` in the list of contacts to see them.
   *
   * Required scope: `contacts:read`.
   */
  getContactSources(query?: api.GetContactSourcesQuery, options?: Options): Promise<api.ContactSources>
}

export interface Events {
  /**
   * List events
   *
   * Newest first. Events that the credential’s scopes do not cover are omitted.
   *
   * Accepts any valid credential.
   */
  list(query?: api.ListEventsQuery, options?: Options): List<api.Event, CursorPage<api.Event>>

  /**
   * Stream events
   *
   * Server-sent events. `data` is an event as in the list of events, `id` is its id. To resume after a disconnect, send `Last-Event-ID`; you miss nothing. Without it the stream starts now with an `id` that has no data, from which you can resume before the first event. Events arrive in the order of the changes that caused them; events that the credential’s scopes do not cover are omitted. The stream ends when the credential expires or is revoked. An `EventSource` in a page authenticates with the cookie and can send `mode` and `organization_id` in the query.
   *
   * Accepts any valid credential.
   */
  stream(query?: api.StreamEventsQuery, options?: StreamOptions): EventStream
}

export interface Channels {
  /**
   * List channels
   *
   * Required scope: `campaigns:manage` or `campaigns:read`.
   */
  list(query?: api.ListChannelsQuery, options?: Options): List<api.Channel, CursorPage<api.Channel>>

  /**
   * Create a channel
   *
   * A phone number is enough: in test mode the simulator serves it, in live mode you can add `chat` and `voice` later. Tokens and secrets are write-only: they are stored encrypted, and responses only say whether they are set. A phone number and each platform’s `phone_number_id` belong to one channel; a second channel is refused with the id of the first. In live mode a chat `phone_number_id` belongs to one organization: it is read from the platform with your `access_token`. If the platform refuses, the response is 502 and nothing is stored; while the platform cannot be reached, the channel is `pending_verification`.
   *
   * Required scope: `full_access`.
   */
  create(body: api.NewChannel, options?: Options): Promise<api.Channel>

  /**
   * Get a channel
   *
   * Required scope: `campaigns:manage` or `campaigns:read`.
   */
  get(channel_id: string, options?: Options): Promise<api.Channel>

  /**
   * Update a channel
   *
   * Changes only the fields that you send, even within `chat` and `voice`: you can replace an `access_token` alone. `null` removes a side with its secrets. In live mode a new number, business account or token is checked as on create; a new token alone leaves an active channel active while the platform cannot be reached.
   *
   * Required scope: `full_access`.
   */
  update(channel_id: string, body: api.ChannelChanges, options?: Options): Promise<api.Channel>

  /**
   * Delete a channel
   *
   * Deletes its secrets and frees its number. Records that refer to it stay. A live chat number stays reserved for the organization for 30 days.
   *
   * Required scope: `full_access`.
   */
  delete(channel_id: string, options?: Options): Promise<api.Deleted>

  /**
   * Check a channel’s health
   *
   * Reads quality rating, messaging limit, throughput and name review of the number from the platform now. The service does so every hour, and when the platform reports a change.
   *
   * Required scope: `campaigns:manage`.
   */
  checkHealth(channel_id: string, options?: Options): Promise<api.Channel>

  /**
   * Request data of the WhatsApp Business app
   *
   * Asks WhatsApp for the contacts or the chats of the WhatsApp Business app on this number. They arrive as webhooks, so set up the webhook first. WhatsApp takes one request for each, within 24 hours after the number was connected; later ones are refused with 502.
   *
   * Required scope: `full_access`.
   */
  requestAppData(channel_id: string, body: api.AppDataRequest, options?: Options): Promise<api.RequestedAppData>
}

export interface Schedules {
  /**
   * List business hours
   *
   * Accepts any valid credential.
   */
  list(query?: api.ListSchedulesQuery, options?: Options): List<api.Schedule, CursorPage<api.Schedule>>

  /**
   * Create business hours
   *
   * Business hours apply to both modes, so test keys cannot change them. A change of the clocks within a span makes it shorter or longer by that hour.
   *
   * Required scope: `full_access` or `members:manage`.
   */
  create(body: api.NewSchedule, options?: Options): Promise<api.Schedule>

  /**
   * Get business hours
   *
   * Accepts any valid credential.
   */
  get(schedule_id: string, options?: Options): Promise<api.Schedule>

  /**
   * Update business hours
   *
   * Replaces the fields that you send: `weekly_hours` and `holidays` as a whole.
   *
   * Required scope: `full_access` or `members:manage`.
   */
  update(schedule_id: string, body: api.ScheduleChanges, options?: Options): Promise<api.Schedule>

  /**
   * Delete business hours
   *
   * Business hours that a team, a channel, an agent, a campaign or an SLA policy uses cannot be deleted.
   *
   * Required scope: `full_access` or `members:manage`.
   */
  delete(schedule_id: string, options?: Options): Promise<api.Deleted>

  /**
   * Check business hours at a time
   *
   * Accepts any valid credential.
   */
  getState(schedule_id: string, query?: api.GetScheduleStateQuery, options?: Options): Promise<api.ScheduleState>
}

export interface Inbox {
  /**
   * Open a ticket
   *
   * If the contact has an open ticket, the most recently active one is returned with 200. For a member whose access does not cover it, the response is 409; a ticket that such a member opens is assigned to them.
   *
   * Required scope: `inbox:write`.
   */
  createTicket(body: api.NewTicket, options?: Options): Promise<api.TicketWithContact>

  /**
   * List tickets
   *
   * Most recently active first by default.
   *
   * Required scope: `inbox:read`.
   */
  listTickets(query?: api.ListTicketsQuery, options?: Options): List<api.TicketWithContact, {
    /** Total number of records */
    total: number
    /** Page number, starting at 1 */
    page: number
    /** Number of records returned */
    size: number
    inboxes: api.TicketWithContact[]
  }>

  /**
   * Count the tickets of each queue
   *
   * The queues are described at the parameter `queue` of the ticket list. `mine` are those of the caller.
   *
   * Required scope: `inbox:read`.
   */
  countQueues(options?: Options): Promise<api.QueueCounts>

  /**
   * List the tags of tickets
   *
   * Most used first.
   *
   * Required scope: `inbox:read`.
   */
  listTicketTags(query?: api.ListTicketTagsQuery, options?: Options): Promise<api.TicketTags>

  /**
   * Update several tickets
   *
   * Closes, reopens, assigns, passes to a team, snoozes, tags or prioritizes up to 500 tickets. Tickets that cannot change are listed in `failed`; the others change.
   *
   * Required scope: `inbox:write`.
   */
  updateTickets(body: api.BulkTicketChanges, options?: Options): Promise<api.BulkTicketResult>

  /**
   * Get a ticket
   *
   * Required scope: `inbox:read`.
   */
  getTicket(inbox_id: string, options?: Options): Promise<api.TicketWithContact>

  /**
   * Update a ticket
   *
   * Use it to close, reopen, assign, pass to a team, snooze, tag or prioritize the ticket. A closed ticket cannot be snoozed (409).
   *
   * Required scope: `inbox:write`.
   */
  updateTicket(inbox_id: string, body: api.TicketChanges, options?: Options): Promise<api.Ticket>

  /**
   * Mark a ticket’s messages as seen
   *
   * The contact sees it too, once the platform has been notified.
   *
   * Required scope: `inbox:write`.
   */
  readTicket(inbox_id: string, options?: Options): Promise<api.Ticket>

  /**
   * Say that you are viewing a ticket or typing
   *
   * Other members receive the hint `presence.changed` in event streams opened with `hints=true`. It is not stored: repeat the request every ten seconds, and forget members who have not repeated it for 25 seconds.
   *
   * Required scope: `inbox:read`.
   */
  announcePresence(inbox_id: string, body: api.Presence, options?: Options): Promise<api.Presence>

  /**
   * List a ticket’s messages
   *
   * Oldest first by default.
   *
   * Required scope: `inbox:read`.
   */
  listMessages(inbox_id: string, query?: api.ListMessagesQuery, options?: Options): List<api.Message, {
    /** Total number of records */
    total: number
    /** Page number, starting at 1 */
    page: number
    /** Number of records returned */
    size: number
    messages: api.Message[]
  }>

  /**
   * Send a message
   *
   * Sends a free-form message, which the platform accepts within 24 hours of the contact’s last message. After that it accepts only templates (409), which you send with `template_id`. Send a file as a form, or have it fetched from `media_url`. A message that the platform refuses is stored as `failed`; the 502 has its `message_id`. A reply by a person takes the contact over from the AI.
   *
   * Required scope: `inbox:write`.
   */
  sendMessage(inbox_id: string, body: api.NewMessage | api.NewMessageForm, options?: Options): Promise<api.Message>

  /**
   * React to a message
   *
   * Required scope: `inbox:write`.
   */
  reactToMessage(inbox_id: string, message_id: string, body: api.Reaction, options?: Options): Promise<api.Message>

  /**
   * Download a file
   *
   * Supports `Range`. A file that is still being fetched from the platform returns 409, a file that the platform has lost 404.
   *
   * Required scope: `inbox:read`.
   */
  getMedia(media_id: string, options?: Options): Promise<Response>

  /**
   * List a ticket’s notes
   *
   * Oldest first. Notes are for members: they are not among the messages and are never sent.
   *
   * Required scope: `inbox:read`.
   */
  listNotes(inbox_id: string, query?: api.ListNotesQuery, options?: Options): List<api.Note, {
    /** Total number of records */
    total: number
    /** Page number, starting at 1 */
    page: number
    /** Number of records returned */
    size: number
    notes: api.Note[]
  }>

  /**
   * Add a note
   *
   * Adds a note for members to the ticket, and a `note_added` activity to the contact’s timeline. The event `note.created` names the mentioned members.
   *
   * Required scope: `inbox:write`.
   */
  createNote(inbox_id: string, body: api.NewNote, options?: Options): Promise<api.Note>

  /**
   * Get a note
   *
   * Required scope: `inbox:read`.
   */
  getNote(inbox_id: string, note_id: string, options?: Options): Promise<api.Note>

  /**
   * Edit a note
   *
   * Only its author can. The contact’s timeline shows the new text.
   *
   * Required scope: `inbox:write`.
   */
  updateNote(inbox_id: string, note_id: string, body: api.NoteChanges, options?: Options): Promise<api.Note>

  /**
   * Delete a note
   *
   * Only its author can. It disappears from the contact’s timeline too.
   *
   * Required scope: `inbox:write`.
   */
  deleteNote(inbox_id: string, note_id: string, options?: Options): Promise<api.Deleted>

  /**
   * List saved views
   *
   * Shared ones and your own, by position. Use the `filters` of a view as parameters of the ticket list.
   *
   * Required scope: `inbox:read`.
   */
  listViews(options?: Options): Promise<{
    data: api.InboxView[]
  }>

  /**
   * Save a view
   *
   * Required scope: `inbox:write`.
   */
  createView(body: api.NewInboxView, options?: Options): Promise<api.InboxView>

  /**
   * Get a saved view
   *
   * Required scope: `inbox:read`.
   */
  getView(view_id: string, options?: Options): Promise<api.InboxView>

  /**
   * Update a saved view
   *
   * A view that stops being shared becomes yours.
   *
   * Required scope: `inbox:write`.
   */
  updateView(view_id: string, body: api.InboxViewChanges, options?: Options): Promise<api.InboxView>

  /**
   * Delete a saved view
   *
   * Required scope: `inbox:write`.
   */
  deleteView(view_id: string, options?: Options): Promise<api.Deleted>

  /**
   * Schedule a message
   *
   * Sends a message later. The message is created when it is sent. If the contact has not written within 24 hours by then, only a template can be sent: the scheduled message is then `failed`, and a `scheduled_message.failed` event says why.
   *
   * Required scope: `inbox:write`.
   */
  scheduleMessage(inbox_id: string, body: api.NewScheduledMessage, options?: Options): Promise<api.ScheduledMessage>

  /**
   * List a ticket’s scheduled messages
   *
   * Newest first, with those that were sent, cancelled or failed.
   *
   * Required scope: `inbox:read`.
   */
  listScheduledMessages(inbox_id: string, query?: api.ListScheduledMessagesQuery, options?: Options): List<api.ScheduledMessage, CursorPage<api.ScheduledMessage>>

  /**
   * Get a scheduled message
   *
   * Required scope: `inbox:read`.
   */
  getScheduledMessage(scheduled_message_id: string, options?: Options): Promise<api.ScheduledMessage>

  /**
   * Update a scheduled message
   *
   * Changes its text or its time while it is not sent.
   *
   * Required scope: `inbox:write`.
   */
  updateScheduledMessage(scheduled_message_id: string, body: api.ScheduledMessageChanges, options?: Options): Promise<api.ScheduledMessage>

  /**
   * Cancel a scheduled message
   *
   * Also discards one that failed. A message that is already being sent answers 409.
   *
   * Required scope: `inbox:write`.
   */
  cancelScheduledMessage(scheduled_message_id: string, options?: Options): Promise<api.ScheduledMessage>

  /**
   * Retry a scheduled message
   *
   * Sends one that failed at once. Its status is then `scheduled` until it is sent or fails again.
   *
   * Required scope: `inbox:write`.
   */
  retryScheduledMessage(scheduled_message_id: string, options?: Options): Promise<api.ScheduledMessage>

  /**
   * List rated answers
   *
   * Answers of agents that members rated, newest first.
   *
   * Required scope: `inbox:read`.
   */
  listRatedMessages(query?: api.ListRatedMessagesQuery, options?: Options): List<api.Message, CursorPage<api.Message>>

  /**
   * Rate an agent’s answer
   *
   * Replaces the rating that the message has. 409 for a message that no agent wrote.
   *
   * Required scope: `inbox:write`.
   */
  rateMessage(inbox_id: string, message_id: string, body: api.NewFeedback, options?: Options): Promise<api.Message>

  /**
   * Remove the rating of an answer
   *
   * Required scope: `inbox:write`.
   */
  removeMessageRating(inbox_id: string, message_id: string, options?: Options): Promise<api.Message>

  /**
   * Take a ticket
   *
   * Assigns the ticket to you. If another member has it, the response is 409 with their name and id: of several members who take a ticket at once, one gets it.
   *
   * Required scope: `inbox:write`.
   */
  takeTicket(inbox_id: string, options?: Options): Promise<api.Ticket>

  /**
   * Pass a ticket to a team
   *
   * The assignee is removed; with automatic assignment a member of the new team follows.
   *
   * Required scope: `inbox:write`.
   */
  setTicketTeam(inbox_id: string, body: api.TeamOfTicket, options?: Options): Promise<api.Ticket>

  /**
   * List the assignments of a ticket
   *
   * Every change of its team or assignee, newest first, with the reason.
   *
   * Required scope: `inbox:read`.
   */
  listTicketAssignments(inbox_id: string, query?: api.ListTicketAssignmentsQuery, options?: Options): List<api.TicketAssignment, CursorPage<api.TicketAssignment>>

  /**
   * List the analyses of tickets
   *
   * Summaries and results of closed tickets, newest ticket first.
   *
   * Required scope: `inbox:read`.
   */
  listTicketAnalyses(query?: api.ListTicketAnalysesQuery, options?: Options): List<api.TicketAnalysis, CursorPage<api.TicketAnalysis>>

  /**
   * Get the analysis of a ticket
   *
   * The analysis of a closed ticket whose channel has an active agent: available a moment after closing, and updated when the ticket is closed again after further messages. 404 until then.
   *
   * Required scope: `inbox:read`.
   */
  getTicketAnalysis(inbox_id: string, options?: Options): Promise<api.TicketAnalysis>

  /**
   * Draft a reply, a summary or a translation
   *
   * Writes a text for a member to check. Nothing is sent, and no message or note is created. A reply uses the instructions, the model and the knowledge base of the agent on the ticket’s channel, or of the oldest active agent with a model, and calls no tools. In test mode no hosted model is called: a reply quotes the knowledge base, a summary quotes the messages, and a translation is the text itself, marked with the language.
   *
   * Required scope: `inbox:write`.
   */
  createDraft(inbox_id: string, body: api.NewDraft, options?: Options): Promise<api.Draft>
}

export interface Templates {
  /**
   * Send a template to yourself
   *
   * Sends an approved template to the number of a contact, to see it on a phone. It is a message of the contact’s conversation, counts in no campaign, and leaves the AI in charge. A number that no contact has is refused with 400 and the `code` `no_contact`.
   *
   * Required scope: `campaigns:manage`.
   */
  test(template_id: string, body: api.TestSend, options?: Options): Promise<api.Message>

  /**
   * List templates
   *
   * Newest first.
   *
   * Required scope: `campaigns:manage` or `campaigns:read`.
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
   * Stored at once and registered with the platform in the background; `status` shows the platform’s verdict. `warnings` lists platform rules that the template seems to break. A name can be used once per language in a business account.
   *
   * Required scope: `campaigns:manage`.
   */
  create(body: api.NewTemplate, options?: Options): Promise<api.CreatedTemplate>

  /**
   * Validate a template
   *
   * Accepts the same body as creating a template, stores nothing and calls no platform. Returns platform rules that the template seems to break, and whether its name is taken.
   *
   * Required scope: `campaigns:manage`.
   */
  preflight(body: api.NewTemplate, options?: Options): Promise<api.TemplatePreflight>

  /**
   * Upload a file for headers
   *
   * Stores a picture, video or PDF and uploads it to the platform as a sample. The `handle` goes into the header of a new template, the `id` into `template_variables` of its messages. The file is kept until you delete it, until the last template with its `handle` is deleted, or until the retention of media has passed and neither a template nor an unfinished campaign uses it. An upload to the platform that breaks off is resumed; if that fails too, the response is 502 and nothing is stored.
   *
   * Required scope: `campaigns:manage`.
   */
  uploadMedia(body: api.TemplateMediaForm, options?: Options): Promise<api.TemplateMedia>

  /**
   * List files for headers
   *
   * Newest first.
   *
   * Required scope: `campaigns:manage` or `campaigns:read`.
   */
  listMedia(query?: api.ListTemplateMediaQuery, options?: Options): List<api.TemplateMedia, CursorPage<api.TemplateMedia>>

  /**
   * Delete a file for headers
   *
   * Messages can no longer send the file. Templates that used it as a sample do not change. 409 while an unfinished campaign sends it.
   *
   * Required scope: `campaigns:manage`.
   */
  deleteMedia(media_id: string, options?: Options): Promise<api.Deleted>

  /**
   * Download a file for headers
   *
   * Supports `Range`.
   *
   * Required scope: `campaigns:manage` or `campaigns:read`.
   */
  downloadMedia(media_id: string, options?: Options): Promise<Response>

  /**
   * List library templates
   *
   * Required scope: `campaigns:manage` or `campaigns:read`.
   */
  listLibrary(query?: api.ListTemplateLibraryQuery, options?: Options): Promise<{
    items: api.LibraryTemplate[]
  }>

  /**
   * Create a template from the library
   *
   * The platform creates the template at once, mostly without a review. Returns the platform’s response, and stores the template. If a 502 leaves open whether the platform created it, a sync within two minutes shows it.
   *
   * Required scope: `campaigns:manage`.
   */
  createFromLibrary(template_id: string, body: api.LibraryChoice, options: OptionsWithQuery<api.CreateTemplateFromLibraryQuery>): Promise<api.LibraryReply>

  /**
   * Sync templates
   *
   * Also runs every 15 minutes and when the platform reports a change. Without `channel_id` every business account is read. An account that cannot be read is listed in `failures`; the response is 502 only if none can be read.
   *
   * Required scope: `campaigns:manage`.
   */
  sync(body?: api.SyncChoice, options?: Options): Promise<api.SyncReport>

  /**
   * Get a template
   *
   * Required scope: `campaigns:manage` or `campaigns:read`.
   */
  get(template_id: string, options?: Options): Promise<api.Template>

  /**
   * Delete a template
   *
   * Deletes the template at the platform first, in this language only, then in Frontdesk. If the platform refuses or cannot be reached, the response is 502 and the template stays. If the platform no longer has the template, it is deleted in Frontdesk.
   *
   * Required scope: `campaigns:manage`.
   */
  delete(template_id: string, query?: api.DeleteTemplateQuery, options?: Options): Promise<api.Deleted>
}

export interface SavedReplies {
  /**
   * List saved replies
   *
   * Shared ones and your own, newest first.
   *
   * Required scope: `inbox:read`.
   */
  list(query?: api.ListSavedRepliesQuery, options?: Options): List<api.SavedReply, CursorPage<api.SavedReply>>

  /**
   * Create a saved reply
   *
   * A name is unique among the shared ones, and among your private ones (409).
   *
   * Required scope: `inbox:write`.
   */
  create(body: api.NewSavedReply, options?: Options): Promise<api.SavedReply>

  /**
   * Get a saved reply
   *
   * Required scope: `inbox:read`.
   */
  get(saved_reply_id: string, options?: Options): Promise<api.SavedReply>

  /**
   * Update a saved reply
   *
   * A reply that stops being shared becomes yours.
   *
   * Required scope: `inbox:write`.
   */
  update(saved_reply_id: string, body: api.SavedReplyChanges, options?: Options): Promise<api.SavedReply>

  /**
   * Delete a saved reply
   *
   * Required scope: `inbox:write`.
   */
  delete(saved_reply_id: string, options?: Options): Promise<api.Deleted>

  /**
   * Add an attachment
   *
   * Up to 10 files (409 above). The same files are accepted as in messages. Each is sent as a separate message.
   *
   * Required scope: `inbox:write`.
   */
  addAttachment(saved_reply_id: string, body: api.AttachmentForm, options?: Options): Promise<api.SavedReply>

  /**
   * Download an attachment
   *
   * Supports `Range`.
   *
   * Required scope: `inbox:read`.
   */
  downloadAttachment(saved_reply_id: string, attachment_id: string, options?: Options): Promise<Response>

  /**
   * Remove an attachment
   *
   * Required scope: `inbox:write`.
   */
  removeAttachment(saved_reply_id: string, attachment_id: string, options?: Options): Promise<api.SavedReply>

  /**
   * Replace the first attachment
   *
   * For saved replies with one file: adds it, or replaces the first. The same files are accepted as in messages.
   *
   * Required scope: `inbox:write`.
   */
  putAttachment(saved_reply_id: string, body: api.AttachmentForm, options?: Options): Promise<api.SavedReply>

  /**
   * Download the first attachment
   *
   * Supports `Range`.
   *
   * Required scope: `inbox:read`.
   */
  getAttachment(saved_reply_id: string, options?: Options): Promise<Response>

  /**
   * Remove the first attachment
   *
   * Required scope: `inbox:write`.
   */
  deleteAttachment(saved_reply_id: string, options?: Options): Promise<api.SavedReply>
}

export interface Teams {
  /**
   * List teams
   *
   * Required scope: `inbox:read`.
   */
  list(query?: api.ListTeamsQuery, options?: Options): List<api.Team, CursorPage<api.Team>>

  /**
   * Create a team
   *
   * Teams apply to both modes, so test keys cannot change them.
   *
   * Required scope: `full_access` or `members:manage`.
   */
  create(body: api.NewTeam, options?: Options): Promise<api.Team>

  /**
   * Get a team
   *
   * Required scope: `inbox:read`.
   */
  get(team_id: string, options?: Options): Promise<api.Team>

  /**
   * Update a team
   *
   * `member_ids` replaces the members. Open tickets of the team that a removed member was assigned to are assigned again.
   *
   * Required scope: `full_access` or `members:manage`.
   */
  update(team_id: string, body: api.TeamChanges, options?: Options): Promise<api.Team>

  /**
   * Delete a team
   *
   * A team that an assignment rule, an SLA policy or another team refers to cannot be deleted.
   *
   * Required scope: `full_access` or `members:manage`.
   */
  delete(team_id: string, options?: Options): Promise<api.Deleted>
}

export interface Availability {
  /**
   * List the availability of members
   *
   * A member who has set nothing is online.
   *
   * Required scope: `inbox:read`.
   */
  list(query?: api.ListAvailabilityQuery, options?: Options): List<api.Availability, CursorPage<api.Availability>>

  /**
   * Change the availability of a member
   *
   * You can change your own status. The status of others, and every capacity, requires full access or `members:manage`. It applies to both modes.
   *
   * Required scope: `inbox:write`.
   */
  update(member_id: string, body: api.AvailabilityChanges, options?: Options): Promise<api.Availability>
}

export interface AssignmentRules {
  /**
   * List assignment rules
   *
   * One for each channel that has a team or an away message.
   *
   * Required scope: `inbox:read`.
   */
  list(query?: api.ListAssignmentRulesQuery, options?: Options): List<api.AssignmentRule, CursorPage<api.AssignmentRule>>

  /**
   * Get the assignment rule of a channel
   *
   * Required scope: `inbox:read`.
   */
  get(channel_id: string, options?: Options): Promise<api.AssignmentRule>

  /**
   * Set the assignment rule of a channel
   *
   * Adds the rule, or changes the fields that you send.
   *
   * Required scope: `full_access` or `members:manage`.
   */
  put(channel_id: string, body: api.AssignmentRuleInput, options?: Options): Promise<api.AssignmentRule>

  /**
   * Delete the assignment rule of a channel
   *
   * Required scope: `full_access` or `members:manage`.
   */
  delete(channel_id: string, options?: Options): Promise<api.Deleted>
}

export interface SlaPolicies {
  /**
   * List SLA policies
   *
   * Required scope: `inbox:read`.
   */
  list(query?: api.ListSlaPoliciesQuery, options?: Options): List<api.SlaPolicy, CursorPage<api.SlaPolicy>>

  /**
   * Create an SLA policy
   *
   * A ticket follows one policy: the one for its team and priority, else for its priority, else for its team, else the one for every ticket. A change also moves the due times of open tickets, within seconds. Policies apply to both modes, so test keys cannot change them.
   *
   * Required scope: `full_access` or `members:manage`.
   */
  create(body: api.NewSlaPolicy, options?: Options): Promise<api.SlaPolicy>

  /**
   * Get an SLA policy
   *
   * Required scope: `inbox:read`.
   */
  get(policy_id: string, options?: Options): Promise<api.SlaPolicy>

  /**
   * Update an SLA policy
   *
   * Required scope: `full_access` or `members:manage`.
   */
  update(policy_id: string, body: api.SlaPolicyChanges, options?: Options): Promise<api.SlaPolicy>

  /**
   * Delete an SLA policy
   *
   * Required scope: `full_access` or `members:manage`.
   */
  delete(policy_id: string, options?: Options): Promise<api.Deleted>
}

export interface Notifications {
  /**
   * List your notifications
   *
   * Newest first. While you have not read a notification, the next one of the same kind and ticket replaces it. Kept for 30 days.
   *
   * Required scope: `inbox:read`.
   */
  list(query?: api.ListNotificationsQuery, options?: Options): List<api.NotificationPage['data'][number], api.NotificationPage>

  /**
   * Mark your notifications as read
   *
   * All of them, or those about one ticket.
   *
   * Required scope: `inbox:read`.
   */
  read(body: api.ReadNotifications, options?: Options): Promise<api.UnreadCount>

  /**
   * Mark a notification as read
   *
   * Required scope: `inbox:read`.
   */
  readNotification(notification_id: string, options?: Options): Promise<api.Notification>

  /**
   * Claim to show a notification
   *
   * For an app that the member is using. The first one to call this alerts the member; no other device does, and nothing is pushed. One that was read or replaced meanwhile needs no alert. Call it within five seconds of the hint `notification.created` of the event stream. An app that is open but not in use waits two seconds and then calls it with `in_use=false`.
   *
   * Required scope: `inbox:read`.
   */
  show(notification_id: string, query?: api.ShowNotificationQuery, options?: Options): Promise<api.NotificationShown>

  /**
   * Get your notification preferences
   *
   * Required scope: `inbox:read`.
   */
  getPreferences(options?: Options): Promise<api.NotificationPreferences>

  /**
   * Update your notification preferences
   *
   * Of this organization, for both modes. Changes only the fields that you send.
   *
   * Required scope: `inbox:read`.
   */
  updatePreferences(body: api.NotificationPreferenceChanges, options?: Options): Promise<api.NotificationPreferences>

  /**
   * Receive push notifications in this browser
   *
   * Notifications of live mode that no app in use has shown are pushed to the browser, encrypted, until the session ends. Of all your organizations.
   *
   * Required scope: `inbox:read`.
   */
  createPushSubscription(body: api.NewPushSubscription, options?: Options): Promise<api.PushSubscription>

  /**
   * Stop push notifications in a browser
   *
   * Required scope: `inbox:read`.
   */
  deletePushSubscription(subscription_id: string, options?: Options): Promise<api.Deleted>
}

export interface Campaigns {
  /**
   * List campaigns
   *
   * Required scope: `campaigns:manage` or `campaigns:read`.
   */
  list(query?: api.ListCampaignsQuery, options?: Options): List<api.Campaign, CursorPage<api.Campaign>>

  /**
   * Create a campaign
   *
   * Sends a template to all contacts in the audience, now or at `scheduled_at`. Recipients are frozen when sending starts, up to 10,000 of them before this request returns. Marketing is not sent to contacts who have opted out.
   *
   * Required scope: `campaigns:manage`.
   *
   * Limited to 60 requests per minute.
   */
  create(body: api.NewCampaign, options?: Options): Promise<api.Campaign>

  /**
   * Preview a campaign
   *
   * Accepts the same body as creating a campaign and writes nothing.
   *
   * Required scope: `campaigns:manage`.
   */
  preflight(body: api.NewCampaign, options?: Options): Promise<api.CampaignPreflight>

  /**
   * Get a campaign
   *
   * Required scope: `campaigns:manage` or `campaigns:read`.
   */
  get(campaign_id: string, options?: Options): Promise<api.Campaign>

  /**
   * Update a scheduled campaign
   *
   * Changes only the fields that you send, while the campaign is scheduled. Without `scheduled_at`, or with a past one, it starts.
   *
   * Required scope: `campaigns:manage`.
   */
  update(campaign_id: string, body: api.CampaignChanges, options?: Options): Promise<api.Campaign>

  /**
   * Delete a campaign
   *
   * Stops it first. Deletes its deliveries too; messages that were sent stay with their contacts.
   *
   * Required scope: `campaigns:manage`.
   */
  delete(campaign_id: string, options?: Options): Promise<api.Deleted>

  /**
   * Pause a campaign
   *
   * Messages in flight still arrive; nothing else is sent until you resume it.
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
   * Final. Messages that were not sent stay pending and are never sent.
   *
   * Required scope: `campaigns:manage`.
   */
  cancel(campaign_id: string, options?: Options): Promise<api.Campaign>

  /**
   * Retry deliveries
   *
   * Retries deliveries that `failed`, or those with the status `unknown`. An unknown message may already have been sent, so the contact may get it twice; that is why the service never retries it by itself. Missing variables are filled from the contacts’ current data.
   *
   * Required scope: `campaigns:manage`.
   */
  retry(campaign_id: string, body: api.CampaignRetry, options?: Options): Promise<api.RetriedCampaign>

  /**
   * List a campaign’s deliveries
   *
   * One per recipient, with its status and, if it failed, the reason.
   *
   * Required scope: `campaigns:manage` or `campaigns:read`.
   */
  listDeliveries(campaign_id: string, query?: api.ListDeliveriesQuery, options?: Options): List<api.Delivery, CursorPage<api.Delivery>>

  /**
   * Get a campaign report
   *
   * The data of the PDF report: the message, sends over time, and failures by reason with the recommended action. The counts are in the campaign itself.
   *
   * Required scope: `campaigns:manage` or `campaigns:read`.
   */
  getReport(campaign_id: string, query?: api.GetCampaignReportQuery, options?: Options): Promise<api.CampaignReport>

  /**
   * Get a campaign report as PDF
   *
   * One or two pages to share: audience, template as the customer sees it, messages sent, delivered and read, timing, and the recommended action for each failure reason. All figures are from one point in time, which the report states.
   *
   * Required scope: `campaigns:manage` or `campaigns:read`.
   */
  exportPdf(campaign_id: string, query?: api.ExportCampaignPdfQuery, options?: Options): Promise<Response>

  /**
   * Export a campaign’s deliveries as CSV
   *
   * One row per delivery, all from one point in time, with the reason of each failure in words. Cells that a spreadsheet would read as a formula start with an apostrophe; phone numbers stay as they are.
   *
   * Required scope: `campaigns:manage` or `campaigns:read`.
   */
  exportCsv(campaign_id: string, options?: Options): Promise<Response>
}

export interface Knowledge {
  /**
   * Upload a document
   *
   * Returns as soon as the file is uploaded, with `status` `processing`; reading, splitting and indexing follow in the background. The same bytes under the same name return the existing document with 200; a failed document is then processed again.
   *
   * Required scope: `knowledge:write`.
   *
   * Limited to 60 requests per minute.
   */
  uploadDocument(body: api.UploadDocumentForm, options?: Options): Promise<api.Document>

  /**
   * List documents
   *
   * Returns all documents, newest first, among them web pages and FAQs.
   *
   * Required scope: `knowledge:read`.
   */
  listDocuments(options?: Options): Promise<api.DocumentList>

  /**
   * Search documents
   *
   * Finds the passages that best answer a question: by keywords (BM25, in the language of each document), by meaning (vectors), or by both.
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
   * Deletes its file, chunks and vectors too, even while it is being processed.
   *
   * Required scope: `knowledge:write`.
   */
  deleteDocument(document_id: string, options?: Options): Promise<api.Deleted>

  /**
   * Download a document
   *
   * Returns the original bytes under the original name; of a web page or an FAQ its text. Supports `Range`.
   *
   * Required scope: `knowledge:read`.
   */
  downloadDocument(document_id: string, options?: Options): Promise<Response>

  /**
   * Promote a document to live mode
   *
   * Copies a ready document from test mode. Use a live credential and the id of the test document. The copy has its own id and is ready at once; if live mode already has the same bytes under the same name, that document is returned with 200.
   *
   * Required scope: `knowledge:write`.
   */
  promoteDocument(document_id: string, options?: Options): Promise<api.Document>

  /**
   * Add a source of knowledge
   *
   * Send a form with a file of any supported kind, or JSON for web pages and FAQs. Returns at once; reading and indexing follow in the background. The same bytes under the same name return the existing document with 200. A question or an address that was added before is 409.
   *
   * Required scope: `knowledge:write`.
   *
   * Limited to 60 requests per minute.
   */
  addSource(body: api.AddSourceBody | api.AddSourceForm, options?: Options): Promise<api.AddedSource>

  /**
   * Replace the file of a document
   *
   * The document keeps its id. Searches find the old version until the new one is ready; `replacement` shows how that goes. If the new file cannot be read, the old version stays and `replacement.error` says why. A second replacement takes the place of the first. FAQs and web pages cannot be replaced (409).
   *
   * Required scope: `knowledge:write`.
   *
   * Limited to 60 requests per minute.
   */
  replaceDocument(document_id: string, body: api.ReplaceDocumentForm, options?: Options): Promise<api.Document>

  /**
   * List collections
   *
   * Newest first.
   *
   * Required scope: `knowledge:read`.
   */
  listCollections(query?: api.ListCollectionsQuery, options?: Options): List<api.Collection, CursorPage<api.Collection>>

  /**
   * Create a collection
   *
   * Names are unique; case is ignored (409). An unknown document returns 404.
   *
   * Required scope: `knowledge:write`.
   */
  createCollection(body: api.NewCollection, options?: Options): Promise<api.Collection>

  /**
   * Get a collection
   *
   * Required scope: `knowledge:read`.
   */
  getCollection(collection_id: string, options?: Options): Promise<api.Collection>

  /**
   * Update a collection
   *
   * Required scope: `knowledge:write`.
   */
  updateCollection(collection_id: string, body: api.CollectionChanges, options?: Options): Promise<api.Collection>

  /**
   * Delete a collection
   *
   * Its documents stay. Agents that name it skip it.
   *
   * Required scope: `knowledge:write`.
   */
  deleteCollection(collection_id: string, options?: Options): Promise<api.Deleted>

  /**
   * Add a document to a collection
   *
   * A document may be in several collections. Nothing changes if it is in this one already.
   *
   * Required scope: `knowledge:write`.
   */
  addDocumentToCollection(collection_id: string, document_id: string, options?: Options): Promise<api.Collection>

  /**
   * Remove a document from a collection
   *
   * The document itself stays. Nothing changes if it is not in the collection.
   *
   * Required scope: `knowledge:write`.
   */
  removeDocumentFromCollection(collection_id: string, document_id: string, options?: Options): Promise<api.Collection>

  /**
   * List knowledge gaps
   *
   * Questions that agents could not answer or handed off, in groups of one meaning, newest group first. A question appears a moment after it was asked.
   *
   * Required scope: `knowledge:read`.
   */
  listGaps(query?: api.ListKnowledgeGapsQuery, options?: Options): List<api.KnowledgeGap, CursorPage<api.KnowledgeGap>>

  /**
   * Get a knowledge gap
   *
   * Required scope: `knowledge:read`.
   */
  getGap(gap_id: string, options?: Options): Promise<api.KnowledgeGap>

  /**
   * Answer a knowledge gap
   *
   * Creates an FAQ entry with the answer, which agents use as soon as it is indexed. For a reopened gap, replaces the answer of its entry and adds `variants`. 409 if the gap is already answered, or another FAQ has the question.
   *
   * Required scope: `knowledge:write`.
   */
  answerGap(gap_id: string, body: api.KnowledgeGapAnswer, options?: Options): Promise<api.KnowledgeGap>

  /**
   * Dismiss a knowledge gap
   *
   * For questions that need no answer. Later ones with the same meaning join it.
   *
   * Required scope: `knowledge:write`.
   */
  dismissGap(gap_id: string, options?: Options): Promise<api.KnowledgeGap>

  /**
   * Reopen a knowledge gap
   *
   * Its FAQ entry, if it has one, stays.
   *
   * Required scope: `knowledge:write`.
   */
  reopenGap(gap_id: string, options?: Options): Promise<api.KnowledgeGap>
}

export interface Websites {
  /**
   * List websites
   *
   * Sites, sitemaps and single pages, newest first.
   *
   * Required scope: `knowledge:read`.
   */
  list(query?: api.ListWebsitesQuery, options?: Options): List<api.WebsitePage['data'][number], api.WebsitePage>

  /**
   * Get a website
   *
   * With the progress of its crawl.
   *
   * Required scope: `knowledge:read`.
   */
  get(website_id: string, options?: Options): Promise<api.Website>

  /**
   * Update a website
   *
   * Applies from the next crawl on. A new schedule counts from now.
   *
   * Required scope: `knowledge:write`.
   */
  update(website_id: string, body: api.UpdateWebsiteBody, options?: Options): Promise<api.Website>

  /**
   * Delete a website
   *
   * Deletes the documents of its pages too, even during a crawl.
   *
   * Required scope: `knowledge:write`.
   */
  delete(website_id: string, options?: Options): Promise<api.Deleted>

  /**
   * List pages of a website
   *
   * Each page with its document, or with the reason why it has none. Newest first.
   *
   * Required scope: `knowledge:read`.
   */
  listPages(website_id: string, query?: api.ListWebsitePagesQuery, options?: Options): List<api.CrawledPages['data'][number], api.CrawledPages>

  /**
   * Crawl a website now
   *
   * Returns at once. 409 while a crawl is running.
   *
   * Required scope: `knowledge:write`.
   */
  crawl(website_id: string, options?: Options): Promise<api.Website>

  /**
   * Stop the crawl of a website
   *
   * Pages that were read stay. 409 if no crawl is running.
   *
   * Required scope: `knowledge:write`.
   */
  stopCrawl(website_id: string, options?: Options): Promise<api.Website>
}

export interface Faqs {
  /**
   * List FAQs
   *
   * Newest first.
   *
   * Required scope: `knowledge:read`.
   */
  list(query?: api.ListFaqsQuery, options?: Options): List<api.FaqPage['data'][number], api.FaqPage>

  /**
   * Create an FAQ
   *
   * Searches find it as soon as it is `ready`, a moment later. A question that already exists returns 409.
   *
   * Required scope: `knowledge:write`.
   */
  create(body: api.CreateFaqBody, options?: Options): Promise<api.Faq>

  /**
   * Import FAQs from a CSV file
   *
   * Adds new questions and changes the answers of those that exist, up to 1,000 rows at a time. Imports all rows or none. Each error names its row and column.
   *
   * Required scope: `knowledge:write`.
   */
  import(body: api.ImportFaqsForm, options?: Options): Promise<api.FaqImport>

  /**
   * Export FAQs as CSV
   *
   * Oldest first. You can import the file again.
   *
   * Required scope: `knowledge:read`.
   */
  export(options?: Options): Promise<Response>

  /**
   * Get an FAQ
   *
   * Required scope: `knowledge:read`.
   */
  get(faq_id: string, options?: Options): Promise<api.Faq>

  /**
   * Update an FAQ
   *
   * Searches find the previous text until the new one is ready, a moment later.
   *
   * Required scope: `knowledge:write`.
   */
  update(faq_id: string, body: api.UpdateFaqBody, options?: Options): Promise<api.Faq>

  /**
   * Delete an FAQ
   *
   * Required scope: `knowledge:write`.
   */
  delete(faq_id: string, options?: Options): Promise<api.Deleted>
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
   * From now on, events of this mode are posted to `url`, signed according to Standard Webhooks, at least once each and in no particular order. The response is the only place where the `secret` appears. A webhook receives only events that the credential creating it may read with `GET /events`: a type it may not read is refused with 403 and the missing scope; a pattern expands to the readable types, which the response lists.
   *
   * Required scope: `webhooks:admin`.
   *
   * A replay by `Idempotency-Key` has null in place of `secret`.
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
   * A disabled webhook receives nothing. Pending deliveries continue when it is enabled again; use `recover` for events that happened in between. New `events` are checked against the scopes of the credential that sends them, as on create. To change only the `url`, the credential must be able to read every type that the webhook receives, otherwise the response is 403.
   *
   * Required scope: `webhooks:admin`.
   */
  update(webhook_id: string, body: api.WebhookChanges, options?: Options): Promise<api.Webhook>

  /**
   * Delete a webhook
   *
   * Deletes its delivery log too. A delivery in flight may still arrive.
   *
   * Required scope: `webhooks:admin`.
   */
  delete(webhook_id: string, options?: Options): Promise<api.Deleted>

  /**
   * Rotate a webhook secret
   *
   * For `overlap_seconds` deliveries have two signatures, one with each secret, then only the new one. The response is the only place where the new `secret` appears.
   *
   * Required scope: `webhooks:admin`.
   *
   * A replay by `Idempotency-Key` has null in place of `secret`.
   */
  rotateSecret(webhook_id: string, body?: api.SecretRotation, options?: Options): Promise<api.WebhookWithSecret>

  /**
   * Send a ping
   *
   * Sends a `ping`, whatever event types the webhook has. The delivery in the response is pending; list the deliveries to see its outcome.
   *
   * Required scope: `webhooks:admin`.
   */
  test(webhook_id: string, options?: Options): Promise<api.WebhookDelivery>

  /**
   * List deliveries
   *
   * Requests and responses, for as long as events are kept. Bodies are omitted (`request.body` is null) if the credential may not read events of that type.
   *
   * Required scope: `webhooks:admin`.
   */
  listDeliveries(webhook_id: string, query?: api.ListWebhookDeliveriesQuery, options?: Options): List<api.WebhookDelivery, CursorPage<api.WebhookDelivery>>

  /**
   * Retry a delivery
   *
   * Sends the event now, whatever the status of the delivery, with the full retry schedule if it fails. 409 if the webhook may not receive events of that type.
   *
   * Required scope: `webhooks:admin`.
   */
  retryDelivery(webhook_id: string, delivery_id: string, options?: Options): Promise<api.WebhookDelivery>

  /**
   * Recover missed events
   *
   * Sends events since the given time that match the webhook and either failed or were never sent to it because it was disabled or did not exist yet.
   *
   * Required scope: `webhooks:admin`.
   */
  recover(webhook_id: string, body: api.Recovery, options?: Options): Promise<api.RecoveryBegun>
}

export interface ProviderKeys {
  /**
   * List provider keys
   *
   * Whose key live mode uses for each provider of models, speech and embeddings. Keys are never shown, only their last four characters.
   *
   * Required scope: `full_access`.
   */
  list(options?: Options): Promise<api.ProviderKeyList>

  /**
   * Set a provider key
   *
   * Sets or replaces the organization’s own key. All live requests to the provider use it at once, and its account pays for them. Test keys cannot change provider keys.
   *
   * Required scope: `full_access`.
   */
  set(provider: string, body: api.NewProviderKey, options?: Options): Promise<api.ProviderKey>

  /**
   * Delete a provider key
   *
   * Live mode uses the installation’s key again, if there is one.
   *
   * Required scope: `full_access`.
   */
  delete(provider: string, options?: Options): Promise<api.Deleted>

  /**
   * Test a provider key
   *
   * Asks the provider whether it accepts the organization’s own key, with a request that costs nothing. 404 without an own key.
   *
   * Required scope: `full_access`.
   *
   * Limited to 20 requests per minute.
   */
  test(provider: string, options?: Options): Promise<api.ProviderKeyTest>
}

export interface Agents {
  /**
   * Create an agent
   *
   * Fields that `agent_config` omits get their defaults. Header values are stored encrypted and shown masked. Addresses of tools and MCP servers must not lead into this service’s own network.
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
   * Changes only the fields that you send, even within `agent_config`, its `transcriber`, `call_settings`, `knowledge` and `business_hours`. `tools`, `mcp_servers` and `rules` are replaced as a whole; `null` resets a field to its default. A masked header value that you send back stays unchanged, as long as the address stays on the same server. Every change creates a new version.
   *
   * Required scope: `agents:write`.
   */
  update(agent_id: string, body: api.AgentChanges, options?: Options): Promise<api.Agent>

  /**
   * Delete an agent
   *
   * Channels that used the agent are left without one. Call logs stay.
   *
   * Required scope: `agents:write`.
   */
  delete(agent_id: string, options?: Options): Promise<api.Deleted>

  /**
   * Chat with an agent
   *
   * Takes one turn in writing, with the same configuration, tools and knowledge as in calls and in the inbox, even while the agent is inactive. In test mode no hosted model is called: the reply quotes the knowledge base, and a tool is called when the message contains its name. A session is kept for a day after its last turn.
   *
   * Required scope: `agents:write`.
   */
  chatWith(agent_id: string, body: api.AgentChatMessage, options?: Options): Promise<api.AgentChatAnswer>

  /**
   * Promote an agent to live mode
   *
   * Copies an agent from test mode. Use a live credential and the id of the test agent. The copy has its own id; promoting the same agent again updates the copy (200). Documents chosen for the agent are replaced by their promoted copies; `missing_documents` lists those that have none.
   *
   * Required scope: `agents:write`.
   */
  promote(agent_id: string, options?: Options): Promise<api.PromotedAgent>

  /**
   * List voices
   *
   * The voices with fixed ids. With `provider`, all voices of your account at that provider: the organization’s own account, or else the installation’s. The list is read from the provider at most once a minute.
   *
   * Required scope: `agents:read`.
   *
   * Limited to 60 requests per minute.
   */
  listVoices(query?: api.ListVoicesQuery, options?: Options): Promise<api.VoiceList>
}

export interface Calls {
  /**
   * Create a call
   *
   * Returns at once. The call waits for a free slot of the organization and is then dialed at most once. In test mode a simulated person answers; numbers ending in 0110 to 0116 behave in special ways.
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
   * Create a browser call
   *
   * The token lets one socket join `ws_url` within a minute. Send it as the query parameter `access_token` or as the second WebSocket protocol after `frontdesk`. Binary frames are PCM16 at 16 kHz in both directions; text frames are JSON events.
   *
   * Required scope: `calls:dispatch`.
   *
   * A replay by `Idempotency-Key` has null in place of `access_token`.
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
   * Deletes its transcript and recording too. End a running call first.
   *
   * Required scope: `full_access`.
   */
  delete(call_id: string, options?: Options): Promise<api.Deleted>

  /**
   * Get a transcript
   *
   * Also available while the call is running. To get only new entries, set `after` to the last number you received.
   *
   * Required scope: `calls:read`.
   */
  getLiveTranscript(call_id: string, query?: api.GetLiveTranscriptQuery, options?: Options): Promise<api.LiveTranscript>

  /**
   * Listen to a running call
   *
   * The token opens `ws_url` within a minute. The first message is JSON with the `encoding` of the call; each binary message is a frame of 20 ms, whose first byte is 0 for the caller and 1 for the agent. The listener is not heard on the call. The audit log records it. The socket closes with 4410 when the call is over, and with 4409 if another node holds the call: connect again. It closes with 4403 within five seconds once you may no longer listen.
   *
   * Required scope: `calls:listen`.
   *
   * A replay by `Idempotency-Key` has null in place of `access_token`.
   */
  listenTo(call_id: string, options?: Options): Promise<api.ListeningTicket>

  /**
   * End a call
   *
   * A call in conversation ends a moment later, once its transcript is stored. A call that has already ended does not change.
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
   * Download a recording
   *
   * A stereo WAV file with the caller on the left and the agent on the right. Supports `Range`.
   *
   * Required scope: `calls:read`.
   */
  getRecording(call_log_id: string, options?: Options): Promise<Response>
}

export interface Reports {
  /**
   * Get the conversation report
   *
   * Volume, reply and resolution times, backlog, AI containment and hand-offs of a period, compared with the period before. A conversation is one time that a ticket was open. Figures are up to date within seconds.
   *
   * Required scope: `inbox:read`.
   */
  getConversations(query?: api.GetConversationsReportQuery, options?: Options): Promise<api.ConversationReport>

  /**
   * Export the conversation report as CSV
   *
   * One row for each interval, channel, member, team, tag or hand-off reason.
   *
   * Required scope: `inbox:read`.
   */
  exportConversations(query?: api.ExportConversationsReportQuery, options?: Options): Promise<Response>

  /**
   * Get the call report
   *
   * Calls of a period by outcome, channel and agent, compared with the period before.
   *
   * Required scope: `calls:read`.
   */
  getCalls(query?: api.GetCallsReportQuery, options?: Options): Promise<api.CallReport>

  /**
   * Export the call report as CSV
   *
   * One row for each interval.
   *
   * Required scope: `calls:read`.
   */
  exportCalls(query?: api.ExportCallsReportQuery, options?: Options): Promise<Response>

  /**
   * Get the campaigns report
   *
   * Campaigns that started in a period, with the outcome of their messages, compared with the period before.
   *
   * Required scope: `campaigns:manage` or `campaigns:read`.
   */
  getCampaigns(query?: api.GetCampaignsReportQuery, options?: Options): Promise<api.CampaignsReport>

  /**
   * Export the campaigns report as CSV
   *
   * One row for each campaign.
   *
   * Required scope: `campaigns:manage` or `campaigns:read`.
   */
  exportCampaigns(query?: api.ExportCampaignsReportQuery, options?: Options): Promise<Response>
}

export interface Simulator {
  /**
   * Simulate an inbound message
   *
   * Test mode only. The message takes the same path as a real one: the simulated platform posts it, signed, to the channel’s webhook, and it appears in the inbox a moment later. Numbers ending in 0100 to 0107 behave in special ways when you write to them; see the guide “Try it without an account”.
   *
   * Required scope: `inbox:write`.
   */
  simulateMessage(body: api.SimulatedMessage, options?: Options): Promise<api.ReceivedMessage>

  /**
   * Simulate the WhatsApp Business app
   *
   * Test mode only. Acts as the WhatsApp Business app on the channel’s number: sends a message, or shares its chats and contacts. The simulated platform posts a signed webhook, and the channel gets `coexistence: true`.
   *
   * Required scope: `inbox:write`.
   */
  simulateBusinessApp(body: api.SimulatedAppEvent, options?: Options): Promise<api.Told>

  /**
   * Simulate an inbound call
   *
   * Test mode only. The call takes the same path as a real one: the simulated carrier asks the channel’s hook what to do, and the channel’s agent answers a caller with a real voice.
   *
   * Required scope: `calls:dispatch`.
   */
  simulateCall(body: api.SimulatedCall, options?: Options): Promise<api.ReceivedCall>

  /**
   * Simulate a template review
   *
   * Test mode only. Approves, rejects, rates, pauses, disables or recategorizes a template at the simulated platform. The template changes when the platform’s webhook arrives.
   *
   * Required scope: `campaigns:manage`.
   */
  simulateTemplateEvent(template_id: string, body: api.SimulatedTemplateEvent, options?: Options): Promise<api.Told>

  /**
   * Simulate a change of a number’s health
   *
   * Test mode only. Changes quality, limit, throughput, name review or restrictions of the number at the simulated platform. The channel changes when the platform’s webhooks arrive.
   *
   * Required scope: `campaigns:manage`.
   */
  simulateHealth(channel_id: string, body: api.SimulatedHealth, options?: Options): Promise<api.Told>
}

export interface Operator {
  /**
   * Get the state of the installation
   *
   * Version, health and the queues of all organizations.
   *
   * Required scope: `operator`.
   */
  getInstallation(options?: Options): Promise<api.InstallationState>

  /**
   * List organizations
   *
   * Required scope: `operator`.
   */
  listOperatedOrganizations(query?: api.ListOperatedOrganizationsQuery, options?: Options): List<api.OperatedOrganization, CursorPage<api.OperatedOrganization>>

  /**
   * Get an organization
   *
   * Required scope: `operator`.
   */
  getOperatedOrganization(organization_id: string, options?: Options): Promise<api.OperatedOrganization>

  /**
   * Change the limits of an organization
   *
   * Limits of one organization in place of the settings, everywhere within five seconds.
   *
   * Required scope: `operator`.
   */
  limitOrganization(organization_id: string, body: api.OrganizationLimits, options?: Options): Promise<api.OperatedOrganization>

  /**
   * Suspend an organization
   *
   * Its credentials answer 403 with the code `organization_suspended`, and its campaigns, outgoing webhooks, agents and calls take no new work, everywhere within five seconds. Calls in progress end normally. Inbound webhooks are stored and processed after the suspension.
   *
   * Required scope: `operator`.
   */
  suspendOrganization(organization_id: string, body: api.Suspension, options?: Options): Promise<api.OperatedOrganization>

  /**
   * Lift the suspension of an organization
   *
   * Its work continues where it stopped, and stored webhooks are processed.
   *
   * Required scope: `operator`.
   */
  liftSuspension(organization_id: string, options?: Options): Promise<api.OperatedOrganization>

  /**
   * Get the usage of an organization by month
   *
   * Counted from stored records: deleted ones are missing. Chat tokens are those of agents’ answers, trials, drafts and analyses of closed tickets; call tokens are those of calls.
   *
   * Required scope: `operator`.
   */
  getOrganizationUsage(organization_id: string, query?: api.GetOrganizationUsageQuery, options?: Options): Promise<api.Usage>

  /**
   * List what operators did
   *
   * Newest first. The audit log of the organization has the same change, with “Operator of this installation” as the actor and without the IP address. `operator.created` and `operator.deleted` are those of `frontdesk operator add` and `remove`, by the user of the machine.
   *
   * Required scope: `operator`.
   */
  listActions(query?: api.ListOperatorActionsQuery, options?: Options): List<api.OperatorAction, CursorPage<api.OperatorAction>>

  /**
   * List stuck jobs
   *
   * Jobs that failed for good, have been due for ten minutes or have been running for an hour; the newest 100.
   *
   * Required scope: `operator`.
   */
  listStuckJobs(options?: Options): Promise<api.StuckJobs>

  /**
   * Retry a failed job
   *
   * Required scope: `operator`.
   */
  retryJob(job_id: string, options?: Options): Promise<api.StuckJobs>
}

export interface Service {
  /**
   * Get the OpenAPI document
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
  readonly roles: Roles
  readonly signIn: SignIn
  readonly auditLog: AuditLog
  readonly contacts: Contacts
  readonly privacy: Privacy
  readonly tasks: Tasks
  readonly dashboard: Dashboard
  readonly events: Events
  readonly channels: Channels
  readonly schedules: Schedules
  readonly inbox: Inbox
  readonly templates: Templates
  readonly savedReplies: SavedReplies
  readonly teams: Teams
  readonly availability: Availability
  readonly assignmentRules: AssignmentRules
  readonly slaPolicies: SlaPolicies
  readonly notifications: Notifications
  readonly campaigns: Campaigns
  readonly knowledge: Knowledge
  readonly websites: Websites
  readonly faqs: Faqs
  readonly webhooks: Webhooks
  readonly providerKeys: ProviderKeys
  readonly agents: Agents
  readonly calls: Calls
  readonly reports: Reports
  readonly simulator: Simulator
  readonly operator: Operator
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
    update: { method: 'PATCH', path: '/keys/{key_id}', json: true, repeat: 'safe' },
    revoke: { method: 'DELETE', path: '/keys/{key_id}', repeat: 'safe' },
    roll: { method: 'POST', path: '/keys/{key_id}/roll', json: true, repeat: 'keyed' },
  },
  members: {
    list: { method: 'GET', path: '/members', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    get: { method: 'GET', path: '/members/{member_id}', repeat: 'safe' },
    update: { method: 'PATCH', path: '/members/{member_id}', json: true, repeat: 'safe' },
    remove: { method: 'DELETE', path: '/members/{member_id}', repeat: 'safe' },
    putAccess: { method: 'PUT', path: '/members/{member_id}/access', json: true, repeat: 'safe' },
    deleteAccess: { method: 'DELETE', path: '/members/{member_id}/access', repeat: 'safe' },
    listInvitations: { method: 'GET', path: '/invitations', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    createInvitation: { method: 'POST', path: '/invitations', json: true, repeat: 'keyed' },
    getInvitation: { method: 'GET', path: '/invitations/{invitation_id}', repeat: 'safe' },
    deleteInvitation: { method: 'DELETE', path: '/invitations/{invitation_id}', repeat: 'safe' },
    listDomains: { method: 'GET', path: '/domains', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    createDomain: { method: 'POST', path: '/domains', json: true, repeat: 'keyed' },
    verifyDomain: { method: 'POST', path: '/domains/{domain_id}/verify', repeat: 'keyed' },
    deleteDomain: { method: 'DELETE', path: '/domains/{domain_id}', repeat: 'safe' },
  },
  roles: {
    list: { method: 'GET', path: '/roles', repeat: 'safe' },
    create: { method: 'POST', path: '/roles', json: true, repeat: 'keyed' },
    get: { method: 'GET', path: '/roles/{role_id}', repeat: 'safe' },
    update: { method: 'PATCH', path: '/roles/{role_id}', json: true, repeat: 'safe' },
    delete: { method: 'DELETE', path: '/roles/{role_id}', repeat: 'safe' },
  },
  signIn: {
    login: { method: 'POST', path: '/auth/login', json: true, repeat: 'unsafe' },
    useLink: { method: 'POST', path: '/auth/link', json: true, repeat: 'unsafe' },
    getOptions: { method: 'GET', path: '/auth/options', repeat: 'unsafe' },
    requestPasswordReset: { method: 'POST', path: '/auth/password-reset', json: true, repeat: 'unsafe' },
    refresh: { method: 'POST', path: '/auth/refresh', json: true, repeat: 'unsafe' },
    logout: { method: 'POST', path: '/auth/logout', json: true, repeat: 'unsafe' },
    changePassword: { method: 'POST', path: '/auth/password', json: true, repeat: 'unsafe' },
    acceptInvitation: { method: 'POST', path: '/invitations/accept', json: true, repeat: 'unsafe' },
    listSessions: { method: 'GET', path: '/auth/sessions', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'unsafe' },
    endOtherSessions: { method: 'DELETE', path: '/auth/sessions', repeat: 'unsafe' },
    endSession: { method: 'DELETE', path: '/auth/sessions/{session_id}', repeat: 'unsafe' },
    getSecondFactors: { method: 'GET', path: '/auth/second-factors', repeat: 'unsafe' },
    createAuthenticator: { method: 'POST', path: '/auth/authenticator', json: true, repeat: 'unsafe' },
    confirmAuthenticator: { method: 'POST', path: '/auth/authenticator/confirm', json: true, repeat: 'unsafe' },
    createRecoveryCodes: { method: 'POST', path: '/auth/recovery-codes', json: true, repeat: 'unsafe' },
    removeAuthenticator: { method: 'POST', path: '/auth/authenticator/remove', json: true, repeat: 'unsafe' },
    createPasskeyChallenge: { method: 'POST', path: '/auth/passkey/options', repeat: 'unsafe' },
    loginWithPasskey: { method: 'POST', path: '/auth/passkey', json: true, repeat: 'unsafe' },
    listPasskeys: { method: 'GET', path: '/auth/passkeys', repeat: 'unsafe' },
    createPasskey: { method: 'POST', path: '/auth/passkeys', json: true, repeat: 'unsafe' },
    createPasskeyOptions: { method: 'POST', path: '/auth/passkeys/options', json: true, repeat: 'unsafe' },
    removePasskey: { method: 'POST', path: '/auth/passkeys/{passkey_id}/remove', json: true, repeat: 'unsafe' },
  },
  auditLog: {
    list: { method: 'GET', path: '/audit-log', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    export: { method: 'GET', path: '/audit-log/export', query: true, answer: 'file', repeat: 'safe' },
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
    merge: { method: 'POST', path: '/contacts/{contact_id}/merge', json: true, repeat: 'keyed' },
    handOff: { method: 'POST', path: '/contacts/{contact_id}/handoff', json: true, repeat: 'keyed' },
    listConsents: { method: 'GET', path: '/contacts/{contact_id}/consents', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    createConsent: { method: 'POST', path: '/contacts/{contact_id}/consents', json: true, repeat: 'keyed' },
    listActivities: { method: 'GET', path: '/contacts/{contact_id}/activities', query: true, list: { by: 'offset', items: 'activities', size: 'limit' }, repeat: 'safe' },
    createActivity: { method: 'POST', path: '/contacts/{contact_id}/activities', json: true, repeat: 'keyed' },
    createBulkEdit: { method: 'POST', path: '/contact-bulk-edits', json: true, repeat: 'keyed' },
    getBulkEdit: { method: 'GET', path: '/contact-bulk-edits/{bulk_edit_id}', repeat: 'safe' },
    cancelBulkEdit: { method: 'POST', path: '/contact-bulk-edits/{bulk_edit_id}/cancel', repeat: 'keyed' },
    listDuplicates: { method: 'GET', path: '/contacts/{contact_id}/duplicates', repeat: 'safe' },
    dismissDuplicate: { method: 'POST', path: '/contacts/{contact_id}/duplicates/dismiss', json: true, repeat: 'keyed' },
    import: { method: 'POST', path: '/contacts/imports', query: true, form: true, repeat: 'keyed' },
    listImports: { method: 'GET', path: '/contacts/imports', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    getImport: { method: 'GET', path: '/contacts/imports/{import_id}', repeat: 'safe' },
  },
  privacy: {
    getSettings: { method: 'GET', path: '/privacy', repeat: 'safe' },
    updateSettings: { method: 'PATCH', path: '/privacy', json: true, repeat: 'safe' },
    eraseContact: { method: 'POST', path: '/contacts/{contact_id}/erase', repeat: 'keyed' },
    listErasures: { method: 'GET', path: '/privacy/erasures', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    getErasure: { method: 'GET', path: '/privacy/erasures/{erasure_id}', repeat: 'safe' },
    exportContact: { method: 'POST', path: '/contacts/{contact_id}/export', repeat: 'keyed' },
    getExport: { method: 'GET', path: '/privacy/exports/{export_id}', repeat: 'safe' },
    downloadExport: { method: 'GET', path: '/privacy/exports/{export_id}/download', answer: 'file', repeat: 'safe' },
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
    getContactSources: { method: 'GET', path: '/crm/dashboard/sources', query: true, repeat: 'safe' },
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
    checkHealth: { method: 'POST', path: '/channels/{channel_id}/health', repeat: 'keyed' },
    requestAppData: { method: 'POST', path: '/channels/{channel_id}/app-data', json: true, repeat: 'keyed' },
  },
  schedules: {
    list: { method: 'GET', path: '/schedules', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    create: { method: 'POST', path: '/schedules', json: true, repeat: 'keyed' },
    get: { method: 'GET', path: '/schedules/{schedule_id}', repeat: 'safe' },
    update: { method: 'PATCH', path: '/schedules/{schedule_id}', json: true, repeat: 'safe' },
    delete: { method: 'DELETE', path: '/schedules/{schedule_id}', repeat: 'safe' },
    getState: { method: 'GET', path: '/schedules/{schedule_id}/state', query: true, repeat: 'safe' },
  },
  inbox: {
    createTicket: { method: 'POST', path: '/inbox/tickets', json: true, repeat: 'keyed' },
    listTickets: { method: 'GET', path: '/inbox/tickets', query: true, list: { by: 'offset', items: 'inboxes', size: 'limit' }, repeat: 'safe' },
    countQueues: { method: 'GET', path: '/inbox/queues', repeat: 'safe' },
    listTicketTags: { method: 'GET', path: '/inbox/tags', query: true, repeat: 'safe' },
    updateTickets: { method: 'POST', path: '/inbox/tickets/bulk', json: true, repeat: 'keyed' },
    getTicket: { method: 'GET', path: '/inbox/tickets/{inbox_id}', repeat: 'safe' },
    updateTicket: { method: 'PATCH', path: '/inbox/tickets/{inbox_id}', json: true, repeat: 'safe' },
    readTicket: { method: 'POST', path: '/inbox/tickets/{inbox_id}/read', repeat: 'keyed' },
    announcePresence: { method: 'POST', path: '/inbox/tickets/{inbox_id}/presence', json: true, repeat: 'safe' },
    listMessages: { method: 'GET', path: '/inbox/messages/{inbox_id}', query: true, list: { by: 'offset', items: 'messages', size: 'limit' }, repeat: 'safe' },
    sendMessage: { method: 'POST', path: '/inbox/messages/{inbox_id}', json: true, form: true, repeat: 'keyed' },
    reactToMessage: { method: 'POST', path: '/inbox/messages/{inbox_id}/{message_id}/reaction', json: true, repeat: 'keyed' },
    getMedia: { method: 'GET', path: '/inbox/media/{media_id}', answer: 'file', repeat: 'safe' },
    listNotes: { method: 'GET', path: '/inbox/tickets/{inbox_id}/notes', query: true, list: { by: 'offset', items: 'notes', size: 'limit' }, repeat: 'safe' },
    createNote: { method: 'POST', path: '/inbox/tickets/{inbox_id}/notes', json: true, repeat: 'keyed' },
    getNote: { method: 'GET', path: '/inbox/tickets/{inbox_id}/notes/{note_id}', repeat: 'safe' },
    updateNote: { method: 'PATCH', path: '/inbox/tickets/{inbox_id}/notes/{note_id}', json: true, repeat: 'safe' },
    deleteNote: { method: 'DELETE', path: '/inbox/tickets/{inbox_id}/notes/{note_id}', repeat: 'safe' },
    listViews: { method: 'GET', path: '/inbox/views', repeat: 'safe' },
    createView: { method: 'POST', path: '/inbox/views', json: true, repeat: 'keyed' },
    getView: { method: 'GET', path: '/inbox/views/{view_id}', repeat: 'safe' },
    updateView: { method: 'PATCH', path: '/inbox/views/{view_id}', json: true, repeat: 'safe' },
    deleteView: { method: 'DELETE', path: '/inbox/views/{view_id}', repeat: 'safe' },
    scheduleMessage: { method: 'POST', path: '/inbox/tickets/{inbox_id}/scheduled-messages', json: true, repeat: 'keyed' },
    listScheduledMessages: { method: 'GET', path: '/inbox/tickets/{inbox_id}/scheduled-messages', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    getScheduledMessage: { method: 'GET', path: '/inbox/scheduled-messages/{scheduled_message_id}', repeat: 'safe' },
    updateScheduledMessage: { method: 'PATCH', path: '/inbox/scheduled-messages/{scheduled_message_id}', json: true, repeat: 'safe' },
    cancelScheduledMessage: { method: 'POST', path: '/inbox/scheduled-messages/{scheduled_message_id}/cancel', repeat: 'keyed' },
    retryScheduledMessage: { method: 'POST', path: '/inbox/scheduled-messages/{scheduled_message_id}/retry', repeat: 'keyed' },
    listRatedMessages: { method: 'GET', path: '/inbox/feedback', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    rateMessage: { method: 'PUT', path: '/inbox/messages/{inbox_id}/{message_id}/feedback', json: true, repeat: 'safe' },
    removeMessageRating: { method: 'DELETE', path: '/inbox/messages/{inbox_id}/{message_id}/feedback', repeat: 'safe' },
    takeTicket: { method: 'POST', path: '/inbox/tickets/{inbox_id}/take', repeat: 'keyed' },
    setTicketTeam: { method: 'PUT', path: '/inbox/tickets/{inbox_id}/team', json: true, repeat: 'safe' },
    listTicketAssignments: { method: 'GET', path: '/inbox/tickets/{inbox_id}/assignments', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    listTicketAnalyses: { method: 'GET', path: '/inbox/analyses', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    getTicketAnalysis: { method: 'GET', path: '/inbox/tickets/{inbox_id}/analysis', repeat: 'safe' },
    createDraft: { method: 'POST', path: '/inbox/tickets/{inbox_id}/drafts', json: true, repeat: 'keyed' },
  },
  templates: {
    test: { method: 'POST', path: '/templates/{template_id}/test-send', json: true, repeat: 'keyed' },
    list: { method: 'GET', path: '/templates', query: true, list: { by: 'page', items: 'items', size: 'limit' }, repeat: 'safe' },
    create: { method: 'POST', path: '/templates', json: true, repeat: 'keyed' },
    preflight: { method: 'POST', path: '/templates/preflight', json: true, repeat: 'safe' },
    uploadMedia: { method: 'POST', path: '/templates/media', form: true, repeat: 'safe' },
    listMedia: { method: 'GET', path: '/templates/media', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    deleteMedia: { method: 'DELETE', path: '/templates/media/{media_id}', repeat: 'safe' },
    downloadMedia: { method: 'GET', path: '/templates/media/{media_id}/download', answer: 'file', repeat: 'safe' },
    listLibrary: { method: 'GET', path: '/templates/library', query: true, repeat: 'safe' },
    createFromLibrary: { method: 'POST', path: '/templates/library/{template_id}/create', query: true, json: true, repeat: 'keyed' },
    sync: { method: 'POST', path: '/templates/sync', json: true, repeat: 'keyed' },
    get: { method: 'GET', path: '/templates/{template_id}', repeat: 'safe' },
    delete: { method: 'DELETE', path: '/templates/{template_id}', query: true, repeat: 'safe' },
  },
  savedReplies: {
    list: { method: 'GET', path: '/inbox/saved-replies', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    create: { method: 'POST', path: '/inbox/saved-replies', json: true, repeat: 'keyed' },
    get: { method: 'GET', path: '/inbox/saved-replies/{saved_reply_id}', repeat: 'safe' },
    update: { method: 'PATCH', path: '/inbox/saved-replies/{saved_reply_id}', json: true, repeat: 'safe' },
    delete: { method: 'DELETE', path: '/inbox/saved-replies/{saved_reply_id}', repeat: 'safe' },
    addAttachment: { method: 'POST', path: '/inbox/saved-replies/{saved_reply_id}/attachments', form: true, repeat: 'safe' },
    downloadAttachment: { method: 'GET', path: '/inbox/saved-replies/{saved_reply_id}/attachments/{attachment_id}', answer: 'file', repeat: 'safe' },
    removeAttachment: { method: 'DELETE', path: '/inbox/saved-replies/{saved_reply_id}/attachments/{attachment_id}', repeat: 'safe' },
    putAttachment: { method: 'PUT', path: '/inbox/saved-replies/{saved_reply_id}/attachment', form: true, repeat: 'safe' },
    getAttachment: { method: 'GET', path: '/inbox/saved-replies/{saved_reply_id}/attachment', answer: 'file', repeat: 'safe' },
    deleteAttachment: { method: 'DELETE', path: '/inbox/saved-replies/{saved_reply_id}/attachment', repeat: 'safe' },
  },
  teams: {
    list: { method: 'GET', path: '/teams', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    create: { method: 'POST', path: '/teams', json: true, repeat: 'keyed' },
    get: { method: 'GET', path: '/teams/{team_id}', repeat: 'safe' },
    update: { method: 'PATCH', path: '/teams/{team_id}', json: true, repeat: 'safe' },
    delete: { method: 'DELETE', path: '/teams/{team_id}', repeat: 'safe' },
  },
  availability: {
    list: { method: 'GET', path: '/availability', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    update: { method: 'PATCH', path: '/availability/{member_id}', json: true, repeat: 'safe' },
  },
  assignmentRules: {
    list: { method: 'GET', path: '/assignment-rules', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    get: { method: 'GET', path: '/assignment-rules/{channel_id}', repeat: 'safe' },
    put: { method: 'PUT', path: '/assignment-rules/{channel_id}', json: true, repeat: 'safe' },
    delete: { method: 'DELETE', path: '/assignment-rules/{channel_id}', repeat: 'safe' },
  },
  slaPolicies: {
    list: { method: 'GET', path: '/sla-policies', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    create: { method: 'POST', path: '/sla-policies', json: true, repeat: 'keyed' },
    get: { method: 'GET', path: '/sla-policies/{policy_id}', repeat: 'safe' },
    update: { method: 'PATCH', path: '/sla-policies/{policy_id}', json: true, repeat: 'safe' },
    delete: { method: 'DELETE', path: '/sla-policies/{policy_id}', repeat: 'safe' },
  },
  notifications: {
    list: { method: 'GET', path: '/notifications', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    read: { method: 'POST', path: '/notifications/read', json: true, repeat: 'keyed' },
    readNotification: { method: 'POST', path: '/notifications/{notification_id}/read', repeat: 'keyed' },
    show: { method: 'POST', path: '/notifications/{notification_id}/shown', query: true, repeat: 'keyed' },
    getPreferences: { method: 'GET', path: '/notifications/preferences', repeat: 'safe' },
    updatePreferences: { method: 'PATCH', path: '/notifications/preferences', json: true, repeat: 'safe' },
    createPushSubscription: { method: 'POST', path: '/push-subscriptions', json: true, repeat: 'safe' },
    deletePushSubscription: { method: 'DELETE', path: '/push-subscriptions/{subscription_id}', repeat: 'safe' },
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
    addSource: { method: 'POST', path: '/knowledge-base/sources', json: true, form: true, repeat: 'keyed' },
    replaceDocument: { method: 'POST', path: '/knowledge-base/{document_id}/replace', form: true, repeat: 'keyed' },
    listCollections: { method: 'GET', path: '/knowledge-base/collections', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    createCollection: { method: 'POST', path: '/knowledge-base/collections', json: true, repeat: 'keyed' },
    getCollection: { method: 'GET', path: '/knowledge-base/collections/{collection_id}', repeat: 'safe' },
    updateCollection: { method: 'PATCH', path: '/knowledge-base/collections/{collection_id}', json: true, repeat: 'safe' },
    deleteCollection: { method: 'DELETE', path: '/knowledge-base/collections/{collection_id}', repeat: 'safe' },
    addDocumentToCollection: { method: 'PUT', path: '/knowledge-base/collections/{collection_id}/documents/{document_id}', repeat: 'safe' },
    removeDocumentFromCollection: { method: 'DELETE', path: '/knowledge-base/collections/{collection_id}/documents/{document_id}', repeat: 'safe' },
    listGaps: { method: 'GET', path: '/knowledge-base/gaps', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    getGap: { method: 'GET', path: '/knowledge-base/gaps/{gap_id}', repeat: 'safe' },
    answerGap: { method: 'POST', path: '/knowledge-base/gaps/{gap_id}/answer', json: true, repeat: 'keyed' },
    dismissGap: { method: 'POST', path: '/knowledge-base/gaps/{gap_id}/dismiss', repeat: 'keyed' },
    reopenGap: { method: 'POST', path: '/knowledge-base/gaps/{gap_id}/reopen', repeat: 'keyed' },
  },
  websites: {
    list: { method: 'GET', path: '/knowledge-base/websites', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    get: { method: 'GET', path: '/knowledge-base/websites/{website_id}', repeat: 'safe' },
    update: { method: 'PATCH', path: '/knowledge-base/websites/{website_id}', json: true, repeat: 'safe' },
    delete: { method: 'DELETE', path: '/knowledge-base/websites/{website_id}', repeat: 'safe' },
    listPages: { method: 'GET', path: '/knowledge-base/websites/{website_id}/pages', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    crawl: { method: 'POST', path: '/knowledge-base/websites/{website_id}/crawl', repeat: 'keyed' },
    stopCrawl: { method: 'POST', path: '/knowledge-base/websites/{website_id}/stop', repeat: 'keyed' },
  },
  faqs: {
    list: { method: 'GET', path: '/knowledge-base/faqs', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    create: { method: 'POST', path: '/knowledge-base/faqs', json: true, repeat: 'keyed' },
    import: { method: 'POST', path: '/knowledge-base/faqs/import', form: true, repeat: 'keyed' },
    export: { method: 'GET', path: '/knowledge-base/faqs/export', answer: 'file', repeat: 'safe' },
    get: { method: 'GET', path: '/knowledge-base/faqs/{faq_id}', repeat: 'safe' },
    update: { method: 'PATCH', path: '/knowledge-base/faqs/{faq_id}', json: true, repeat: 'safe' },
    delete: { method: 'DELETE', path: '/knowledge-base/faqs/{faq_id}', repeat: 'safe' },
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
  providerKeys: {
    list: { method: 'GET', path: '/provider-keys', repeat: 'safe' },
    set: { method: 'PUT', path: '/provider-keys/{provider}', json: true, repeat: 'safe' },
    delete: { method: 'DELETE', path: '/provider-keys/{provider}', repeat: 'safe' },
    test: { method: 'POST', path: '/provider-keys/{provider}/test', repeat: 'keyed' },
  },
  agents: {
    create: { method: 'POST', path: '/agents', json: true, repeat: 'keyed' },
    list: { method: 'GET', path: '/agents', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    get: { method: 'GET', path: '/agents/{agent_id}', repeat: 'safe' },
    update: { method: 'PATCH', path: '/agents/{agent_id}', json: true, repeat: 'safe' },
    delete: { method: 'DELETE', path: '/agents/{agent_id}', repeat: 'safe' },
    chatWith: { method: 'POST', path: '/agents/{agent_id}/chat', json: true, repeat: 'keyed' },
    promote: { method: 'POST', path: '/agents/{agent_id}/promote', repeat: 'keyed' },
    listVoices: { method: 'GET', path: '/voices', query: true, repeat: 'safe' },
  },
  calls: {
    create: { method: 'POST', path: '/calls', json: true, repeat: 'keyed' },
    list: { method: 'GET', path: '/calls', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    createWeb: { method: 'POST', path: '/calls/web', json: true, repeat: 'keyed' },
    get: { method: 'GET', path: '/calls/{call_id}', repeat: 'safe' },
    delete: { method: 'DELETE', path: '/calls/{call_id}', repeat: 'safe' },
    getLiveTranscript: { method: 'GET', path: '/calls/{call_id}/transcript', query: true, repeat: 'safe' },
    listenTo: { method: 'POST', path: '/calls/{call_id}/listen', repeat: 'keyed' },
    end: { method: 'POST', path: '/calls/{call_id}/end', repeat: 'keyed' },
    listLogs: { method: 'GET', path: '/call-logs', query: true, list: { by: 'page', items: 'items', size: 'page_size' }, repeat: 'safe' },
    getLog: { method: 'GET', path: '/call-logs/{call_log_id}', repeat: 'safe' },
    getRecording: { method: 'GET', path: '/call-logs/{call_log_id}/recording', answer: 'file', repeat: 'safe' },
  },
  reports: {
    getConversations: { method: 'GET', path: '/reports/conversations', query: true, repeat: 'safe' },
    exportConversations: { method: 'GET', path: '/reports/conversations/export', query: true, answer: 'file', repeat: 'safe' },
    getCalls: { method: 'GET', path: '/reports/calls', query: true, repeat: 'safe' },
    exportCalls: { method: 'GET', path: '/reports/calls/export', query: true, answer: 'file', repeat: 'safe' },
    getCampaigns: { method: 'GET', path: '/reports/campaigns', query: true, repeat: 'safe' },
    exportCampaigns: { method: 'GET', path: '/reports/campaigns/export', query: true, answer: 'file', repeat: 'safe' },
  },
  simulator: {
    simulateMessage: { method: 'POST', path: '/simulator/messages', json: true, repeat: 'keyed' },
    simulateBusinessApp: { method: 'POST', path: '/simulator/business-app', json: true, repeat: 'keyed' },
    simulateCall: { method: 'POST', path: '/simulator/calls', json: true, repeat: 'keyed' },
    simulateTemplateEvent: { method: 'POST', path: '/simulator/templates/{template_id}/events', json: true, repeat: 'keyed' },
    simulateHealth: { method: 'POST', path: '/simulator/channels/{channel_id}/health', json: true, repeat: 'keyed' },
  },
  operator: {
    getInstallation: { method: 'GET', path: '/operator/installation', repeat: 'safe' },
    listOperatedOrganizations: { method: 'GET', path: '/operator/organizations', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    getOperatedOrganization: { method: 'GET', path: '/operator/organizations/{organization_id}', repeat: 'safe' },
    limitOrganization: { method: 'PATCH', path: '/operator/organizations/{organization_id}', json: true, repeat: 'safe' },
    suspendOrganization: { method: 'POST', path: '/operator/organizations/{organization_id}/suspend', json: true, repeat: 'safe' },
    liftSuspension: { method: 'POST', path: '/operator/organizations/{organization_id}/lift', repeat: 'safe' },
    getOrganizationUsage: { method: 'GET', path: '/operator/organizations/{organization_id}/usage', query: true, repeat: 'safe' },
    listActions: { method: 'GET', path: '/operator/actions', query: true, list: { by: 'cursor', items: 'data', size: 'limit' }, repeat: 'safe' },
    listStuckJobs: { method: 'GET', path: '/operator/jobs', repeat: 'safe' },
    retryJob: { method: 'POST', path: '/operator/jobs/{job_id}/retry', repeat: 'safe' },
  },
  service: {
    getOpenApi: { method: 'GET', path: '/openapi.json', repeat: 'safe' },
  },
} satisfies Record<string, Record<string, Operation>>
