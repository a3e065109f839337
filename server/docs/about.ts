import { isLoopback, type Settings } from '../config.ts'
import { cookieName } from '../features/organizations/sign-in/cookies.ts'
import manifest from '../package.json' with { type: 'json' }
import type { About } from '../platform/http/openapi.ts'

/** Content of the API documentation besides its operations. */
export const aboutApi = (settings: Settings): About => ({
  title: 'Frontdesk API',
  version: manifest.version,
  description,
  serverUrl: serverUrl(settings),
  cookie: cookieName('token', settings.PUBLIC_URL?.startsWith('https:') ?? false),
  tags,
  ids,
})

/** The public URL of this service; relative if it is not configured. */
function serverUrl({ PUBLIC_URL, HOST, PORT }: Settings): string {
  if (PUBLIC_URL) return PUBLIC_URL
  if (!isLoopback(HOST) || PORT === 0) return '/'
  return `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`
}

const description = `Chat messaging, voice AI agents and a CRM behind one REST API.

## Signing in

Every request carries \`Authorization: Bearer <key or token>\`. A key belongs to one organization and has scopes; each
operation names the scope it needs, and \`full_access\` opens all of them. Keys never belong in a browser or in source control.

## Test and live

A key that starts with \`svc_sk_test_\` reaches simulated carriers only, one that starts with \`svc_sk_live_\` real ones, and neither
sees the other's records. People choose with the header \`X-Mode\`.

## Conventions

- Bodies are JSON. Timestamps go out as UTC with milliseconds; any ISO 8601 date-time comes in, and one without an offset is UTC.
- Ids are UUIDs. A record of another organization answers exactly like one that does not exist.
- PUT and PATCH change only the members given. Unknown members are ignored. \`null\` for an optional member means that it
  is absent on create, and clears it on update where the field is nullable.
- Cursor lists take \`limit\` and \`starting_after\` (the \`next_cursor\` of the page before) and answer \`data\`, \`has_more\`,
  \`next_cursor\` and \`total_count\`, newest first.
- Every POST that writes takes \`Idempotency-Key\`.
- Every answer carries \`X-Request-Id\`. An unknown path answers 404, a wrong method 405 with \`Allow\`.
`

const from = (what: string, list: string) => `the id of ${what}, from \`GET ${list}\``

/** By the name of the member or parameter that takes the id. */
const ids: Record<string, string> = {
  agent_id: from('an agent', '/agents'),
  assignee_id: from('a member', '/members'),
  call_id: from('a call', '/calls'),
  call_log_id: from('a call', '/call-logs'),
  campaign_id: from('a campaign', '/campaigns'),
  channel_id: from('a channel', '/channels'),
  chat_phone_number_id: from('a channel', '/channels'),
  contact_id: from('a contact', '/contacts'),
  delivery_id: from('a delivery', '/webhooks/{webhook_id}/deliveries'),
  document_id: from('a document', '/knowledge-base'),
  import_id: from('an import', '/contacts/imports'),
  inbox_id: `${from('a ticket', '/inbox/tickets')}; in test mode \`POST /simulator/messages\` opens one that can be answered`,
  invitation_id: from('an invitation', '/invitations'),
  key_id: from('a key', '/keys'),
  last_event_id: from('an event', '/events'),
  media_id: 'the last part of a message’s `media_url`',
  member_id: from('a member', '/members'),
  message_id: from('a message', '/inbox/messages/{inbox_id}'),
  message_template_id: from('an approved template', '/templates'),
  starting_after: 'the id of a record',
  task_id: from('a task', '/crm/tasks'),
  template_id: from('a template', '/templates'),
  webhook_id: from('a webhook', '/webhooks'),
}

const tags: Record<string, string> = {
  Contacts: 'People that the organization talks to, and the timeline of each.',
  Inbox: 'Conversations with contacts: tickets, their messages and files.',
  Tasks: 'What somebody has to do for a contact.',
  Dashboard: 'Figures at a glance.',
  Templates: 'Messages that the chat platform has to approve before they can be sent.',
  Campaigns: 'A template to many contacts, now or later, and what became of each message.',
  Agents: 'AI agents that answer calls and chats, their tools and their voices.',
  'Knowledge base': 'Documents that questions are answered from.',
  Calls: 'Conversations by phone and browser: who called whom, what was said, and the recording.',
  Channels: 'The organization’s phone numbers, for chat and voice.',
  Simulator: 'The pretended chat platform and carrier of test mode, to play with.',
  Events: 'What has happened, in order, and as it happens.',
  Webhooks: 'Endpoints that hear of events, what was sent to them and what they answered.',
  Keys: 'Credentials for programs.',
  Members: 'People of the organization, their roles and invitations.',
  Organization: 'The organization itself, and who the caller is.',
  'Sign-in': 'How people get a token.',
  Service: 'About this service.',
}
