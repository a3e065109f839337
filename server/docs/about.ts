import type { Settings } from '../config.ts'
import { cookieName } from '../features/organizations/sign-in/cookies.ts'
import manifest from '../package.json' with { type: 'json' }
import { conflict, notFound } from '../platform/errors.ts'
import type { About } from '../platform/http/openapi.ts'
import { isLoopback } from '../platform/loopback.ts'
import { exampleId } from '../platform/schemas.ts'

/** Content of the API documentation besides its operations. */
export const aboutApi = (settings: Settings): About => ({
  title: 'Frontdesk API',
  version: manifest.version,
  description,
  serverUrl: serverUrl(settings),
  cookie: cookieName('token', settings.PUBLIC_URL?.startsWith('https:') ?? false),
  tags,
  ids,
  errorExamples: {
    not_found: notFound('Contact'),
    taken: conflict('A contact with the phone number +14155550100 exists already', exampleId('id')),
  },
})

/** The public URL of this service; relative if it is not configured. */
function serverUrl({ PUBLIC_URL, HOST, PORT }: Settings): string {
  if (PUBLIC_URL) return PUBLIC_URL
  if (!isLoopback(HOST) || PORT === 0) return '/'
  return `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`
}

const description = `Chat messaging, voice AI agents and a CRM behind one REST API.

## Authentication

Send \`Authorization: Bearer <key or token>\` with every request. A key belongs to one organization and has scopes. Each operation
names the scope it requires; \`full_access\` includes all of them. Never put a key in a browser or in source control.

## Test and live mode

A key that starts with \`svc_sk_test_\` reaches simulated carriers only; a key that starts with \`svc_sk_live_\` reaches real ones.
Neither sees the other's records. Members choose the mode with the header \`X-Mode\`.

## Conventions

- Bodies are JSON. Responses have timestamps in UTC with milliseconds. Requests accept any ISO 8601 date-time; one without an offset is UTC.
- Ids are UUIDs. The id of another organization's record gets the same response as an id that does not exist.
- PUT and PATCH change only the fields that you send. Unknown fields are ignored. \`null\` for an optional field counts as absent on
  create and clears a nullable field on update.
- Cursor lists accept \`limit\` and \`starting_after\` (the \`next_cursor\` of the previous page) and return \`data\`, \`has_more\`,
  \`next_cursor\` and \`total_count\`, newest first.
- Every POST that writes accepts \`Idempotency-Key\`.
- Every response has an \`X-Request-Id\`. An unknown path returns 404, a wrong method 405 with \`Allow\`.
`

const from = (what: string, list: string) => `the id of ${what}, from \`GET ${list}\``

/** By the name of the member or parameter that takes the id. */
const ids: Record<string, string> = {
  agent_id: from('an agent', '/agents'),
  assignee_id: from('a member', '/members'),
  bulk_edit_id: 'the id of a bulk edit, from `POST /contact-bulk-edits`',
  call_id: from('a call', '/calls'),
  call_log_id: from('a call', '/call-logs'),
  campaign_id: from('a campaign', '/campaigns'),
  channel_id: from('a channel', '/channels'),
  channel_ids: from('a channel', '/channels'),
  chat_phone_number_id: from('a channel', '/channels'),
  contact_id: from('a contact', '/contacts'),
  delivery_id: from('a delivery', '/webhooks/{webhook_id}/deliveries'),
  domain_id: from('a domain', '/domains'),
  collection_id: from('a collection', '/knowledge-base/collections'),
  document_id: from('a document', '/knowledge-base'),
  gap_id: from('a knowledge gap', '/knowledge-base/gaps'),
  erasure_id: from('an erasure', '/privacy/erasures'),
  export_id: 'the id of an export, from `POST /contacts/{contact_id}/export`',
  ids: 'the ids of tickets, from `GET /inbox/tickets`',
  import_id: from('an import', '/contacts/imports'),
  inbox_id: `${from('a ticket', '/inbox/tickets')}; in test mode \`POST /simulator/messages\` opens one that you can reply to`,
  invitation_id: from('an invitation', '/invitations'),
  key_id: from('a key', '/keys'),
  last_event_id: from('an event', '/events'),
  media_id: 'the last part of a message’s `media_url`',
  member_id: from('a member', '/members'),
  message_id: from('a message', '/inbox/messages/{inbox_id}'),
  message_template_id: from('an approved template', '/templates'),
  passkey_id: from('a passkey', '/auth/passkeys'),
  notification_id: from('a notification', '/notifications'),
  scheduled_message_id: from('a scheduled message', '/inbox/tickets/{inbox_id}/scheduled-messages'),
  session_id: from('a session', '/auth/sessions'),
  subscription_id: 'the id of a push subscription, from `POST /push-subscriptions`',
  role_id: from('a custom role', '/roles'),
  note_id: from('a note', '/inbox/tickets/{inbox_id}/notes'),
  policy_id: from('an SLA policy', '/sla-policies'),
  schedule_id: from('business hours', '/schedules'),
  team_id: from('a team', '/teams'),
  team_ids: from('a team', '/teams'),
  organization_id: from('an organization', '/operator/organizations'),
  job_id: from('a job', '/operator/jobs'),
  saved_reply_id: from('a saved reply', '/inbox/saved-replies'),
  attachment_id: 'the id of one of a saved reply’s `attachments`',
  starting_after: 'the id of a record',
  task_id: from('a task', '/crm/tasks'),
  template_id: from('a template', '/templates'),
  view_id: from('a view', '/inbox/views'),
  webhook_id: from('a webhook', '/webhooks'),
  website_id: from('a website', '/knowledge-base/websites'),
  faq_id: from('an FAQ', '/knowledge-base/faqs'),
}

const tags: Record<string, string> = {
  Contacts: 'The people your organization talks to, each with a timeline.',
  Inbox: 'Conversations with contacts: tickets, their messages and files.',
  'Saved replies': 'Texts that members send often, with fields of the contact and an attachment.',
  'Business hours': 'When you are open: spans by weekday and holidays, in a time zone.',
  Teams: 'Members who handle conversations together.',
  Availability: 'Which members are online, and how many tickets each can take.',
  'Assignment rules': 'Which team gets the conversations of a channel, and its away message.',
  'SLA policies': 'How soon tickets should be answered and closed.',
  Notifications: 'What each member is notified of, and on which devices.',
  Tasks: 'To-dos for a contact.',
  Dashboard: 'Key figures.',
  Reports: 'Figures of a period, compared with the period before.',
  Templates: 'Message texts that the chat platform must approve before you can send them.',
  Campaigns: 'Send a template to many contacts, now or later, and track each message.',
  Agents: 'AI agents that answer calls and chats, with their tools and voices.',
  'Provider keys': 'Your own accounts at the providers of models, speech and embeddings.',
  'Knowledge base': 'Documents that agents and searches answer from.',
  Websites: 'Web pages that are documents too, read again on a schedule.',
  FAQs: 'Questions with their answers, each a document too.',
  Calls: 'Phone and browser conversations, with transcripts and recordings.',
  Channels: 'Your organization’s phone numbers, for chat and voice.',
  Simulator: 'The simulated chat platform and carrier of test mode.',
  Events: 'Everything that happens, as a list and as a live stream.',
  Webhooks: 'Endpoints that receive events, with a log of deliveries and responses.',
  Keys: 'API keys for programs.',
  'Audit log': 'Who changed what, when and from where.',
  Privacy: 'How long records are kept and what transcripts hide; exporting and erasing everything about a contact.',
  Members: 'The people in your organization, their roles and invitations.',
  Roles: 'What members may do: built-in roles and your own.',
  Organization: 'Your organization, and the identity behind a credential.',
  'Sign-in': 'Sessions and tokens for people.',
  Operator:
    'For the people who operate this installation: all organizations, their limits and suspensions, queues and stuck jobs.',
  Service: 'About this service.',
}
