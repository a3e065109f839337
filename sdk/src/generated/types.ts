// Written by `npm run docs` from docs/openapi.json. Do not edit.

import type { Upload } from '../form.ts'

/** The channels and teams whose conversations the member sees, besides those assigned to them; null for all conversations */
export interface Access {
  /** Channels of the mode of the request */
  channel_ids: string[]
  /** Teams, in both modes */
  team_ids: string[]
}

export interface AccessInput {
  /** Channels of the mode of the request */
  channel_ids: string[]
  /** Teams, in both modes */
  team_ids: string[]
}

export interface AccountRestriction {
  /** The platform’s word */
  type: string
  /** Null if no end is known */
  until: string | null
}

/** The last policy violation that the platform reported */
export interface AccountViolation {
  /** The platform’s word */
  type: string
  at: string
}

export interface Activity {
  id: string
  organization_id: string
  contact_id: string
  type: "contact_created" | "note_added" | "meeting_scheduled" | "call_logged" | "stage_changed" | "lead_score_changed" | "handoff_to_human" | "handoff_to_ai" | "task_created" | "task_completed" | "message_inbound" | "message_outbound"
  actor_type: "user" | "ai" | "system"
  actor_id: string | null
  payload: Record<string, unknown>
  livemode: boolean
  created_at: string
}

/** A file and an FAQ are a `document`; pages are read later, and belong to a `website` */
export interface AddedSource {
  kind: "file" | "page" | "site" | "sitemap" | "faq"
  document: Document | null
  website: Website | null
}

export interface Agent {
  id: string
  name: string
  organization_id: string
  /** IANA name. Determines what the agent calls "now"; default for schedules */
  timezone: string | null
  /** `prompt`: driven by a language model; `static`: driven by rules */
  agent_type: "prompt" | "static"
  /** An inactive agent does not answer */
  is_active: "active" | "inactive"
  agent_config: AgentConfig
  /** Increases with every change; calls keep the version they ran with */
  version: number
  livemode: boolean
  created_at: string
  updated_at: string
}

export interface AgentBusinessHours {
  /** The business hours that `replies` and `transfers` follow */
  schedule_id: string | null
  /** When the agent answers chat messages: always, within the business hours or outside them */
  replies: "always" | "open" | "closed"
  /** When calls may be transferred. Outside the business hours a transfer becomes a hand-off. Decided when the call starts */
  transfers: "always" | "open"
}

export interface AgentCallSettings {
  max_duration_seconds: number
  silence_timeout_seconds: number
  /** How often the agent asks whether the caller is still there before silence ends the call */
  silence_reminders: number
  /** Silence before each reminder. Reminders do not delay `silence_timeout_seconds`; those that would come after it are left out */
  silence_reminder_seconds: number
  /** Whether speech recognition detects the caller’s language, where the provider can. The agent’s own phrases then follow the caller */
  detect_language: boolean
  /** Whether the caller can interrupt the agent */
  interruptible: boolean
  record: boolean
  voicemail: "hangup" | "leave_message" | "continue"
  /** E.164. The number that calls are transferred to; without it a transfer becomes a hand-off */
  transfer_number: string | null
  /** Further numbers that a prompt agent can transfer to. Without `transfer_number`, rules and callers who ask for a person get the first that is open */
  transfer_targets: AgentTransferTarget[]
  /** Whether a prompt agent can send the contact a chat message during a call, one in a turn and five in a call */
  send_messages: boolean
  /** Templates that the agent can send, even outside of the platform’s 24-hour window. Needs `send_messages` */
  message_templates: AgentMessageTemplate[]
  /** Whether the person whom a call is transferred to first hears who is calling and why, and takes the call by pressing a key */
  warm_transfer: boolean
  /** Whether a prompt agent can press keys (DTMF) on phone calls, for example in the menu of another system */
  press_keys: boolean
  /** Rules of a static agent; the first match wins */
  rules: AgentRule[]
  /** What a static agent says when no rule matches; a plain string is short for `{say}` */
  fallback: string | AgentFallback | null
}

export interface AgentChanges {
  name?: string
  /** `prompt`: driven by a language model; `static`: driven by rules */
  agent_type?: "prompt" | "static"
  /** IANA name. Determines what the agent calls "now"; default for schedules */
  timezone?: string | null
  /** An inactive agent does not answer */
  is_active?: "active" | "inactive"
  agent_config?: AgentConfigChanges
}

export interface AgentChatAnswer {
  session_id: string
  agent_id: string
  agent_version: number
  reply: string
  /** Answers to choose from: in chat buttons or a list */
  choices: string[]
  /** The agent’s next action */
  action: {
    type: "handoff" | "end_call" | "transfer"
    reason: string
  } | null
  tool_calls: Array<{
    name: string
    arguments: Record<string, unknown>
    result: string
    is_error: boolean
  }>
  /** Documents available to the agent for this reply */
  sources: Array<{
    document_id: string
    file_name: string
    page: number | null
  }>
  usage: {
    input_tokens: number
    output_tokens: number
    /** `scripted` if no model was called */
    model: string
    /** The part of the tokens that the organization’s own account at the provider pays for */
    own_key?: {
      input_tokens: number
      output_tokens: number
    }
  }
}

export interface AgentChatMessage {
  message: string
  /** Continues that conversation; omit it to start a new one */
  session_id?: string
}

export interface AgentConfig {
  /** Said when the call is answered */
  welcome_message: string | null
  /** Persona and constraints */
  system_prompt: string | null
  language: string
  llm_provider: "openai" | "anthropic" | "google"
  /** Defaults to a small model of the provider */
  llm_model: string
  voice_settings: AgentVoiceSettings | null
  transcriber: AgentTranscriber
  call_settings: AgentCallSettings
  tools: AgentTool[]
  mcp_servers: AgentMcpServer[]
  knowledge: AgentKnowledge
  business_hours: AgentBusinessHours
  fallbacks: AgentFallbacks
  phrases: AgentPhrases
  turn_taking: AgentTurnTaking
  memory: AgentMemory
  results: AgentResults
}

export interface AgentConfigChanges {
  /** Said when the call is answered */
  welcome_message?: string | null
  /** Persona and constraints */
  system_prompt?: string | null
  language?: string | null
  llm_provider?: "openai" | "anthropic" | "google" | null
  /** Defaults to a small model of the provider */
  llm_model?: string | null
  voice_settings?: AgentVoiceSettings | null
  transcriber?: AgentConfigChangesTranscriber | null
  call_settings?: AgentConfigChangesCallSettings | null
  tools?: AgentToolInput[] | null
  mcp_servers?: AgentMcpServerInput[] | null
  knowledge?: AgentConfigChangesKnowledge | null
  business_hours?: AgentConfigChangesBusinessHours | null
  fallbacks?: AgentConfigChangesFallbacks | null
  phrases?: AgentConfigChangesPhrases | null
  turn_taking?: AgentConfigChangesTurnTaking | null
  memory?: AgentConfigChangesMemory | null
  results?: AgentConfigChangesResults | null
}

export interface AgentConfigChangesBusinessHours {
  /** The business hours that `replies` and `transfers` follow */
  schedule_id?: string | null
  /** When the agent answers chat messages: always, within the business hours or outside them */
  replies?: "always" | "open" | "closed" | null
  /** When calls may be transferred. Outside the business hours a transfer becomes a hand-off. Decided when the call starts */
  transfers?: "always" | "open" | null
}

export interface AgentConfigChangesCallSettings {
  max_duration_seconds?: number | null
  silence_timeout_seconds?: number | null
  /** How often the agent asks whether the caller is still there before silence ends the call */
  silence_reminders?: number | null
  /** Silence before each reminder. Reminders do not delay `silence_timeout_seconds`; those that would come after it are left out */
  silence_reminder_seconds?: number | null
  /** Whether speech recognition detects the caller’s language, where the provider can. The agent’s own phrases then follow the caller */
  detect_language?: boolean | null
  /** Whether the caller can interrupt the agent */
  interruptible?: boolean | null
  record?: boolean | null
  voicemail?: "hangup" | "leave_message" | "continue" | null
  /** E.164. The number that calls are transferred to; without it a transfer becomes a hand-off */
  transfer_number?: string | null
  /** Further numbers that a prompt agent can transfer to. Without `transfer_number`, rules and callers who ask for a person get the first that is open */
  transfer_targets?: AgentTransferTargetInput[] | null
  /** Whether a prompt agent can send the contact a chat message during a call, one in a turn and five in a call */
  send_messages?: boolean | null
  /** Templates that the agent can send, even outside of the platform’s 24-hour window. Needs `send_messages` */
  message_templates?: AgentMessageTemplateInput[] | null
  /** Whether the person whom a call is transferred to first hears who is calling and why, and takes the call by pressing a key */
  warm_transfer?: boolean | null
  /** Whether a prompt agent can press keys (DTMF) on phone calls, for example in the menu of another system */
  press_keys?: boolean | null
  /** Rules of a static agent; the first match wins */
  rules?: AgentRule[] | null
  /** What a static agent says when no rule matches; a plain string is short for `{say}` */
  fallback?: string | AgentFallback | null
}

export interface AgentConfigChangesFallbacks {
  /** Models to ask, in this order, if `llm_model` fails before its first words */
  models?: AgentModelFallback[] | null
  /** Recognizers for the same audio if `transcriber` fails */
  transcribers?: AgentTranscriberFallback[] | null
  /** Voices to speak with if the one of `voice_settings` fails before its first sound. The call keeps the voice that took over */
  voices?: AgentVoiceFallback[] | null
}

export interface AgentConfigChangesKnowledge {
  /** Whether the agent reads every document of the organization. Defaults to true, or to false if a request sends `document_ids` or `collection_ids` without it */
  all?: boolean | null
  /** Documents that the agent reads when `all` is false. Deleted documents are ignored */
  document_ids?: string[] | null
  /** Collections whose documents the agent reads when `all` is false, besides `document_ids`. Deleted collections are ignored */
  collection_ids?: string[] | null
}

export interface AgentConfigChangesMemory {
  /** Whether a prompt agent knows the contact’s earlier conversations and open tasks */
  enabled?: boolean | null
  /** How many earlier calls and chats it knows, newest first */
  conversations?: number | null
}

export interface AgentConfigChangesPhrases {
  /** Asked when the line is silent, before silence ends the call */
  silence_reminder?: string | null
  /** Said before the call ends because of silence or its maximum length */
  closing?: string | null
  /** The message for an answering machine. Null leaves the welcome message and a request to call back */
  voicemail?: string | null
  /** Said before a transfer if the agent says nothing itself */
  transfer?: string | null
  /** Said with `warm_transfer` to the person who answers, before the caller is connected. `{{caller}}` and `{{reason}}` are filled in */
  briefing?: string | null
  /** Said before a hand-off if the agent says nothing itself, and when a transferred call is not taken */
  handoff?: string | null
  /** Said if a tool takes longer than two seconds and has no `say_while_running` */
  hold?: string | null
  /** Said when the caller has spoken and no words were recognized, once until words are recognized again */
  not_understood?: string | null
  /** Said when the model, the recognizer or the voice fails once */
  say_again?: string | null
  /** Said when they fail again and the call is transferred */
  connecting?: string | null
  /** Said when they fail again, or a transfer fails, and a person has to call the contact back */
  call_back?: string | null
  /** The same for a caller without a number to call back, such as one in a browser */
  try_later?: string | null
}

export interface AgentConfigChangesResults {
  /** JSON Schema of an object to fill from the conversation when it is over. At most 50 properties, 32,768 characters and 32 levels, without `$ref`. Regular expressions and formats are only shown to the model */
  extract?: Record<string, unknown> | null
  /** Fields of the contact that extracted properties are written to */
  contact_fields?: AgentContactFieldInput[] | null
  /** Judged when the conversation is over, each with a reason */
  success_criteria?: AgentSuccessCriterionInput[] | null
  /** How a conversation can end. The model chooses one at most */
  dispositions?: AgentDispositionInput[] | null
}

export interface AgentConfigChangesTranscriber {
  /** Null for the installation’s default */
  provider?: string | null
  model?: string | null
  /** Length of the pause that ends the caller’s turn */
  endpointing_ms?: number | null
}

export interface AgentConfigChangesTurnTaking {
  /** Words that the caller has to say to interrupt the agent. Stop words interrupt it at once */
  min_words?: number | null
  /** How easily sound interrupts the agent. Shorter sounds than 900 ms (`low`), 600 ms (`medium`) or 400 ms (`high`) do not, unless they are stop words */
  sensitivity?: "low" | "medium" | "high" | null
  /** Whether the caller can interrupt the welcome message */
  welcome_interruptible?: boolean | null
  /** Words that always interrupt, in addition to the language’s own, such as “stop” and “wait” */
  stop_words?: string[] | null
}

export interface AgentContactField {
  /** A property at the top level of `extract` */
  property: string
  /** `name`, or `custom_fields.` and the name of a custom field */
  field: string
  /** Whether a value that the contact already has is replaced. By default only empty fields are filled */
  overwrite: boolean
}

export interface AgentContactFieldInput {
  /** A property at the top level of `extract` */
  property: string
  /** `name`, or `custom_fields.` and the name of a custom field */
  field: string
  /** Whether a value that the contact already has is replaced. By default only empty fields are filled */
  overwrite?: boolean
}

export interface AgentDisposition {
  name: string
  /** Tells the model when it applies */
  description: string
}

export interface AgentDispositionInput {
  name: string
  /** Tells the model when it applies */
  description?: string
}

export interface AgentError {
  /** HTTP status */
  error: number
  message: string
  /** Same as `message`; absent with 400, 401 and 500 */
  detail?: string
  /** Id of the existing record */
  existing_id?: string
  upstream?: {
    code: string | number | null
    message: string
  }
}

export interface AgentFallback {
  say: string
  /** Answers to choose from: in chat up to three buttons or a list, on the phone words. The customer’s choice arrives as their words, so another rule can answer it. Not together with `then` */
  choices?: string[]
  /** What to do after saying it */
  then?: "end" | "handoff" | "transfer"
}

export interface AgentFallbacks {
  /** Models to ask, in this order, if `llm_model` fails before its first words */
  models: AgentModelFallback[]
  /** Recognizers for the same audio if `transcriber` fails */
  transcribers: AgentTranscriberFallback[]
  /** Voices to speak with if the one of `voice_settings` fails before its first sound. The call keeps the voice that took over */
  voices: AgentVoiceFallback[]
}

export interface AgentKnowledge {
  /** Whether the agent reads every document of the organization. Defaults to true, or to false if a request sends `document_ids` or `collection_ids` without it */
  all: boolean
  /** Documents that the agent reads when `all` is false. Deleted documents are ignored */
  document_ids: string[]
  /** Collections whose documents the agent reads when `all` is false, besides `document_ids`. Deleted collections are ignored */
  collection_ids: string[]
}

export interface AgentMcpServer {
  name: string
  url: string
  /** Sent with every request to the server. Values are stored encrypted and shown masked; a masked value that you send back stays unchanged */
  headers: Record<string, unknown>
  /** Tools the agent may use; null for all */
  allowed_tools: string[] | null
}

export interface AgentMcpServerInput {
  name: string
  url: string
  /** Sent with every request to the server. Values are stored encrypted and shown masked; a masked value that you send back stays unchanged */
  headers?: Record<string, unknown>
  /** Tools the agent may use; null for all */
  allowed_tools?: string[] | null
}

export interface AgentMemory {
  /** Whether a prompt agent knows the contact’s earlier conversations and open tasks */
  enabled: boolean
  /** How many earlier calls and chats it knows, newest first */
  conversations: number
}

export interface AgentMessageTemplate {
  name: string
  language: string
  /** Tells the model when to send it */
  description: string
}

export interface AgentMessageTemplateInput {
  name: string
  language: string
  /** Tells the model when to send it */
  description?: string
}

export interface AgentModelFallback {
  provider: "openai" | "anthropic" | "google"
  model: string
}

/** What the service itself says on a call. Variables are filled in */
export interface AgentPhrases {
  /** Asked when the line is silent, before silence ends the call */
  silence_reminder: string | null
  /** Said before the call ends because of silence or its maximum length */
  closing: string | null
  /** The message for an answering machine. Null leaves the welcome message and a request to call back */
  voicemail: string | null
  /** Said before a transfer if the agent says nothing itself */
  transfer: string | null
  /** Said with `warm_transfer` to the person who answers, before the caller is connected. `{{caller}}` and `{{reason}}` are filled in */
  briefing: string | null
  /** Said before a hand-off if the agent says nothing itself, and when a transferred call is not taken */
  handoff: string | null
  /** Said if a tool takes longer than two seconds and has no `say_while_running` */
  hold: string | null
  /** Said when the caller has spoken and no words were recognized, once until words are recognized again */
  not_understood: string | null
  /** Said when the model, the recognizer or the voice fails once */
  say_again: string | null
  /** Said when they fail again and the call is transferred */
  connecting: string | null
  /** Said when they fail again, or a transfer fails, and a person has to call the contact back */
  call_back: string | null
  /** The same for a caller without a number to call back, such as one in a browser */
  try_later: string | null
}

/** What the agent determines after each call and each closed chat */
export interface AgentResults {
  /** JSON Schema of an object to fill from the conversation when it is over. At most 50 properties, 32,768 characters and 32 levels, without `$ref`. Regular expressions and formats are only shown to the model */
  extract: Record<string, unknown> | null
  /** Fields of the contact that extracted properties are written to */
  contact_fields: AgentContactField[]
  /** Judged when the conversation is over, each with a reason */
  success_criteria: AgentSuccessCriterion[]
  /** How a conversation can end. The model chooses one at most */
  dispositions: AgentDisposition[]
}

export interface AgentRule {
  /** Words or phrases. One match is enough; case is ignored */
  when: string[]
  say: string
  /** Answers to choose from: in chat up to three buttons or a list, on the phone words. The customer’s choice arrives as their words, so another rule can answer it. Not together with `then` */
  choices?: string[]
  /** What to do after saying it */
  then?: "end" | "handoff" | "transfer"
}

export interface AgentSuccessCriterion {
  name: string
  /** Tells the model when the criterion is met */
  description: string
}

export interface AgentSuccessCriterionInput {
  name: string
  /** Tells the model when the criterion is met */
  description?: string
}

export interface AgentTool {
  name: string
  /** Tells the model when to use the tool */
  description: string
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** `{name}` in the path or query is replaced by the parameter of that name */
  url: string
  /** Sent with every request to the tool. Values are stored encrypted and shown masked; a masked value that you send back stays unchanged */
  headers: Record<string, unknown>
  /** JSON Schema of the parameters that the model fills in. Parameters not used in the address go into the query of a GET or DELETE, otherwise into a JSON body */
  parameters: Record<string, unknown>
  timeout_ms: number
  say_while_running: string | null
}

export interface AgentToolInput {
  name: string
  /** Tells the model when to use the tool */
  description?: string
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** `{name}` in the path or query is replaced by the parameter of that name */
  url: string
  /** Sent with every request to the tool. Values are stored encrypted and shown masked; a masked value that you send back stays unchanged */
  headers?: Record<string, unknown>
  /** JSON Schema of the parameters that the model fills in. Parameters not used in the address go into the query of a GET or DELETE, otherwise into a JSON body */
  parameters?: Record<string, unknown>
  timeout_ms?: number
  say_while_running?: string | null
}

export interface AgentTranscriber {
  /** Null for the installation’s default */
  provider: string | null
  model: string | null
  /** Length of the pause that ends the caller’s turn */
  endpointing_ms: number
}

export interface AgentTranscriberFallback {
  provider: "deepgram" | "cartesia" | "openai" | "local"
  /** Null for the installation’s default */
  model?: string | null
}

export interface AgentTransferTarget {
  /** What the model calls it */
  name: string
  /** E.164 */
  number: string
  /** Tells the model when to transfer there */
  description: string
  /** Business hours of the target. Outside them the agent cannot transfer there. Decided when the call starts */
  schedule_id: string | null
}

export interface AgentTransferTargetInput {
  /** What the model calls it */
  name: string
  /** E.164 */
  number: string
  /** Tells the model when to transfer there */
  description?: string
  /** Business hours of the target. Outside them the agent cannot transfer there. Decided when the call starts */
  schedule_id?: string | null
}

export interface AgentTurnTaking {
  /** Words that the caller has to say to interrupt the agent. Stop words interrupt it at once */
  min_words: number
  /** How easily sound interrupts the agent. Shorter sounds than 900 ms (`low`), 600 ms (`medium`) or 400 ms (`high`) do not, unless they are stop words */
  sensitivity: "low" | "medium" | "high"
  /** Whether the caller can interrupt the welcome message */
  welcome_interruptible: boolean
  /** Words that always interrupt, in addition to the language’s own, such as “stop” and “wait” */
  stop_words: string[]
}

export interface AgentVoiceFallback {
  provider: "elevenlabs" | "cartesia" | "openai" | "local"
  /** Null for the provider’s first voice */
  provider_voice_id?: string | null
}

export interface AgentVoiceSettings {
  /** An id from `GET /voices` */
  voice_id?: string | null
  name?: string | null
  provider?: string | null
  /** The provider’s own id of the voice, from `GET /voices?provider=…`. Requires `provider`, and takes precedence over `voice_id` */
  provider_voice_id?: string | null
  /** `speech_to_speech`: on live calls of prompt agents, one model of OpenAI hears and speaks, with `provider_voice_id` if `provider` is `openai`. If it fails, the call continues with the `pipeline`: recognizer, model and voice. Null for the `pipeline` */
  mode?: "pipeline" | "speech_to_speech" | null
  /** The model of `speech_to_speech`. Null for the installation’s default */
  model?: string | null
}

export interface AppDataRequest {
  /** The address book of the app (`contacts`) or its chats (`history`) */
  data: "contacts" | "history"
}

export interface AssignmentRule {
  /** Id of the channel */
  id: string
  /** The team that gets new conversations of the channel */
  team_id: string | null
  /** Business hours of the channel, for the away message */
  schedule_id: string | null
  /** Sent when a contact writes outside the business hours and no agent answers: once for each conversation and closed period */
  away_message: string | null
  created_at: string
  updated_at: string
}

export interface AssignmentRuleInput {
  /** The team that gets new conversations of the channel */
  team_id?: string | null
  /** Business hours of the channel, for the away message */
  schedule_id?: string | null
  /** Sent when a contact writes outside the business hours and no agent answers: once for each conversation and closed period */
  away_message?: string | null
}

export interface AttachmentForm {
  /** The file to send with the reply */
  file: Upload
}

export interface AuditEntry {
  id: string
  /** What happened: the type of the object and a verb */
  action: string
  /** A person, an API key, or `system`: the service itself or an operator of the installation */
  actor_type: "user" | "key" | "system"
  actor_id: string | null
  /** The name at that time */
  actor_name: string | null
  object_type: string
  object_id: string | null
  /** The name at that time */
  object_name: string | null
  /** The changed fields before. Secrets are shown as `[hidden]` */
  previous: Record<string, unknown> | null
  /** The changed fields after. Secrets are shown as `[hidden]` */
  current: Record<string, unknown> | null
  ip_address: string | null
  /** The `X-Request-Id` of the response */
  request_id: string | null
  /** Null if it concerns both modes */
  mode: "test" | "live" | null
  created_at: string
}

export interface AuthenticationError {
  /** Human-readable error message */
  detail: string
  error: {
    code: "invalid_api_key" | "second_factor_required" | "second_factor_invalid" | "second_factor_setup_required"
    message: string
    type: "authentication_error"
  }
}

export interface AuthenticatorRemoval {
  /** Required, unless you have no password or have just signed in with a link */
  current_password?: string
  /** A code of your authenticator app or a recovery code */
  code: string
}

export interface AuthenticatorSetup {
  /** Required, unless you have no password or have just signed in with a link */
  current_password?: string
}

export interface Availability {
  /** Id of the member */
  id: string
  name: string
  /** Only members who are `online` are assigned conversations automatically */
  status: "online" | "away" | "off"
  /** Most open tickets that are assigned automatically; null for no limit */
  capacity: number | null
  /** Open tickets that are assigned to the member */
  open_tickets: number
  /** Null if it was never set */
  updated_at: string | null
}

export interface AvailabilityChanges {
  /** Only members who are `online` are assigned conversations automatically */
  status?: "online" | "away" | "off"
  /** Most open tickets that are assigned automatically; null for no limit */
  capacity?: number | null
}

export interface BuiltInRole {
  /** The value of `role` in members and invitations */
  role: string
  scopes: Array<"full_access" | "agents:read" | "agents:write" | "calls:dispatch" | "calls:read" | "calls:listen" | "campaigns:manage" | "campaigns:read" | "webhooks:admin" | "contacts:read" | "contacts:write" | "inbox:read" | "inbox:write" | "knowledge:read" | "knowledge:write" | "members:manage" | "audit:read">
}

export interface BulkEdit {
  id: string
  organization_id: string
  filter: Record<string, unknown>
  changes: Record<string, unknown>
  state: "running" | "completed" | "cancelled"
  /** Contacts that matched when it started */
  total: number
  /** Contacts that are done */
  processed: number
  livemode: boolean
  created_at: string
  updated_at: string
}

export interface BulkTicketChanges {
  /** The tickets to change */
  ids: string[]
  status?: "open" | "closed"
  assignee_id?: string | null
  /** Passes the ticket to the team, without its assignee unless you name one; null removes it from its team */
  team_id?: string | null
  priority?: "low" | "normal" | "high" | "urgent"
  /** Sets the ticket aside until then; null brings it back */
  snoozed_until?: string | null
  add_tags?: string[]
  remove_tags?: string[]
}

export interface BulkTicketResult {
  /** The tickets after the change */
  updated: Ticket[]
  /** The tickets that did not change, and why */
  failed: FailedTicket[]
}

export interface Call {
  id: string
  organization_id: string
  /** The carrier’s id of the call; empty until the carrier has accepted it */
  call_id: string
  medium: "phone" | "web"
  agent_id: string | null
  /** Version of the agent that handled the call */
  agent_version: number | null
  /** The channel */
  chat_phone_number_id: string | null
  /** The carrier’s id of the channel’s number */
  phone_number_id: string | null
  contact_id: string | null
  /** The contact’s current name; null if the call has no contact */
  contact_name: string | null
  /** E.164; empty for a browser call */
  from_number: string
  /** E.164; empty for a browser call */
  to_number: string
  direction: "inbound" | "outbound"
  status: "completed" | "in-progress" | "busy" | "failed" | "no-answer"
  /** `queued`, `dialing`, then the carrier’s statuses: `initiated`, `ringing`, `in-progress`, `completed`, `busy`, `no-answer`, `failed`, `canceled` */
  telephony_status: string
  /** Why the call ended; null while it runs. The guide on calls explains each reason */
  ended_reason: "caller_hung_up" | "agent_ended" | "ended_by_request" | "handed_off" | "transferred" | "max_duration" | "silence" | "voicemail" | "line_lost" | "busy" | "all_lines_busy" | "no_answer" | "not_joined" | "carrier_refused" | "carrier_unreachable" | "carrier_failed" | "canceled" | "dial_unknown" | "carrier_silent" | "no_media" | "no_agent" | "worker_lost" | "deadline" | "queued_too_long" | "failed" | null
  /** Result of the carrier’s answering machine detection: `human`, `machine_start` … */
  answered_by: string | null
  /** Seconds of connected audio, rounded up */
  duration_seconds: number
  started_at: string
  ended_at: string | null
  /** Where to download the recording with a credential; empty if there is none */
  recording_url: string
  transcript: TranscriptSegment[]
  summary: string
  /** USD */
  cost: number
  cost_breakdown: CostBreakdown | null
  latency: CallLatency | null
  analysis: CallAnalysis | null
  error: CallError | null
  transfer: CallTransfer | null
  variables: Record<string, unknown>
  metadata: Record<string, unknown>
  livemode: boolean
  created_at: string
  updated_at: string
}

export interface CallAnalysis {
  outcome: "answered" | "voicemail" | "handed_off" | "transferred" | "not_reached" | "failed"
  turns: {
    caller: number
    agent: number
  }
  words: {
    caller: number
    agent: number
  }
  /** How often the caller interrupted the agent */
  interruptions: number
  handoff_reason: string | null
  /** Stages that failed during the call, with the time of each failure */
  failures: Array<{
    stage: string
    message: string
    at: number
  }>
  /** Providers that failed and were replaced by the next one of the agent’s chain */
  fallbacks?: Array<{
    stage: "transcriber" | "model" | "voice"
    from: string
    to: string
    /** Why the first one failed */
    message: string
    /** In seconds since the start of the call */
    at: number
  }>
  /** Tools that the agent called, in order */
  tool_calls?: Array<{
    name: string
    arguments: Record<string, unknown>
    /** The first 2,000 characters of the result */
    result: string
    is_error: boolean
    /** When it was called, in seconds since the start of the call */
    at: number
  }>
  /** Model that wrote the summary */
  summary_by: string | null
  /** Why no model wrote the summary. An unavailable model is retried for about an hour */
  summary_error?: string | null
  results?: ConversationResults
}

export interface CallError {
  code: string
  message: string
}

export interface CallFigures {
  /** Calls that started */
  calls: number
  /** Of these, inbound ones */
  inbound: number
  /** Of these, outbound ones */
  outbound: number
  /** Calls that were answered and ended */
  completed: number
  /** Calls that were busy or not answered */
  not_reached: number
  /** Calls that failed */
  failed: number
  /** Calls handed off or transferred to a person */
  handed_off: number
  /** Duration of all calls together */
  talk_seconds: number
}

/** Milliseconds per stage. `endpointing`: until the end of the caller’s turn was certain; `transcription`: from there to the text; `llm`: from there to the model’s first words; `voice`: from its first sentence to the first audio; `total`: from the end of the caller’s speech to the first audio. Only in calls that have them: `retrieval`: the search in the knowledge base, which may run before the end of the turn is certain; `tools`: tools before the first words, part of `llm`; `heard`: measured in the recording, from the end of the caller’s sound to the start of the agent’s */
export interface CallLatency {
  /** Number of turns measured */
  turns: number
  endpointing: StageLatency
  transcription: StageLatency
  llm: StageLatency
  voice: StageLatency
  total: StageLatency
  retrieval?: StageLatency
  tools?: StageLatency
  heard?: StageLatency
  early_starts?: EarlyStarts
  /** Each turn, in order */
  by_turn?: TurnLatency[]
}

/** Rates used to estimate call costs, in USD; set by the operator */
export interface CallRates {
  /** Per started minute of a phone call */
  telephony_per_minute: number
  /** Per minute of speech recognition */
  transcription_per_minute: number
  /** Per thousand characters of speech synthesis */
  voice_per_1000_characters: number
  /** Per million tokens that a model reads */
  llm_per_million_input_tokens: number
  /** Per million tokens that a model writes */
  llm_per_million_output_tokens: number
  /** Per million tokens of speech that a speech-to-speech model hears */
  speech_per_million_input_tokens: number
  /** Per million tokens of speech that a speech-to-speech model speaks */
  speech_per_million_output_tokens: number
}

export interface CallReport {
  /** First and last day */
  period: {
    from: string
    until: string
  }
  /** As many days, right before */
  previous_period: {
    from: string
    until: string
  }
  time_zone: string
  interval: "day" | "week" | "month"
  totals: CallFigures
  previous: CallFigures
  /** Oldest first */
  series: Array<{
    date: string
    /** Calls that started */
    calls: number
    /** Of these, inbound ones */
    inbound: number
    /** Of these, outbound ones */
    outbound: number
    /** Calls that were answered and ended */
    completed: number
    /** Calls that were busy or not answered */
    not_reached: number
    /** Calls that failed */
    failed: number
    /** Calls handed off or transferred to a person */
    handed_off: number
    /** Duration of all calls together */
    talk_seconds: number
  }>
  by_channel: Array<{
    id: string | null
    name: string
    /** Calls that started */
    calls: number
    /** Of these, inbound ones */
    inbound: number
    /** Of these, outbound ones */
    outbound: number
    /** Calls that were answered and ended */
    completed: number
    /** Calls that were busy or not answered */
    not_reached: number
    /** Calls that failed */
    failed: number
    /** Calls handed off or transferred to a person */
    handed_off: number
    /** Duration of all calls together */
    talk_seconds: number
  }>
  by_agent: Array<{
    id: string | null
    name: string
    /** Calls that started */
    calls: number
    /** Of these, inbound ones */
    inbound: number
    /** Of these, outbound ones */
    outbound: number
    /** Calls that were answered and ended */
    completed: number
    /** Calls that were busy or not answered */
    not_reached: number
    /** Calls that failed */
    failed: number
    /** Calls handed off or transferred to a person */
    handed_off: number
    /** Duration of all calls together */
    talk_seconds: number
  }>
  /** Most frequent first */
  ended_reasons: Array<{
    reason: string
    /** Calls that ended so */
    count: number
  }>
}

export interface CallTransfer {
  /** E.164 */
  to: string
  /** `not_answered`: a task and a ticket ask for a call back */
  status: "requested" | "connected" | "not_answered"
  /** What the person who answered heard before the caller was connected */
  briefing: string | null
}

export interface Campaign {
  id: string
  organization_id: string
  name: string
  status: "scheduled" | "sending" | "paused" | "completed" | "cancelled" | "failed"
  /** The channel that sends the messages */
  chat_phone_number_id: string
  /** Null also if the template has been deleted */
  message_template_id: string | null
  /** Values for the template’s variables. A value may contain `{{contact.name}}`, `{{contact.first_name}}`, `{{contact.phone_number}}` and `{{contact.custom_fields.x}}`, each with a fallback: `{{contact.first_name|there}}`. If a number occurs in several parts of the template, `header.1`, `body.1`, `button.0.1` and `card.0.body.1` address one of them. `header` alone is the file of a media header, `card.0.header` that of a card: a URL, or the id that `POST /templates/media` returned. Others: `header.latitude`, `header.longitude`, `header.name` and `header.address` of a location, `limited_time_offer.expires_at`, `button.0.1` for a coupon code, `button.0.payload` of a quick reply, `button.0.flow_token` and `button.0.flow_data`, `button.0.products` (`Bundles: a1, a2; Seeds: b1`) and `button.0.thumbnail`. By default `{{1}}` in a text is the contact’s name and any other variable is the custom field of that name */
  template_variables: Record<string, string> | null
  audience_type: "all" | "tags" | "manual"
  audience_tags: string[] | null
  /** Null in lists and events if there are more than 1,000 */
  audience_contact_ids: string[] | null
  scheduled_at: string | null
  sending_times: SendingTimes | null
  /** Recipients resolved so far; complete once `frozen_at` is set */
  total_contacts_count: number
  /** Accepted by the messaging platform */
  sent_count: number
  /** Delivered, including those that were read */
  delivered_count: number
  /** Read */
  read_count: number
  /** Failed, including those that the platform had accepted first */
  failed_count: number
  /** Not sent: the contact has opted out, is blocked or has no address */
  skipped_count: number
  /** May or may not have been sent; a receipt can still settle it */
  unknown_count: number
  /** Not sent yet, or never sent if the campaign was canceled */
  pending_count: number
  /** In flight to the platform */
  sending_count: number
  /** Recipients who replied: who quoted the message or tapped a button, or wrote within seven days while it was the last message sent to them */
  replied_count: number
  /** Why it is paused */
  pause_reason: "user" | "failure_rate" | "token_expired" | "account_blocked" | "template_paused" | "template_unusable" | "template_deleted" | "channel_deleted" | "channel_not_ready" | null
  /** The reason in words */
  pause_detail: string | null
  /** Why it failed */
  failure_reason: "no_template" | "no_channel" | null
  /** While sending: the time until which the platform asked the channel to wait */
  waiting_until: string | null
  /** Why nothing is being sent at the moment: the platform’s message and code */
  waiting_reason: string | null
  started_at: string | null
  /** When every recipient had a delivery */
  frozen_at: string | null
  /** When nothing was left to send; receipts may still change the counts */
  completed_at: string | null
  livemode: boolean
  created_at: string
  updated_at: string
}

export interface CampaignButton {
  label: string
  /** Recipients who tapped it */
  count: number
}

export interface CampaignChanges {
  name?: string
  /** The channel that sends the messages */
  chat_phone_number_id?: string
  /** An approved template of the channel’s business account */
  message_template_id?: string | null
  /** `all` contacts, contacts with any of the `tags`, or only the contacts in `audience_contact_ids` (`manual`) */
  audience_type?: "all" | "tags" | "manual"
  /** With `tags`: contacts that have any of these */
  audience_tags?: string[] | null
  /** With `manual`: the contacts */
  audience_contact_ids?: string[] | null
  /** Null or a past time means now */
  scheduled_at?: string | null
  sending_times?: NewSendingTimes | null
  /** Values for the template’s variables. A value may contain `{{contact.name}}`, `{{contact.first_name}}`, `{{contact.phone_number}}` and `{{contact.custom_fields.x}}`, each with a fallback: `{{contact.first_name|there}}`. If a number occurs in several parts of the template, `header.1`, `body.1`, `button.0.1` and `card.0.body.1` address one of them. `header` alone is the file of a media header, `card.0.header` that of a card: a URL, or the id that `POST /templates/media` returned. Others: `header.latitude`, `header.longitude`, `header.name` and `header.address` of a location, `limited_time_offer.expires_at`, `button.0.1` for a coupon code, `button.0.payload` of a quick reply, `button.0.flow_token` and `button.0.flow_data`, `button.0.products` (`Bundles: a1, a2; Seeds: b1`) and `button.0.thumbnail`. By default `{{1}}` in a text is the contact’s name and any other variable is the custom field of that name */
  template_variables?: Record<string, string> | null
}

export interface CampaignFailure {
  status: "failed" | "skipped" | "unknown"
  /** The platform’s code, or one of our own */
  code: string
  /** The platform’s message for one of these deliveries */
  words: string | null
  /** Number of deliveries */
  count: number
  explanation: string
  what_to_do: string
}

export interface CampaignFigures {
  /** Campaigns that started */
  campaigns: number
  /** Contacts of the audience */
  recipients: number
  /** Messages that the platform accepted */
  sent: number
  /** Messages that were delivered */
  delivered: number
  /** Messages that were read */
  read: number
  /** Recipients who replied */
  replied: number
  /** Messages that failed */
  failed: number
  /** `replied` as a share of `sent`, from 0 to 1; null if nothing was sent */
  reply_rate: number | null
}

export interface CampaignLink {
  label: string
  /** Clicks */
  clicks: number
  /** People who clicked, each counted once a day; 0 if the platform does not report them */
  people: number
}

export interface CampaignPreflight {
  /** Contacts in the audience */
  total_contacts_count: number
  /** Contacts who would get the message */
  recipients: number
  skipped: PreflightSkipped
  /** Recipients for whom a variable has no value: their deliveries would fail */
  missing_variable: number
  unresolved_variables: UnresolvedVariable[]
  /** The channel’s rate */
  messages_per_second: number
  /** Estimated sending time at that rate */
  minutes: number
  /** Estimated time of the last message; null if there is no recipient, or not within ten years */
  last_message_at: string | null
  /** The most common time zone among the first 1,000 contacts of the audience, by the rules of `sending_times` */
  time_zone: string
  daily_limit: DailyLimit | null
  /** Problems that would prevent sending, in whole or in part */
  warnings: string[]
}

export interface CampaignReport {
  as_of: string
  /** Set even if the template has been deleted */
  template_name: string | null
  template_language: string | null
  template_category: string | null
  /** Components as they were when sending started */
  template_components: Array<Record<string, unknown>> | null
  /** Values of the variables in one message */
  example: Record<string, string> | null
  first_sent_at: string | null
  last_sent_at: string | null
  /** Length of each interval in seconds */
  step_seconds: number | null
  /** Sends over time; empty intervals are omitted */
  stretches: CampaignStretch[]
  /** Failures by reason, most frequent first; at most 40 reasons */
  failures: CampaignFailure[]
  /** `replied_count` as a share of `sent_count`, from 0 to 1 */
  reply_rate: number | null
  /** Reply buttons that recipients tapped, most frequent first */
  buttons: CampaignButton[]
  /** Clicks on the links of the template since the campaign started, if the platform reports them: `links_at` says when it was last asked, `links_error` why it reported nothing. It counts by template and day, so clicks on other messages of the template are included */
  links: CampaignLink[]
  links_at: string | null
  links_error: string | null
}

export interface CampaignRetry {
  /** Which deliveries to retry. Deliveries with the status `unknown` may reach a contact twice */
  scope: "failed" | "unknown"
}

export interface CampaignStretch {
  /** Start of the interval in the requested time zone */
  at: string
  /** Messages that the platform accepted in this interval */
  sent: number
  /** How many of them have been delivered */
  delivered: number
  /** How many of them have been read */
  read: number
}

export interface CampaignsReport {
  /** First and last day */
  period: {
    from: string
    until: string
  }
  /** As many days, right before */
  previous_period: {
    from: string
    until: string
  }
  time_zone: string
  interval: "day" | "week" | "month"
  totals: CampaignFigures
  previous: CampaignFigures
  /** Newest first; at most 200 */
  campaigns: Array<{
    id: string
    name: string
    started_at: string
    /** Contacts of the audience */
    recipients: number
    /** Messages that the platform accepted */
    sent: number
    /** Messages that were delivered */
    delivered: number
    /** Messages that were read */
    read: number
    /** Recipients who replied */
    replied: number
    /** Messages that failed */
    failed: number
    /** `replied` as a share of `sent`, from 0 to 1; null if nothing was sent */
    reply_rate: number | null
  }>
}

export interface Channel {
  id: string
  organization_id: string
  /** E.164 */
  phone_number: string
  display_name: string
  /** The agent that answers inbound chat and calls */
  agent_id: string | null
  messages_per_second: number
  /** Whether the WhatsApp Business app uses the number too. Set by itself when WhatsApp reports messages or contacts of the app. Campaigns then send at most 20 messages per second */
  coexistence: boolean
  /** Whether marketing templates are sent by WhatsApp’s Marketing Messages API, in campaigns and one by one. Accept its terms at WhatsApp first. Not used while the channel is in coexistence, which the API does not support */
  marketing_messages: boolean
  /** Whether contacts are asked to rate a conversation when its ticket is closed: once per ticket, within the 24 hours, in the language of the channel’s agent */
  asks_for_rating: boolean
  chat: ChannelChat | null
  voice: ChannelVoice | null
  /** Whether the chat side receives messages. `pending_verification`: the platform could not be reached, so the number is not confirmed; a background job retries, and the channel receives nothing until then. `verification_failed`: the platform refused, or the number is in use elsewhere; send `chat` again with PATCH */
  status: "active" | "pending_verification" | "verification_failed"
  /** Why the channel is not active */
  status_reason: string | null
  health: ChannelHealth | null
  livemode: boolean
  created_at: string
  updated_at: string
}

export interface ChannelChanges {
  /** Normalized to E.164 */
  phone_number?: string
  /** Display name */
  display_name?: string
  /** The agent that answers inbound chat and calls */
  agent_id?: string | null
  /** Messages per second that campaigns send on this channel; 80 by default */
  messages_per_second?: number
  /** Whether the WhatsApp Business app uses the number too. Set by itself when WhatsApp reports messages or contacts of the app. Campaigns then send at most 20 messages per second */
  coexistence?: boolean
  /** Whether marketing templates are sent by WhatsApp’s Marketing Messages API, in campaigns and one by one. Accept its terms at WhatsApp first. Not used while the channel is in coexistence, which the API does not support */
  marketing_messages?: boolean
  /** Whether contacts are asked to rate a conversation when its ticket is closed: once per ticket, within the 24 hours, in the language of the channel’s agent */
  asks_for_rating?: boolean
  chat?: ChannelChatChanges | null
  voice?: ChannelVoiceChanges | null
}

export interface ChannelChat {
  /** The messaging platform’s id of the number */
  phone_number_id: string
  /** The business account that owns the number and its templates */
  business_account_id: string
  /** The app of the access token, for samples of templates; read from the token if not set */
  app_id?: string | null
  /** Account id shown on this channel’s templates */
  account_id: string | null
  /** Whether `access_token` is set */
  has_access_token: boolean
  /** Whether `app_secret` is set */
  has_app_secret: boolean
  /** Whether `verify_token` is set */
  has_verify_token: boolean
  /** The callback URL to enter at the platform. A path if `PUBLIC_URL` is not set; null if neither the channel nor the installation has an app secret */
  hook_url: string | null
}

export interface ChannelChatChanges {
  /** The messaging platform’s id of the number */
  phone_number_id?: string
  /** The business account that owns the number and its templates */
  business_account_id?: string
  /** The app of the access token, for samples of templates; read from the token if not set */
  app_id?: string | null
  /** Account id shown on this channel’s templates */
  account_id?: string | null
  /** Token that sends messages and registers templates. Stored encrypted, never returned */
  access_token?: string
  /** Secret that verifies the platform’s webhooks; required unless the installation has an app for all channels. Stored encrypted, never returned */
  app_secret?: string
  /** Token that the platform echoes when it verifies the webhook; required with `app_secret`. Stored encrypted, never returned */
  verify_token?: string
}

export interface ChannelChatCredentials {
  /** The messaging platform’s id of the number */
  phone_number_id: string
  /** The business account that owns the number and its templates */
  business_account_id: string
  /** The app of the access token, for samples of templates; read from the token if not set */
  app_id?: string | null
  /** Account id shown on this channel’s templates */
  account_id?: string | null
  /** Token that sends messages and registers templates. Stored encrypted, never returned */
  access_token: string
  /** Secret that verifies the platform’s webhooks; required unless the installation has an app for all channels. Stored encrypted, never returned */
  app_secret?: string
  /** Token that the platform echoes when it verifies the webhook; required with `app_secret`. Stored encrypted, never returned */
  verify_token?: string
}

/** What the platform says about the number and its business account */
export interface ChannelHealth {
  /** How recipients rate the number’s messages: `GREEN`, `YELLOW`, `RED` or `UNKNOWN` */
  quality_rating: string | null
  /** The messaging limit in the platform’s words */
  messaging_limit_tier: string | null
  /** `STANDARD` or `HIGH` */
  throughput_level: string | null
  /** Review of the display name, such as `APPROVED`, `PENDING_REVIEW` or `DECLINED` */
  name_status: string | null
  /** Status of the number, such as `CONNECTED`, `FLAGGED`, `RESTRICTED` or `BANNED` */
  number_status: string | null
  /** Whether messages can be sent: `AVAILABLE`, `LIMITED` or `BLOCKED` */
  messaging_status: string | null
  /** Why messages are limited or blocked, in the platform’s words */
  messaging_problems: string[]
  /** Review of the business account: `APPROVED`, `PENDING` or `REJECTED` */
  account_review_status: string | null
  account_violation: AccountViolation | null
  /** State of the business account */
  account_status: "active" | "disable_scheduled" | "disabled"
  /** What the business account may not do at the moment */
  restrictions: AccountRestriction[]
  /** People that the business may write to first within 24 hours, across all its numbers; null if unlimited or unknown */
  messaging_limit: number | null
  /** When the number was last read from the platform */
  checked_at: string | null
}

export interface ChannelVoice {
  /** The carrier */
  provider: "twilio"
  /** The carrier’s account id */
  account_sid: string
  /** The carrier’s id of the number */
  phone_number_id: string
  /** Whether `auth_token` is set */
  has_auth_token: boolean
}

export interface ChannelVoiceChanges {
  /** The carrier */
  provider?: "twilio"
  /** The carrier’s account id */
  account_sid?: string
  /** The carrier’s id of the number */
  phone_number_id?: string
  /** Token of that account. Stored encrypted, never returned */
  auth_token?: string
}

export interface ChannelVoiceCredentials {
  /** The carrier */
  provider: "twilio"
  /** The carrier’s account id */
  account_sid: string
  /** The carrier’s id of the number */
  phone_number_id: string
  /** Token of that account. Stored encrypted, never returned */
  auth_token: string
}

/** The version of WhatsApp’s API that live channels use */
export interface ChatApi {
  /** The setting `GRAPH_API_VERSION` */
  asked: string
  /** The version of WhatsApp’s latest response; null before the first live request */
  served: string | null
  /** When that version ends */
  ends_on: string | null
  /** What to do about it; set from 90 days before the end */
  warning: string | null
}

export interface CodeConfirmation {
  /** A code of your authenticator app or a recovery code */
  code: string
}

export interface Collection {
  id: string
  organization_id: string
  name: string
  description: string
  /** Number of documents in it */
  document_count: number
  livemode: boolean
  created_at: string
  updated_at: string
}

export interface CollectionChanges {
  name?: string
  description?: string
}

export interface ConflictError {
  /** Human-readable error message */
  detail: string
  /** Id of the existing record */
  existing_id?: string
}

export interface Consent {
  id: string
  organization_id: string
  contact_id: string
  /** Where it applies */
  channel: "all" | "chat" | "voice" | "email"
  /** Purpose: `marketing`, `recording`, or a word of your own */
  purpose: string
  state: "granted" | "withdrawn"
  /** How the person said so. The service writes `message` (a word such as STOP), `platform` (a setting or refusal of WhatsApp) and `user` (entered by a member) */
  source: string
  /** What the person said, or the text that they agreed to */
  text: string
  /** When the person said so */
  at: string
  livemode: boolean
  created_at: string
}

export interface Contact {
  id: string
  organization_id: string
  /** E.164; empty for contacts known only by their chat account */
  phone_number: string
  name: string
  /** The name for the contact in messages; without it, the first word of `name` */
  first_name: string | null
  tags: string[]
  notes: string
  custom_fields: Record<string, unknown>
  /** Lifecycle stage */
  stage: "new" | "engaged" | "qualified" | "customer" | "lost"
  /** Whether the AI agent answers this contact */
  ai_handling: boolean
  last_activity_at: string | null
  opted_out_at: string | null
  /** Since when the contact is blocked */
  blocked_at: string | null
  whatsapp_user_id: string | null
  /** The person’s WhatsApp username */
  username: string | null
  /** IANA name; used for the sending times of campaigns. Null: derived from the phone number */
  time_zone: string | null
  /** Where the contact came from: the first ad or post on Facebook or Instagram whose click started a chat */
  source_type: "ad" | "post" | null
  /** Id of that ad or post on the platform */
  source_id: string | null
  /** Its headline at that time */
  source_headline: string | null
  /** Its address */
  source_url: string | null
  /** When the contact wrote the message */
  source_at: string | null
  livemode: boolean
  created_at: string
  updated_at: string
}

export interface ContactBrief {
  id: string
  name: string
  phone_number: string
  tags: string[]
  notes: string
  custom_fields: Record<string, unknown>
}

export interface ContactCard {
  name: {
    formatted_name: string
    first_name?: string
    last_name?: string
    middle_name?: string
    prefix?: string
    suffix?: string
  }
  phones?: Array<{
    phone: string
    type?: string
    wa_id?: string
  }>
  emails?: Array<{
    email: string
    type?: string
  }>
  urls?: Array<{
    url: string
    type?: string
  }>
  addresses?: Array<{
    street?: string
    city?: string
    state?: string
    zip?: string
    country?: string
    country_code?: string
    type?: string
  }>
  org?: {
    company?: string
    department?: string
    title?: string
  }
  birthday?: string
}

export interface ContactChanges {
  name?: string
  /** Normalized to E.164 */
  phone_number?: string
  tags?: string[]
  notes?: string
  /** Free key-value map; replaced as a whole */
  custom_fields?: Record<string, unknown>
  /** The name for the contact in messages; without it, the first word of `name` */
  first_name?: string | null
  /** Lifecycle stage */
  stage?: "new" | "engaged" | "qualified" | "customer" | "lost" | "customers"
  /** Whether the AI agent answers this contact */
  ai_handling?: boolean
  /** IANA name; used for the sending times of campaigns. Null: derived from the phone number */
  time_zone?: string | null
  /** Whether the contact has opted out of marketing */
  opted_out?: boolean
  /** Whether the contact is blocked: messages from it are dropped, and none are sent to it */
  blocked?: boolean
}

export interface ContactDuplicate {
  contact: Contact
  /** What both contacts have in common: an email address in a custom field such as `email`; a number or chat account, now or in the past; a name of two or more words; a number that differs only in the digit for mobile numbers */
  reasons: Array<"email" | "identity" | "name" | "number">
}

export interface ContactDuplicates {
  /** At most ten, the likeliest first */
  duplicates: ContactDuplicate[]
}

export interface ContactIdentity {
  kind: "phone" | "whatsapp_user_id" | "username"
  value: string
  /** Whether messages are sent to it */
  primary: boolean
  /** Since when the contact has it, by the time of WhatsApp or of the entry */
  since: string
  /** When the contact gave it up; null for current identities */
  until: string | null
}

export interface ContactImport {
  id: string
  organization_id: string
  state: "queued" | "running" | "completed" | "failed"
  counts: {
    /** Rows processed */
    rows: number
    /** Contacts created */
    created: number
    /** Rows that updated an existing contact */
    updated: number
    /** Rows skipped because the contact exists */
    skipped: number
    /** Invalid rows */
    invalid: number
  }
  /** Share of the file that has been read */
  progress: number
  /** Validate the file and count rows without writing contacts */
  dry_run: boolean
  /** What to do with a row whose phone number already has a contact: skip it, or update the contact with the row’s values (empty cells are ignored, custom fields are merged) */
  on_conflict: "skip" | "update"
  /** Country of phone numbers without `+`, as two letters; by default the organization’s */
  default_country: string | null
  file_name: string
  /** Detected text encoding of the file */
  encoding: string
  /** Why the import failed */
  error: string | null
  livemode: boolean
  created_at: string
  completed_at: string | null
}

export interface ContactImportReport {
  id: string
  organization_id: string
  state: "queued" | "running" | "completed" | "failed"
  counts: {
    /** Rows processed */
    rows: number
    /** Contacts created */
    created: number
    /** Rows that updated an existing contact */
    updated: number
    /** Rows skipped because the contact exists */
    skipped: number
    /** Invalid rows */
    invalid: number
  }
  /** Share of the file that has been read */
  progress: number
  /** Validate the file and count rows without writing contacts */
  dry_run: boolean
  /** What to do with a row whose phone number already has a contact: skip it, or update the contact with the row’s values (empty cells are ignored, custom fields are merged) */
  on_conflict: "skip" | "update"
  /** Country of phone numbers without `+`, as two letters; by default the organization’s */
  default_country: string | null
  file_name: string
  /** Detected text encoding of the file */
  encoding: string
  /** Why the import failed */
  error: string | null
  livemode: boolean
  created_at: string
  completed_at: string | null
  /** Columns of the file; empty until its header has been read */
  columns: Array<{
    /** Column name in the file */
    column: string
    /** Field that the column is read as: `phone_number`, `name`, `first_name`, `last_name`, `tags`, `notes`, `stage`, `ai_handling`, `opted_out_at`, `time_zone`, `custom_fields.` and a name, or null if the column is ignored */
    field: string | null
  }>
  /** The first 1000 invalid rows, each with its first error */
  errors: Array<{
    /** Row number as in a spreadsheet: the header is row 1 */
    row: number
    /** Name of the invalid column; empty if the whole row is invalid */
    column: string
    message: string
  }>
  /** Invalid rows beyond those in `errors` */
  errors_omitted: number
}

export interface ContactMerge {
  /** The other contact. It is merged into the one in the path and ceases to exist */
  contact_id: string
}

export interface ContactReplacement {
  name?: string
  /** Normalized to E.164 */
  phone_number?: string
  tags?: string[]
  notes?: string
  /** Free key-value map; replaced as a whole */
  custom_fields?: Record<string, unknown>
}

export interface ContactSource {
  /** Where the contact came from: the first ad or post on Facebook or Instagram whose click started a chat */
  source_type: "ad" | "post" | null
  /** Id of that ad or post on the platform */
  source_id: string | null
  /** Its headline at that time */
  source_headline: string | null
  /** Its address */
  source_url: string | null
  /** Contacts that came from it in these days */
  contacts: number
}

export interface ContactSources {
  /** Contacts that came from ads and posts in these days */
  total: number
  /** Ads and posts, those with most contacts first; at most 100 */
  data: ContactSource[]
}

export interface ContactTags {
  tags: Array<{
    tag: string
    /** Number of contacts with this tag */
    contacts: number
  }>
}

export interface ContactWithIdentities {
  id: string
  organization_id: string
  /** E.164; empty for contacts known only by their chat account */
  phone_number: string
  name: string
  /** The name for the contact in messages; without it, the first word of `name` */
  first_name: string | null
  tags: string[]
  notes: string
  custom_fields: Record<string, unknown>
  /** Lifecycle stage */
  stage: "new" | "engaged" | "qualified" | "customer" | "lost"
  /** Whether the AI agent answers this contact */
  ai_handling: boolean
  last_activity_at: string | null
  opted_out_at: string | null
  /** Since when the contact is blocked */
  blocked_at: string | null
  whatsapp_user_id: string | null
  /** The person’s WhatsApp username */
  username: string | null
  /** IANA name; used for the sending times of campaigns. Null: derived from the phone number */
  time_zone: string | null
  /** Where the contact came from: the first ad or post on Facebook or Instagram whose click started a chat */
  source_type: "ad" | "post" | null
  /** Id of that ad or post on the platform */
  source_id: string | null
  /** Its headline at that time */
  source_headline: string | null
  /** Its address */
  source_url: string | null
  /** When the contact wrote the message */
  source_at: string | null
  livemode: boolean
  created_at: string
  updated_at: string
  /** Who answers the contact now. `no_one` if the AI should, but no active agent answers the channel of its conversation, because of its business hours for example */
  handled_by: "ai" | "person" | "no_one"
  /** Numbers, chat accounts and usernames, past and present; current ones first */
  identities: ContactIdentity[]
}

export interface ConversationReport {
  /** First and last day */
  period: {
    from: string
    until: string
  }
  /** As many days, right before */
  previous_period: {
    from: string
    until: string
  }
  time_zone: string
  interval: "day" | "week" | "month"
  totals: ConversationTotals
  previous: ConversationTotals
  /** Oldest first */
  series: ConversationsOfInterval[]
  /** Most conversations first; at most 100 */
  by_channel: Array<{
    /** Null for conversations without a channel */
    id: string | null
    name: string
    /** Conversations that started: tickets opened and reopened */
    opened: number
    /** Of these, reopened ones */
    reopened: number
    /** Conversations that ended */
    closed: number
    /** From the first message of the contact to the first reply, by an agent or a member; half of the replies were faster. Conversations that started in the period */
    first_reply_median_seconds: number | null
    /** Nine of ten first replies were faster */
    first_reply_p90_seconds: number | null
    /** The same up to the first reply by a member */
    member_reply_median_seconds: number | null
    /** From start to end. Conversations that ended in the period */
    resolution_median_seconds: number | null
    /** Nine of ten conversations were shorter */
    resolution_p90_seconds: number | null
    /** Ended conversations in which an agent replied */
    answered_by_ai: number
    /** Of these, ended without a person: no member replied and the agent did not hand off */
    contained: number
    /** Ended conversations in which the AI was turned off */
    handed_off: number
    /** Conversations that were rated good in the period */
    rated_good: number
    /** Conversations that were rated okay */
    rated_okay: number
    /** Conversations that were rated bad */
    rated_bad: number
    /** Open conversations at the end of the period */
    backlog: number
  }>
  /** Most conversations first; at most 100 */
  by_member: Array<{
    /** Null for conversations without a member */
    id: string | null
    name: string
    /** Conversations that started: tickets opened and reopened */
    opened: number
    /** Of these, reopened ones */
    reopened: number
    /** Conversations that ended */
    closed: number
    /** From the first message of the contact to the first reply, by an agent or a member; half of the replies were faster. Conversations that started in the period */
    first_reply_median_seconds: number | null
    /** Nine of ten first replies were faster */
    first_reply_p90_seconds: number | null
    /** The same up to the first reply by a member */
    member_reply_median_seconds: number | null
    /** From start to end. Conversations that ended in the period */
    resolution_median_seconds: number | null
    /** Nine of ten conversations were shorter */
    resolution_p90_seconds: number | null
    /** Ended conversations in which an agent replied */
    answered_by_ai: number
    /** Of these, ended without a person: no member replied and the agent did not hand off */
    contained: number
    /** Ended conversations in which the AI was turned off */
    handed_off: number
    /** Conversations that were rated good in the period */
    rated_good: number
    /** Conversations that were rated okay */
    rated_okay: number
    /** Conversations that were rated bad */
    rated_bad: number
    /** Open conversations at the end of the period */
    backlog: number
  }>
  /** Most conversations first; at most 100 */
  by_team: Array<{
    /** Null for conversations without a team */
    id: string | null
    name: string
    /** Conversations that started: tickets opened and reopened */
    opened: number
    /** Of these, reopened ones */
    reopened: number
    /** Conversations that ended */
    closed: number
    /** From the first message of the contact to the first reply, by an agent or a member; half of the replies were faster. Conversations that started in the period */
    first_reply_median_seconds: number | null
    /** Nine of ten first replies were faster */
    first_reply_p90_seconds: number | null
    /** The same up to the first reply by a member */
    member_reply_median_seconds: number | null
    /** From start to end. Conversations that ended in the period */
    resolution_median_seconds: number | null
    /** Nine of ten conversations were shorter */
    resolution_p90_seconds: number | null
    /** Ended conversations in which an agent replied */
    answered_by_ai: number
    /** Of these, ended without a person: no member replied and the agent did not hand off */
    contained: number
    /** Ended conversations in which the AI was turned off */
    handed_off: number
    /** Conversations that were rated good in the period */
    rated_good: number
    /** Conversations that were rated okay */
    rated_okay: number
    /** Conversations that were rated bad */
    rated_bad: number
    /** Open conversations at the end of the period */
    backlog: number
  }>
  /** Most conversations first; at most 100 */
  by_ticket_tag: Array<{
    /** Null for conversations without a tag */
    id: string | null
    name: string
    /** Conversations that started: tickets opened and reopened */
    opened: number
    /** Of these, reopened ones */
    reopened: number
    /** Conversations that ended */
    closed: number
    /** From the first message of the contact to the first reply, by an agent or a member; half of the replies were faster. Conversations that started in the period */
    first_reply_median_seconds: number | null
    /** Nine of ten first replies were faster */
    first_reply_p90_seconds: number | null
    /** The same up to the first reply by a member */
    member_reply_median_seconds: number | null
    /** From start to end. Conversations that ended in the period */
    resolution_median_seconds: number | null
    /** Nine of ten conversations were shorter */
    resolution_p90_seconds: number | null
    /** Ended conversations in which an agent replied */
    answered_by_ai: number
    /** Of these, ended without a person: no member replied and the agent did not hand off */
    contained: number
    /** Ended conversations in which the AI was turned off */
    handed_off: number
    /** Conversations that were rated good in the period */
    rated_good: number
    /** Conversations that were rated okay */
    rated_okay: number
    /** Conversations that were rated bad */
    rated_bad: number
    /** Open conversations at the end of the period */
    backlog: number
  }>
  /** Most conversations first; at most 100 */
  by_tag: Array<{
    /** Null for conversations without a tag */
    id: string | null
    name: string
    /** Conversations that started: tickets opened and reopened */
    opened: number
    /** Of these, reopened ones */
    reopened: number
    /** Conversations that ended */
    closed: number
    /** From the first message of the contact to the first reply, by an agent or a member; half of the replies were faster. Conversations that started in the period */
    first_reply_median_seconds: number | null
    /** Nine of ten first replies were faster */
    first_reply_p90_seconds: number | null
    /** The same up to the first reply by a member */
    member_reply_median_seconds: number | null
    /** From start to end. Conversations that ended in the period */
    resolution_median_seconds: number | null
    /** Nine of ten conversations were shorter */
    resolution_p90_seconds: number | null
    /** Ended conversations in which an agent replied */
    answered_by_ai: number
    /** Of these, ended without a person: no member replied and the agent did not hand off */
    contained: number
    /** Ended conversations in which the AI was turned off */
    handed_off: number
    /** Conversations that were rated good in the period */
    rated_good: number
    /** Conversations that were rated okay */
    rated_okay: number
    /** Conversations that were rated bad */
    rated_bad: number
    /** Open conversations at the end of the period */
    backlog: number
  }>
  /** Hand-offs to people in the period, with any reason */
  handoff_count: number
  /** Hand-offs to people in the period, the 20 most frequent reasons first. Null: a member took over without giving one */
  handoff_reasons: Array<{
    reason: string | null
    /** Hand-offs with this reason */
    count: number
  }>
}

/** What the agent’s `results` asked for */
export interface ConversationResults {
  /** Fits `extract`; null if nothing that fits was found */
  extracted: Record<string, unknown> | null
  success_criteria: CriterionResult[]
  disposition: string | null
  contact_fields: WrittenField[]
  /** `scripted` where no model was asked: in test mode and for static agents. Null if it failed */
  model: string | null
  /** Why results are missing */
  error: string | null
}

export interface ConversationTotals {
  /** Conversations that started: tickets opened and reopened */
  opened: number
  /** Of these, reopened ones */
  reopened: number
  /** Conversations that ended */
  closed: number
  /** From the first message of the contact to the first reply, by an agent or a member; half of the replies were faster. Conversations that started in the period */
  first_reply_median_seconds: number | null
  /** Nine of ten first replies were faster */
  first_reply_p90_seconds: number | null
  /** The same up to the first reply by a member */
  member_reply_median_seconds: number | null
  /** From start to end. Conversations that ended in the period */
  resolution_median_seconds: number | null
  /** Nine of ten conversations were shorter */
  resolution_p90_seconds: number | null
  /** Ended conversations in which an agent replied */
  answered_by_ai: number
  /** Of these, ended without a person: no member replied and the agent did not hand off */
  contained: number
  /** Ended conversations in which the AI was turned off */
  handed_off: number
  /** Conversations that were rated good in the period */
  rated_good: number
  /** Conversations that were rated okay */
  rated_okay: number
  /** Conversations that were rated bad */
  rated_bad: number
  /** Open conversations at the end of the period */
  backlog: number
  /** Messages from contacts; null with any filter but `channel_id` */
  messages_received: number | null
  /** Messages by members, agents and campaigns; null with any filter but `channel_id` */
  messages_sent: number | null
}

export interface ConversationsOfInterval {
  /** First day of the interval */
  date: string
  /** Conversations that started: tickets opened and reopened */
  opened: number
  /** Conversations that ended */
  closed: number
  /** Open conversations at the end of the interval */
  backlog: number
  /** From the first message of the contact to the first reply, by an agent or a member; half of the replies were faster. Conversations that started in the period */
  first_reply_median_seconds: number | null
  /** From start to end. Conversations that ended in the period */
  resolution_median_seconds: number | null
  /** Messages from contacts; null with any filter but `channel_id` */
  messages_received: number | null
  /** Messages by members, agents and campaigns; null with any filter but `channel_id` */
  messages_sent: number | null
}

/** In USD, at the rates in the installation’s settings */
export interface CostBreakdown {
  /** Carrier minutes; each started minute counts */
  telephony: number
  /** Speech recognition */
  transcription: number
  /** Speech synthesis */
  voice: number
  /** Language model tokens */
  llm: number
  /** The part of the other figures that the organization pays itself, with its own provider keys */
  own_keys?: number
}

export interface CrawledPage {
  id: string
  url: string
  status: "queued" | "read" | "failed" | "skipped"
  /** Why it failed or was skipped */
  reason: string | null
  depth: number
  document_id: string | null
  fetched_at: string | null
}

export interface CrawledPages {
  data: CrawledPage[]
  /** Whether there is a next page */
  has_more: boolean
  /** Id of the last record in `data`; null only when `data` is empty */
  next_cursor: string | null
  /** Number of matching records on all pages */
  total_count: number
}

export interface CreatedTemplate {
  id: string
  organization_id: string
  account_id: string
  channel_id: string
  /** Business account that owns the template */
  business_account_id: string
  /** The platform’s id, once it has confirmed the template */
  remote_template_id: string | null
  name: string
  language: string
  category: "MARKETING" | "UTILITY" | "AUTHENTICATION"
  /** The category that the platform has announced for it */
  upcoming_category: string | null
  /** Latest review verdict */
  status: "PENDING" | "APPROVED" | "REJECTED"
  /** The platform’s own status, such as `PAUSED` or `DISABLED`; null until it has reported one. You can send a template when this and `status` are both `APPROVED` */
  platform_status: string | null
  /** Why it was rejected, if the platform gives a reason */
  rejected_reason: string | null
  /** Header, body, footer and buttons */
  components: Array<Record<string, unknown>>
  /** Stored files of the samples in its headers: ids for `GET /templates/media/{media_id}/download`, by `header_handle` */
  sample_files: Record<string, string>
  /** How long the platform tries to deliver a message, in seconds; -1 for 30 days, null for the platform’s default */
  message_send_ttl_seconds: number | null
  /** Empty until rated */
  quality_score: "" | "GREEN" | "YELLOW" | "RED"
  /** Progress of the registration: `registering`, `uncertain` (requested, no response), `held` (the token, account or channel must be fixed first), `registered` or `refused` */
  registration: "registering" | "uncertain" | "held" | "registered" | "refused"
  /** Why it is not registered yet */
  registration_error: string | null
  livemode: boolean
  created_at: string
  updated_at: string
  /** Platform rules that it seems to break; the platform decides */
  warnings: Array<{
    loc: string[]
    msg: string
  }>
}

export interface CriterionResult {
  name: string
  result: "met" | "not_met" | "unknown"
  reason: string
}

export interface CustomRole {
  id: string
  organization_id: string
  name: string
  /** What the role allows */
  scopes: Array<"agents:read" | "agents:write" | "calls:dispatch" | "calls:read" | "calls:listen" | "campaigns:manage" | "campaigns:read" | "webhooks:admin" | "contacts:read" | "contacts:write" | "inbox:read" | "inbox:write" | "knowledge:read" | "knowledge:write" | "members:manage" | "audit:read">
  /** Members with this role */
  members_count: number
  created_at: string
  updated_at: string
}

export interface Daily {
  data: Day[]
}

export interface DailyLimit {
  /** People that the business may write to first within 24 hours */
  limit: number
  /** Contacts that got a template within the last 24 hours, on all channels of the business account */
  used: number
  /** Contacts that it can still reach */
  remaining: number
}

export interface Dashboard {
  contacts: {
    /** All contacts */
    total: number
    /** Contacts in this stage */
    new: number
    /** Contacts in this stage */
    engaged: number
    /** Contacts in this stage */
    qualified: number
    /** Contacts in the stage `customer` */
    customers: number
    /** Contacts in this stage */
    lost: number
  }
  handling: {
    /** Contacts handled by the AI */
    ai: number
    /** Contacts handled by people */
    human: number
  }
  tasks: {
    /** Pending tasks */
    pending: number
    /** Pending tasks past their due date */
    overdue: number
  }
}

export interface Day {
  /** The day, in the requested time zone */
  date: string
  /** Chat messages, inbound and outbound */
  messages: number
  /** Calls: inbound, outbound and browser */
  calls: number
}

export interface Deleted {
  message: string
}

export interface Delivery {
  id: string
  organization_id: string
  campaign_id: string
  /** Null if the contact has been deleted, or for a duplicate */
  contact_id: string | null
  /** Current name; null if the contact has been deleted */
  contact_name: string | null
  /** Recipient’s number; empty for contacts known only by their chat account */
  phone_number: string
  whatsapp_user_id: string | null
  /** Values of the template’s variables */
  variables: Record<string, string>
  status: "pending" | "sending" | "sent" | "delivered" | "read" | "failed" | "skipped" | "unknown"
  /** The platform’s code, or one of our own if it gave none */
  code: string | null
  /** Why it failed or was skipped (`opted_out`, `no_address`, `blocked`, `missing_variable`, `merged`, or the platform’s message); while pending, why the last attempt did not succeed */
  reason: string | null
  /** Details of the reason */
  detail: string | null
  /** Explanation of the code or reason */
  explanation: string | null
  /** Recommended action after a failed, skipped or unknown delivery */
  what_to_do: string | null
  /** Number of requests to the platform */
  attempts: number
  /** Earliest time of the next attempt */
  next_attempt_at: string | null
  /** Time zone that `sending_times` of the campaign refer to; null if it has none */
  time_zone: string | null
  /** Assigned by the messaging platform */
  chat_message_id: string | null
  /** The message in the contact’s timeline */
  message_id: string | null
  /** The delivery that the contact keeps, if two recipients of the campaign were merged */
  duplicate_of: string | null
  sent_at: string | null
  delivered_at: string | null
  read_at: string | null
  /** When the contact first replied */
  replied_at: string | null
  /** Labels of the buttons that the contact tapped, each once */
  tapped_buttons: string[]
  livemode: boolean
  created_at: string
  updated_at: string
}

export interface DismissedDuplicate {
  /** The contact that is another person */
  contact_id: string
}

export interface Document {
  id: string
  organization_id: string
  document_type: "pdf" | "docx" | "txt"
  /** Original file name */
  file_name: string
  /** Searches find a document once it is `ready` */
  status: "processing" | "ready" | "failed"
  /** Why processing failed */
  error: string | null
  /** Progress of the processing */
  progress: number
  size_bytes: number
  /** SHA-256 of the file, hexadecimal */
  sha256: string
  /** Number of searchable chunks; 0 until the document is ready */
  chunk_count: number
  /** Language used for keyword search; `simple` if unknown, null until the document is ready */
  language: string | null
  /** Embedding model used for vector search; null while only keyword search finds the document */
  embedding_model: string | null
  source: DocumentSource | null
  replacement: DocumentReplacement | null
  /** Collections that it is in */
  collection_ids: string[]
  livemode: boolean
  uploaded_at: string
  updated_at: string
}

export interface DocumentList {
  documents: Document[]
}

/** The new version that is being read, or that could not be read. Searches find the old one meanwhile */
export interface DocumentReplacement {
  file_name: string
  status: "processing" | "failed"
  /** Why the new version could not be read */
  error: string | null
  created_at: string
}

/** Where it came from; null for an upload. Such a document has the `document_type` `txt` */
export interface DocumentSource {
  kind: "file" | "web_page" | "faq"
  /** Kind of the file */
  file_kind?: string
  /** Address of the web page */
  url?: string
  website_id?: string
  crawled_at?: string
}

export interface Domain {
  id: string
  organization_id: string
  domain: string
  /** Role of people who join by this domain */
  role: "admin" | "supervisor" | "member" | "read_only"
  /** Name of the DNS TXT record that proves the domain is yours */
  record_name: string
  /** Its value */
  record_value: string
  verified_at: string | null
  /** When the record was last looked up: verified domains are checked every day */
  last_checked_at: string | null
  /** Since when the record is missing. After seven days the domain is no longer verified */
  failing_since: string | null
  created_at: string
}

export interface Draft {
  /** `reply`: the next message to the contact; `summary`: the conversation in a few sentences, for members; `translation`: `text` in another language */
  kind: "reply" | "summary" | "translation"
  text: string
  /** The agent whose instructions, knowledge and model were used; null if the organization has no active one with a model */
  agent_id: string | null
  /** Documents available to the agent for this reply */
  sources: Array<{
    document_id: string
    file_name: string
    page: number | null
  }>
  usage: {
    input_tokens: number
    output_tokens: number
    /** `scripted` if no model was called */
    model: string
    /** The part of the tokens that the organization’s own account at the provider pays for */
    own_key?: {
      input_tokens: number
      output_tokens: number
    }
  }
}

/** Answers that the model started at a pause of the caller: `used` if the turn was over, `discarded` if the caller went on */
export interface EarlyStarts {
  used: number
  discarded: number
}

/** Proof that everything about a contact was erased. It holds no personal data. */
export interface Erasure {
  id: string
  organization_id: string
  contact_id: string
  /** `completed`: all rows and files are deleted */
  state: "queued" | "running" | "completed"
  /** Why the template waits. Frontdesk retries automatically */
  error: string | null
  requested_by_type: "user" | "ai" | "system"
  requested_by_id: string | null
  /** Rows that were deleted or blanked, by table */
  counts: Record<string, number>
  /** Deleted files */
  files_count: number
  /** Keyed SHA-256 of each number and platform id of the person, in hexadecimal. Only this installation can compute them */
  address_digests: string[]
  erased_at: string | null
  completed_at: string | null
  livemode: boolean
  created_at: string
}

export interface ErrorDetail {
  /** Human-readable error message */
  detail: string
}

export interface Event {
  id: string
  type: string
  created_at: string
  organization_id: string
  livemode: boolean
  data: {
    /** The record as it was right after the event */
    object: Record<string, unknown>
    /** Previous values of the changed fields */
    previous?: Record<string, unknown>
  }
}

export interface FailedTicket {
  id: string
  detail: string
}

/** A question with its answer. It is also the document with the same id */
export interface Faq {
  id: string
  organization_id: string
  /** As a customer would ask it; unique in any case */
  question: string
  answer: string
  /** Other ways to ask the same */
  variants: string[]
  /** Searches find the current text once it is `ready`. After a change they find the previous text until then */
  status: "processing" | "ready" | "failed"
  error: string | null
  livemode: boolean
  created_at: string
  updated_at: string
}

export interface FaqImport {
  created: number
  /** Questions that existed with another answer */
  updated: number
  unchanged: number
}

export interface FaqPage {
  data: Faq[]
  /** Whether there is a next page */
  has_more: boolean
  /** Id of the last record in `data`; null only when `data` is empty */
  next_cursor: string | null
  /** Number of matching records on all pages */
  total_count: number
}

export interface ForbiddenError {
  /** Human-readable error message */
  detail: string
  /** Present when a scope is missing, which it names, or when a second factor has to be set up */
  error?: {
    code: "invalid_api_key" | "second_factor_required" | "second_factor_invalid" | "second_factor_setup_required"
    message: string
    type: "authentication_error"
    reason?: "insufficient_scope"
    required_scope?: string
  }
  /** Present if the credential is valid but cannot be used now or from this address */
  code?: "address_not_allowed" | "organization_suspended"
}

export interface Handoff {
  to: "human" | "ai"
  reason?: string
}

export interface Holiday {
  date: string
  name: string
  /** The hours of that day, in place of those of the weekday. None: closed */
  hours: OpeningSpan[]
}

export interface HolidayInput {
  date: string
  name?: string
  /** The hours of that day, in place of those of the weekday. None: closed */
  hours?: OpeningSpan[]
}

export interface InboxView {
  id: string
  organization_id: string
  name: string
  /** Whether all members see it, or only you */
  shared: boolean
  /** The member of a private one */
  owner_id: string | null
  filters: ViewFilters
  /** Views are listed by position */
  position: number
  livemode: boolean
  created_at: string
  updated_at: string
}

export interface InboxViewChanges {
  name?: string
  filters?: ViewFilters
  /** Whether all members see it, or only you */
  shared?: boolean
  /** Views are listed by position */
  position?: number
}

export interface InstallationState {
  version: string
  is_healthy: boolean
  /** As `/readyz` of the node that answered */
  checks: Record<string, string>
  organizations_count: number
  suspended_count: number
  queues: WorkQueue[]
}

/** Adds buttons, a list or another element to tap to the text in `body`. Each `type` has its own fields */
export interface Interactive {
  /** `button`: up to three reply buttons. `list`: a menu of up to ten rows. `cta_url`: a button that opens a link. `location_request_message`: asks for the customer’s location. `flow`: opens a form. `product`, `product_list`: items of a catalog */
  type: "button" | "list" | "cta_url" | "location_request_message" | "flow" | "product" | "product_list"
  header?: InteractiveHeader
  footer?: string
  /** For `button`; ids and titles are unique */
  buttons?: Array<{
    /** Comes back with the customer’s tap */
    id: string
    title: string
  }>
  /** The button of a `list`, a `cta_url` or a `flow` */
  label?: string
  /** For `cta_url` */
  url?: string
  /** For `list` and `product_list` */
  sections?: InteractiveSection[]
  flow?: InteractiveFlow
  /** For `product` and `product_list` */
  catalog_id?: string
  /** For `product`: its id in the catalog */
  product_retailer_id?: string
}

export interface InteractiveFlow {
  /** Id of the flow; send either this or `name` */
  id?: string
  name?: string
  /** Comes back with the customer’s answers */
  token?: string
  /** `published` by default */
  mode?: "draft" | "published"
  /** `navigate` by default */
  action?: "navigate" | "data_exchange"
  /** The first screen; only with `navigate` */
  screen?: string
  /** Input of the first screen */
  data?: Record<string, unknown>
}

export interface InteractiveHeader {
  /** `button` and `cta_url` accept all of them, the other types `text` */
  type: "text" | "image" | "video" | "document"
  text?: string
  /** Where the platform fetches the image, video or document */
  link?: string
}

export interface InteractiveSection {
  /** Required with more than one section */
  title?: string
  /** Rows of a `list`, at most 10 in all sections together */
  rows?: Array<{
    /** Comes back with the customer’s choice */
    id: string
    title: string
    description?: string
  }>
  /** Products of a `product_list`, at most 30 in all sections together */
  product_retailer_ids?: string[]
}

export interface Invitation {
  id: string
  organization_id: string
  email: string
  /** What the member may do: `owner`, `admin`, `supervisor`, `member`, `read_only`, or the id of a custom role */
  role: string
  access: Access | null
  invited_by: string | null
  /** Whether the link was emailed; null if this installation sends no email. `failed` is retried for about 40 minutes, unless the server refused the address. `unknown`: the mail server may have accepted it */
  mail_status: "queued" | "sent" | "failed" | "unknown" | null
  expires_at: string
  created_at: string
}

export interface InvitationAcceptance {
  token: string
  name?: string
  /** A new password of at least 12 characters, or the password of the email’s existing account */
  password?: string
  /** A code of your authenticator app or a recovery code, if you have set one up */
  code?: string
}

export interface InvitationWithLink {
  id: string
  organization_id: string
  email: string
  /** What the member may do: `owner`, `admin`, `supervisor`, `member`, `read_only`, or the id of a custom role */
  role: string
  access: Access | null
  invited_by: string | null
  /** Whether the link was emailed; null if this installation sends no email. `failed` is retried for about 40 minutes, unless the server refused the address. `unknown`: the mail server may have accepted it */
  mail_status: "queued" | "sent" | "failed" | "unknown" | null
  expires_at: string
  created_at: string
  /** Where the invited person joins. Shown only once */
  link: string | null
}

/** The tokens are null for a person who is already signed in */
export interface Joined {
  organization: {
    id: string
    name: string
    /** What the member may do: `owner`, `admin`, `supervisor`, `member`, `read_only`, or the id of a custom role */
    role: string
  }
  /** Send it as `Authorization: Bearer …` */
  access_token: string | null
  token_type: string
  /** Seconds until the access token expires */
  expires_in: number | null
  refresh_token: string | null
  /** Organizations that the person belongs to */
  organizations: Array<{
    id: string
    name: string
    /** What the member may do: `owner`, `admin`, `supervisor`, `member`, `read_only`, or the id of a custom role */
    role: string
  }>
}

export interface Key {
  id: string
  organization_id: string
  name: string
  /** Test reaches simulated carriers only; live reaches real ones */
  mode: "test" | "live"
  scopes: Array<"full_access" | "agents:read" | "agents:write" | "calls:dispatch" | "calls:read" | "calls:listen" | "campaigns:manage" | "campaigns:read" | "webhooks:admin" | "contacts:read" | "contacts:write" | "inbox:read" | "inbox:write" | "knowledge:read" | "knowledge:write" | "members:manage" | "audit:read">
  /** IPv4 and IPv6 addresses and ranges (CIDR) that requests with this key may come from. Null or absent: any address */
  allowed_ips: string[] | null
  prefix: string
  last_four: string
  expires_at: string | null
  last_used_at: string | null
  revoked_at: string | null
  created_by: string | null
  created_at: string
}

export interface KeyChanges {
  name?: string
  /** IPv4 and IPv6 addresses and ranges (CIDR) that requests with this key may come from. Null or absent: any address */
  allowed_ips?: string[] | null
}

export interface KeyRoll {
  /** How long the old key continues to work beside the new one */
  overlap_seconds?: number
}

export interface KeyWithSecret {
  id: string
  organization_id: string
  name: string
  /** Test reaches simulated carriers only; live reaches real ones */
  mode: "test" | "live"
  scopes: Array<"full_access" | "agents:read" | "agents:write" | "calls:dispatch" | "calls:read" | "calls:listen" | "campaigns:manage" | "campaigns:read" | "webhooks:admin" | "contacts:read" | "contacts:write" | "inbox:read" | "inbox:write" | "knowledge:read" | "knowledge:write" | "members:manage" | "audit:read">
  /** IPv4 and IPv6 addresses and ranges (CIDR) that requests with this key may come from. Null or absent: any address */
  allowed_ips: string[] | null
  prefix: string
  last_four: string
  expires_at: string | null
  last_used_at: string | null
  revoked_at: string | null
  created_by: string | null
  created_at: string
  /** The full key. Shown only once */
  secret: string | null
}

export interface KnowledgeGap {
  id: string
  organization_id: string
  /** An answered gap opens again if agents still cannot answer its question */
  status: "open" | "answered" | "dismissed"
  /** The first question of the group */
  question: string
  /** How often it was asked */
  question_count: number
  /** The latest questions of the group, at most five */
  examples: KnowledgeGapQuestion[]
  first_seen_at: string
  last_seen_at: string
  /** The FAQ entry that answers it */
  document_id: string | null
  /** When it was answered or dismissed */
  closed_at: string | null
  livemode: boolean
  created_at: string
  updated_at: string
}

export interface KnowledgeGapAnswer {
  answer: string
  /** The question as the FAQ shows it; without it the first question of the gap, or the one that its FAQ entry has */
  question?: string
  /** Other ways to ask the same */
  variants?: string[]
  /** Collections that the FAQ entry is put into */
  collection_ids?: string[]
}

export interface KnowledgeGapQuestion {
  /** What the customer asked */
  text: string
  /** The knowledge base had no answer (`not_found`), or the agent handed the conversation off (`handed_off`) */
  reason: "not_found" | "handed_off"
  agent_id: string | null
  contact_id: string | null
  /** The conversation that it was asked in */
  inbox_id: string | null
  /** The call that it was asked in */
  call_id: string | null
  asked_at: string
}

export interface LastMessage {
  id: string
  direction: "inbound" | "outbound"
  message_type: "text" | "image" | "document" | "audio" | "video"
  /** The first 120 characters of the text */
  preview: string
  status: "sent" | "delivered" | "read" | "failed"
  /** Sender; `system` is the contact, and of an away message the service */
  actor_type: "user" | "ai" | "system"
}

export interface LibraryChoice {
  /** A language tag */
  language: string
  /** Your own name for it; the library’s name by default */
  name?: string
  /** Inputs that the buttons of some library templates need, in the platform’s format */
  button_inputs?: Array<Record<string, unknown>>
}

export interface LibraryReply {
  /** The platform’s id */
  id: string
  /** The platform’s status */
  status: string
  category: string
  /** The stored template; null while another template with that name is being registered */
  template_id: string | null
}

export interface LibraryTemplate {
  id: string
  name: string
  language: string
  category: string
  topic: string
  usecase: string
  industry: string[]
  header: string
  body: string
  body_params: string[]
  body_param_types: string[]
  buttons: Array<Record<string, unknown>>
}

/** Limits that the operator of this service has set for all organizations */
export interface Limits {
  /** Requests per minute and credential */
  requests_per_minute: number
  /** Campaigns that a credential may create per minute */
  campaigns_per_minute: number
  /** Documents that a credential may upload per minute */
  uploads_per_minute: number
  /** Largest document, in bytes */
  upload_bytes: number
  /** Largest import file, in bytes */
  import_bytes: number
  /** Concurrent calls in each mode; further calls wait */
  calls_at_once: number
  /** Days that events and webhook deliveries are kept */
  event_days: number
  /** Days that recordings are kept; null if they are kept as long as their calls */
  recording_days: number | null
}

export interface ListedContact {
  id: string
  organization_id: string
  /** E.164; empty for contacts known only by their chat account */
  phone_number: string
  name: string
  /** The name for the contact in messages; without it, the first word of `name` */
  first_name: string | null
  tags: string[]
  notes: string
  custom_fields: Record<string, unknown>
  /** Lifecycle stage */
  stage: "new" | "engaged" | "qualified" | "customer" | "lost"
  /** Whether the AI agent answers this contact */
  ai_handling: boolean
  last_activity_at: string | null
  opted_out_at: string | null
  /** Since when the contact is blocked */
  blocked_at: string | null
  whatsapp_user_id: string | null
  /** The person’s WhatsApp username */
  username: string | null
  /** IANA name; used for the sending times of campaigns. Null: derived from the phone number */
  time_zone: string | null
  /** Where the contact came from: the first ad or post on Facebook or Instagram whose click started a chat */
  source_type: "ad" | "post" | null
  /** Id of that ad or post on the platform */
  source_id: string | null
  /** Its headline at that time */
  source_headline: string | null
  /** Its address */
  source_url: string | null
  /** When the contact wrote the message */
  source_at: string | null
  livemode: boolean
  created_at: string
  updated_at: string
  /** Who answers the contact now. `no_one` if the AI should, but no active agent answers the channel of its conversation, because of its business hours for example */
  handled_by?: "ai" | "person" | "no_one"
}

export interface ListeningTicket {
  /** Opens the socket within a minute; null when the response is a replay */
  access_token: string | null
  ws_url: string
  expires_at: string
}

export interface LiveTranscript {
  status: "completed" | "in-progress" | "busy" | "failed" | "no-answer"
  telephony_status: string
  /** Why the call ended; null while it runs. The guide on calls explains each reason */
  ended_reason: "caller_hung_up" | "agent_ended" | "ended_by_request" | "handed_off" | "transferred" | "max_duration" | "silence" | "voicemail" | "line_lost" | "busy" | "all_lines_busy" | "no_answer" | "not_joined" | "carrier_refused" | "carrier_unreachable" | "carrier_failed" | "canceled" | "dial_unknown" | "carrier_silent" | "no_media" | "no_agent" | "worker_lost" | "deadline" | "queued_too_long" | "failed" | null
  segments: Array<{
    number: number
    segment: TranscriptSegment
  }>
}

/** A location to send; `body` stays empty */
export interface LocationMessage {
  latitude: number
  longitude: number
  name?: string
  /** Shown only with a name */
  address?: string
}

export interface Login {
  email: string
  password: string
  /** A code of your authenticator app or a recovery code, if you have set one up */
  code?: string
}

/** Numbers that are masked in call transcripts before they are stored, in both modes. Earlier transcripts do not change */
export interface Masking {
  /** Hides card numbers up to their last four digits */
  card_numbers: boolean
  /** Numbers of your own: `#` is a digit, `@` a letter, everything else itself. Case does not matter; spaces and hyphens may be missing or added */
  patterns: string[]
}

export interface MaskingChanges {
  /** Hides card numbers up to their last four digits */
  card_numbers?: boolean
  /** Numbers of your own: `#` is a digit, `@` a letter, everything else itself. Case does not matter; spaces and hyphens may be missing or added */
  patterns?: string[]
}

/** With `search`: the newest message that contains it; null if only the contact matches */
export interface MatchedMessage {
  id: string
  direction: "inbound" | "outbound"
  /** The text around the match */
  excerpt: string
  created_at: string
}

export interface Me {
  organization: {
    id: string
    name: string
  } | null
  /** Test reaches simulated carriers only; live reaches real ones */
  mode: "test" | "live"
  livemode: boolean
  scopes: Array<"full_access" | "agents:read" | "agents:write" | "calls:dispatch" | "calls:read" | "calls:listen" | "campaigns:manage" | "campaigns:read" | "webhooks:admin" | "contacts:read" | "contacts:write" | "inbox:read" | "inbox:write" | "knowledge:read" | "knowledge:write" | "members:manage" | "audit:read">
  credential: "key" | "person"
  key: {
    id: string
    name: string
    expires_at: string | null
  } | null
  user: {
    id: string
    email: string
    name: string
    /** What the member may do: `owner`, `admin`, `supervisor`, `member`, `read_only`, or the id of a custom role */
    role: string | null
    /** The organization requires a second factor, which this person has not set up: other operations answer 403 */
    needs_second_factor: boolean
    /** Whether the person has set a password; without one they sign in by link */
    has_password: boolean
    /** Signed in by an identity provider: password, passkeys and second factors are managed there */
    uses_single_sign_on: boolean
  } | null
  /** Whether the person operates this installation */
  is_operator: boolean
  /** This operator has to set up a second factor: operations of operators answer 403 */
  operator_needs_second_factor?: boolean
  /** The organization is suspended: `scopes` is empty, and only operations on your own account work. Its keys get 403 instead */
  is_suspended?: boolean
  /** Organizations that this credential may act in */
  organizations: Array<{
    id: string
    name: string
    /** What the member may do: `owner`, `admin`, `supervisor`, `member`, `read_only`, or the id of a custom role */
    role: string | null
  }>
}

export interface Member {
  /** Id of the person, used as `assignee_id` of tasks */
  id: string
  organization_id: string
  email: string
  name: string
  /** What the member may do: `owner`, `admin`, `supervisor`, `member`, `read_only`, or the id of a custom role */
  role: string
  access: Access | null
  created_at: string
  updated_at: string
}

export interface Message {
  id: string
  /** Ticket of the message; null only in events of a campaign’s message to a contact without an open ticket. It joins the ticket of the contact’s reply */
  inbox_id: string | null
  organization_id: string
  contact_id: string
  /** Channel of the message */
  chat_phone_number_id: string
  /** Assigned by the messaging platform; empty until it has accepted the message */
  chat_message_id: string
  direction: "inbound" | "outbound"
  message_type: "text" | "image" | "document" | "audio" | "video"
  /** The text, or the caption of a file */
  body: string
  status: "sent" | "delivered" | "read" | "failed"
  error: MessageError | null
  /** Where to download the file, with a credential */
  media_url: string | null
  media_mime_type: string | null
  media_filename: string | null
  /** In bytes, once the file has been fetched */
  media_size: number | null
  /** `chat_message_id` of the message that this one replies to */
  context_message_id: string | null
  /** Maps the sender’s number or chat account to an emoji */
  reactions: Record<string, string> | null
  /** When the contact last edited it */
  edited_at: string | null
  /** Previous texts, oldest first */
  edit_history: MessageVersion[]
  /** Whether the contact edited it but the platform did not deliver the new text: `body` is the last known text */
  edit_text_missing: boolean
  /** Whether the contact deleted it. Its text is kept, but agents do not read it */
  revoked: boolean
  /** When the contact deleted it */
  revoked_at: string | null
  /** Data of the message besides its text: the kind in `type`, and the data that was sent or received under the name of that kind */
  payload: Record<string, unknown> | null
  /** Sender; `system` is the contact, and of an away message the service */
  actor_type: "user" | "ai" | "system"
  actor_id: string | null
  feedback: MessageFeedback | null
  livemode: boolean
  created_at: string
  updated_at: string
}

/** Why it failed. The code `unknown` means that it may have been sent; a receipt corrects it */
export interface MessageError {
  code: string
  message: string
}

/** How a member rated it; null for messages without a rating */
export interface MessageFeedback {
  rating: "up" | "down"
  reason: string | null
  /** The member who rated it last */
  member_id: string | null
  rated_at: string
}

export interface MessageVersion {
  body: string
  written_at: string
}

export interface MonthOfUsage {
  /** Calendar month in UTC */
  month: string
  messages_received: number
  /** Replies, agents’ answers and campaign messages */
  messages_sent: number
  calls: number
  /** Connected audio */
  call_minutes: number
  /** Estimated, in USD */
  call_cost: number
  /** The part of `call_cost` that the organization’s own provider keys pay */
  call_own_key_cost?: number
  call_input_tokens: number
  call_output_tokens: number
  /** Of agents’ answers in chats, trials, drafts and analyses of closed tickets */
  chat_input_tokens: number
  chat_output_tokens: number
  /** The part of `chat_input_tokens` that the organization’s own provider keys pay */
  chat_own_key_input_tokens?: number
  chat_own_key_output_tokens?: number
  /** Of the chat tokens, estimated, in USD, at today’s rates */
  chat_cost?: number
  /** The part of `chat_cost` that the organization’s own provider keys pay */
  chat_own_key_cost?: number
}

export interface MyChanges {
  name?: string
}

export interface NewActivity {
  type?: "contact_created" | "note_added" | "meeting_scheduled" | "call_logged" | "stage_changed" | "lead_score_changed" | "handoff_to_human" | "handoff_to_ai" | "task_created" | "task_completed" | "message_inbound" | "message_outbound"
  note?: string
  payload?: Record<string, unknown>
}

export interface NewAgent {
  name: string
  /** `prompt`: driven by a language model; `static`: driven by rules */
  agent_type?: "prompt" | "static"
  /** IANA name. Determines what the agent calls "now"; default for schedules */
  timezone?: string | null
  /** An inactive agent does not answer */
  is_active?: "active" | "inactive"
  agent_config?: NewAgentConfig
}

export interface NewAgentConfig {
  /** Said when the call is answered */
  welcome_message?: string | null
  /** Persona and constraints */
  system_prompt?: string | null
  language?: string | null
  llm_provider?: "openai" | "anthropic" | "google" | null
  /** Defaults to a small model of the provider */
  llm_model?: string | null
  voice_settings?: AgentVoiceSettings | null
  transcriber?: NewAgentConfigTranscriber | null
  call_settings?: NewAgentConfigCallSettings | null
  tools?: AgentToolInput[] | null
  mcp_servers?: AgentMcpServerInput[] | null
  knowledge?: NewAgentConfigKnowledge | null
  business_hours?: NewAgentConfigBusinessHours | null
  fallbacks?: NewAgentConfigFallbacks | null
  phrases?: NewAgentConfigPhrases | null
  turn_taking?: NewAgentConfigTurnTaking | null
  memory?: NewAgentConfigMemory | null
  results?: NewAgentConfigResults | null
}

export interface NewAgentConfigBusinessHours {
  /** The business hours that `replies` and `transfers` follow */
  schedule_id?: string | null
  /** When the agent answers chat messages: always, within the business hours or outside them */
  replies?: "always" | "open" | "closed" | null
  /** When calls may be transferred. Outside the business hours a transfer becomes a hand-off. Decided when the call starts */
  transfers?: "always" | "open" | null
}

export interface NewAgentConfigCallSettings {
  max_duration_seconds?: number | null
  silence_timeout_seconds?: number | null
  /** How often the agent asks whether the caller is still there before silence ends the call */
  silence_reminders?: number | null
  /** Silence before each reminder. Reminders do not delay `silence_timeout_seconds`; those that would come after it are left out */
  silence_reminder_seconds?: number | null
  /** Whether speech recognition detects the caller’s language, where the provider can. The agent’s own phrases then follow the caller */
  detect_language?: boolean | null
  /** Whether the caller can interrupt the agent */
  interruptible?: boolean | null
  record?: boolean | null
  voicemail?: "hangup" | "leave_message" | "continue" | null
  /** E.164. The number that calls are transferred to; without it a transfer becomes a hand-off */
  transfer_number?: string | null
  /** Further numbers that a prompt agent can transfer to. Without `transfer_number`, rules and callers who ask for a person get the first that is open */
  transfer_targets?: AgentTransferTargetInput[] | null
  /** Whether a prompt agent can send the contact a chat message during a call, one in a turn and five in a call */
  send_messages?: boolean | null
  /** Templates that the agent can send, even outside of the platform’s 24-hour window. Needs `send_messages` */
  message_templates?: AgentMessageTemplateInput[] | null
  /** Whether the person whom a call is transferred to first hears who is calling and why, and takes the call by pressing a key */
  warm_transfer?: boolean | null
  /** Whether a prompt agent can press keys (DTMF) on phone calls, for example in the menu of another system */
  press_keys?: boolean | null
  /** Rules of a static agent; the first match wins */
  rules?: AgentRule[] | null
  /** What a static agent says when no rule matches; a plain string is short for `{say}` */
  fallback?: string | AgentFallback | null
}

export interface NewAgentConfigFallbacks {
  /** Models to ask, in this order, if `llm_model` fails before its first words */
  models?: AgentModelFallback[] | null
  /** Recognizers for the same audio if `transcriber` fails */
  transcribers?: AgentTranscriberFallback[] | null
  /** Voices to speak with if the one of `voice_settings` fails before its first sound. The call keeps the voice that took over */
  voices?: AgentVoiceFallback[] | null
}

export interface NewAgentConfigKnowledge {
  /** Whether the agent reads every document of the organization. Defaults to true, or to false if a request sends `document_ids` or `collection_ids` without it */
  all?: boolean | null
  /** Documents that the agent reads when `all` is false. Deleted documents are ignored */
  document_ids?: string[] | null
  /** Collections whose documents the agent reads when `all` is false, besides `document_ids`. Deleted collections are ignored */
  collection_ids?: string[] | null
}

export interface NewAgentConfigMemory {
  /** Whether a prompt agent knows the contact’s earlier conversations and open tasks */
  enabled?: boolean | null
  /** How many earlier calls and chats it knows, newest first */
  conversations?: number | null
}

export interface NewAgentConfigPhrases {
  /** Asked when the line is silent, before silence ends the call */
  silence_reminder?: string | null
  /** Said before the call ends because of silence or its maximum length */
  closing?: string | null
  /** The message for an answering machine. Null leaves the welcome message and a request to call back */
  voicemail?: string | null
  /** Said before a transfer if the agent says nothing itself */
  transfer?: string | null
  /** Said with `warm_transfer` to the person who answers, before the caller is connected. `{{caller}}` and `{{reason}}` are filled in */
  briefing?: string | null
  /** Said before a hand-off if the agent says nothing itself, and when a transferred call is not taken */
  handoff?: string | null
  /** Said if a tool takes longer than two seconds and has no `say_while_running` */
  hold?: string | null
  /** Said when the caller has spoken and no words were recognized, once until words are recognized again */
  not_understood?: string | null
  /** Said when the model, the recognizer or the voice fails once */
  say_again?: string | null
  /** Said when they fail again and the call is transferred */
  connecting?: string | null
  /** Said when they fail again, or a transfer fails, and a person has to call the contact back */
  call_back?: string | null
  /** The same for a caller without a number to call back, such as one in a browser */
  try_later?: string | null
}

export interface NewAgentConfigResults {
  /** JSON Schema of an object to fill from the conversation when it is over. At most 50 properties, 32,768 characters and 32 levels, without `$ref`. Regular expressions and formats are only shown to the model */
  extract?: Record<string, unknown> | null
  /** Fields of the contact that extracted properties are written to */
  contact_fields?: AgentContactFieldInput[] | null
  /** Judged when the conversation is over, each with a reason */
  success_criteria?: AgentSuccessCriterionInput[] | null
  /** How a conversation can end. The model chooses one at most */
  dispositions?: AgentDispositionInput[] | null
}

export interface NewAgentConfigTranscriber {
  /** Null for the installation’s default */
  provider?: string | null
  model?: string | null
  /** Length of the pause that ends the caller’s turn */
  endpointing_ms?: number | null
}

export interface NewAgentConfigTurnTaking {
  /** Words that the caller has to say to interrupt the agent. Stop words interrupt it at once */
  min_words?: number | null
  /** How easily sound interrupts the agent. Shorter sounds than 900 ms (`low`), 600 ms (`medium`) or 400 ms (`high`) do not, unless they are stop words */
  sensitivity?: "low" | "medium" | "high" | null
  /** Whether the caller can interrupt the welcome message */
  welcome_interruptible?: boolean | null
  /** Words that always interrupt, in addition to the language’s own, such as “stop” and “wait” */
  stop_words?: string[] | null
}

export interface NewAuthenticator {
  /** To type into the app. Shown only here */
  secret: string
  /** The same as an address, to show as a QR code */
  uri: string
}

export interface NewBulkEdit {
  /** As for listing contacts. An empty filter means all contacts */
  filter: {
    /** Part of a name (case and accents are ignored) or of a phone number */
    search?: string
    tag?: string
    /** Lifecycle stage */
    stage?: "new" | "engaged" | "qualified" | "customer" | "lost" | "customers"
    ai_handling?: boolean
    /** Who answers the contact now. `no_one` if the AI should, but no active agent answers the channel of its conversation, because of its business hours for example */
    handled_by?: "ai" | "person" | "no_one"
    opted_out?: boolean
    /** Only contacts that came from an ad, or from a post */
    source_type?: "ad" | "post"
    /** Only contacts that came from this ad or post */
    source_id?: string
  }
  add_tags?: string[]
  remove_tags?: string[]
  /** Lifecycle stage */
  stage?: "new" | "engaged" | "qualified" | "customer" | "lost" | "customers"
  /** Whether the AI agent answers this contact */
  ai_handling?: boolean
  /** Deletes the contacts. Cannot be undone */
  delete?: boolean
}

export interface NewCall {
  agent_id: string
  /** The number to call. Alternatively send a `contact_id` */
  to_number?: string
  contact_id?: string
  /** The channel that places the call; the oldest voice channel by default */
  chat_phone_number_id?: string
  /** Values for `{{name}}` in the agent’s greeting, prompt and rules */
  variables?: Record<string, unknown>
  /** Stored with the call. In test mode `caller_script`, a list of lines, is what the simulated person says */
  metadata?: Record<string, unknown>
}

export interface NewCampaign {
  name: string
  /** The channel that sends the messages */
  chat_phone_number_id: string
  /** An approved template of the channel’s business account */
  message_template_id?: string
  /** `all` contacts, contacts with any of the `tags`, or only the contacts in `audience_contact_ids` (`manual`) */
  audience_type?: "all" | "tags" | "manual"
  /** With `tags`: contacts that have any of these */
  audience_tags?: string[]
  /** With `manual`: the contacts */
  audience_contact_ids?: string[]
  /** When to send, to the second; a past time means now */
  scheduled_at?: string
  sending_times?: NewSendingTimes | null
  /** Values for the template’s variables. A value may contain `{{contact.name}}`, `{{contact.first_name}}`, `{{contact.phone_number}}` and `{{contact.custom_fields.x}}`, each with a fallback: `{{contact.first_name|there}}`. If a number occurs in several parts of the template, `header.1`, `body.1`, `button.0.1` and `card.0.body.1` address one of them. `header` alone is the file of a media header, `card.0.header` that of a card: a URL, or the id that `POST /templates/media` returned. Others: `header.latitude`, `header.longitude`, `header.name` and `header.address` of a location, `limited_time_offer.expires_at`, `button.0.1` for a coupon code, `button.0.payload` of a quick reply, `button.0.flow_token` and `button.0.flow_data`, `button.0.products` (`Bundles: a1, a2; Seeds: b1`) and `button.0.thumbnail`. By default `{{1}}` in a text is the contact’s name and any other variable is the custom field of that name */
  template_variables?: Record<string, string>
}

export interface NewChannel {
  /** Normalized to E.164 */
  phone_number: string
  /** Display name */
  display_name?: string
  /** The agent that answers inbound chat and calls */
  agent_id?: string | null
  /** Messages per second that campaigns send on this channel; 80 by default */
  messages_per_second?: number
  /** Whether the WhatsApp Business app uses the number too. Set by itself when WhatsApp reports messages or contacts of the app. Campaigns then send at most 20 messages per second */
  coexistence?: boolean
  /** Whether marketing templates are sent by WhatsApp’s Marketing Messages API, in campaigns and one by one. Accept its terms at WhatsApp first. Not used while the channel is in coexistence, which the API does not support */
  marketing_messages?: boolean
  /** Whether contacts are asked to rate a conversation when its ticket is closed: once per ticket, within the 24 hours, in the language of the channel’s agent */
  asks_for_rating?: boolean
  chat?: ChannelChatCredentials
  voice?: ChannelVoiceCredentials
}

export interface NewCollection {
  name: string
  description?: string
  /** Documents to put into it */
  document_ids?: string[]
}

export interface NewConsent {
  /** Where it applies */
  channel: "all" | "chat" | "voice" | "email"
  /** Purpose: `marketing`, `recording`, or a word of your own */
  purpose: string
  state: "granted" | "withdrawn"
  /** How the person said so. The service writes `message` (a word such as STOP), `platform` (a setting or refusal of WhatsApp) and `user` (entered by a member) */
  source?: string
  /** What the person said, or the text that they agreed to */
  text?: string
  /** Now, if you leave it out; not in the future */
  at?: string
}

export interface NewContact {
  /** Normalized to E.164 */
  phone_number: string
  name?: string
  /** The name for the contact in messages; without it, the first word of `name` */
  first_name?: string | null
  tags?: string[]
  notes?: string
  /** Free key-value map; replaced as a whole */
  custom_fields?: Record<string, unknown>
  /** Lifecycle stage */
  stage?: "new" | "engaged" | "qualified" | "customer" | "lost" | "customers"
  /** Whether the AI agent answers this contact */
  ai_handling?: boolean
  /** IANA name; used for the sending times of campaigns. Null: derived from the phone number */
  time_zone?: string | null
}

export interface NewDomain {
  /** What follows the @ in the email addresses of your people */
  domain: string
  /** Role of people who join by this domain */
  role: "admin" | "supervisor" | "member" | "read_only"
}

export interface NewDraft {
  /** `reply`: the next message to the contact; `summary`: the conversation in a few sentences, for members; `translation`: `text` in another language */
  kind: "reply" | "summary" | "translation"
  /** A language tag. Required for a translation; otherwise the default is the language of the contact */
  language?: string
  /** The text to translate. Only for a translation, which requires it */
  text?: string
  /** Whether the model also reads the ticket’s notes. Not for a translation */
  include_notes?: boolean
}

export interface NewFeedback {
  rating: "up" | "down"
  /** Why, for colleagues */
  reason?: string
}

export interface NewInboxView {
  name: string
  filters: ViewFilters
  /** Whether all members see it, or only you */
  shared?: boolean
  /** The end of the list by default */
  position?: number
}

export interface NewInvitation {
  email: string
  /** What the member may do: `owner`, `admin`, `supervisor`, `member`, `read_only`, or the id of a custom role */
  role: string
  access?: Access | null
}

export interface NewKey {
  name: string
  scopes: Array<"full_access" | "agents:read" | "agents:write" | "calls:dispatch" | "calls:read" | "calls:listen" | "campaigns:manage" | "campaigns:read" | "webhooks:admin" | "contacts:read" | "contacts:write" | "inbox:read" | "inbox:write" | "knowledge:read" | "knowledge:write" | "members:manage" | "audit:read">
  /** Test reaches simulated carriers only; live reaches real ones */
  mode: "test" | "live"
  /** When the key expires; never by default */
  expires_at?: string
  /** IPv4 and IPv6 addresses and ranges (CIDR) that requests with this key may come from. Null or absent: any address */
  allowed_ips?: string[]
}

export interface NewMessage {
  /** `text` by default; for a file, determined by its content */
  message_type?: "text" | "image" | "document" | "audio" | "video"
  /** The text, or the caption of a file (at most 1024 characters; audio has none). It may contain fields of the contact, each with a fallback: `{{contact.first_name|there}}` */
  body?: string
  /** Where the service fetches the file to send */
  media_url?: string
  /** Sends the file as a sticker: WebP, at most 100 KB, or 500 KB if it is animated. The message type is `image` */
  sticker?: boolean
  interactive?: Interactive
  location?: LocationMessage
  /** Contact cards to send; `body` stays empty */
  contacts?: ContactCard[]
  /** `chat_message_id` of the message that this one replies to */
  context_message_id?: string
  /** The saved reply that this message was written with, to count its use */
  saved_reply_id?: string
  /** An approved template to send in place of a free-form message, within the 24 hours or later */
  template_id?: string
  /** Values for the template’s variables. A value may contain `{{contact.name}}`, `{{contact.first_name}}`, `{{contact.phone_number}}` and `{{contact.custom_fields.x}}`, each with a fallback: `{{contact.first_name|there}}`. If a number occurs in several parts of the template, `header.1`, `body.1`, `button.0.1` and `card.0.body.1` address one of them. `header` alone is the file of a media header, `card.0.header` that of a card: a URL, or the id that `POST /templates/media` returned. Others: `header.latitude`, `header.longitude`, `header.name` and `header.address` of a location, `limited_time_offer.expires_at`, `button.0.1` for a coupon code, `button.0.payload` of a quick reply, `button.0.flow_token` and `button.0.flow_data`, `button.0.products` (`Bundles: a1, a2; Seeds: b1`) and `button.0.thumbnail`. By default `{{1}}` in a text is the contact’s name and any other variable is the custom field of that name */
  template_variables?: Record<string, string>
}

export interface NewMessageForm {
  /** The file to send */
  file: Upload
  /** Determined by the content of the file by default */
  message_type?: "text" | "image" | "document" | "audio" | "video"
  /** The caption */
  body?: string
  /** Sends the file as a sticker: WebP, at most 100 KB, or 500 KB if it is animated. The message type is `image` */
  sticker?: boolean
  /** `chat_message_id` of the message that this one replies to */
  context_message_id?: string
  /** The saved reply that this message was written with, to count its use */
  saved_reply_id?: string
}

export interface NewNote {
  /** For members only: it is never sent to the contact */
  body: string
  /** Ids of members who may read the inbox */
  mentioned_ids?: string[]
}

export interface NewPasskey {
  name: string
  /** The credential that the browser returns, as its `toJSON()` writes it */
  response: Record<string, unknown>
}

export interface NewProviderKey {
  /** The API key as the provider shows it. Stored encrypted, and never shown again */
  key: string
}

/** As `PushSubscription.toJSON()` of a browser returns it */
export interface NewPushSubscription {
  endpoint: string
  keys: {
    p256dh: string
    auth: string
  }
}

export interface NewRole {
  name: string
  /** What the role allows */
  scopes: Array<"agents:read" | "agents:write" | "calls:dispatch" | "calls:read" | "calls:listen" | "campaigns:manage" | "campaigns:read" | "webhooks:admin" | "contacts:read" | "contacts:write" | "inbox:read" | "inbox:write" | "knowledge:read" | "knowledge:write" | "members:manage" | "audit:read">
}

export interface NewSavedReply {
  /** What members type after `/` */
  name: string
  /** The text. It may contain fields of the contact, each with a fallback: `{{contact.first_name|there}}` */
  body: string
  /** Whether all members can use it, or only you */
  shared?: boolean
}

export interface NewSchedule {
  name: string
  /** IANA name */
  time_zone: string
  weekly_hours: WeeklyHoursInput
  holidays?: HolidayInput[]
}

export interface NewScheduledMessage {
  /** `text` by default; for a file, determined by its content */
  message_type?: "text" | "image" | "document" | "audio" | "video"
  /** The text, or the caption of a file (at most 1024 characters; audio has none). It may contain fields of the contact, each with a fallback: `{{contact.first_name|there}}` */
  body?: string
  /** Where the service fetches the file to send */
  media_url?: string
  /** Sends the file as a sticker: WebP, at most 100 KB, or 500 KB if it is animated. The message type is `image` */
  sticker?: boolean
  interactive?: Interactive
  location?: LocationMessage
  /** Contact cards to send; `body` stays empty */
  contacts?: ContactCard[]
  /** `chat_message_id` of the message that this one replies to */
  context_message_id?: string
  /** The saved reply that this message was written with, to count its use */
  saved_reply_id?: string
  /** An approved template to send in place of a free-form message, within the 24 hours or later */
  template_id?: string
  /** Values for the template’s variables. A value may contain `{{contact.name}}`, `{{contact.first_name}}`, `{{contact.phone_number}}` and `{{contact.custom_fields.x}}`, each with a fallback: `{{contact.first_name|there}}`. If a number occurs in several parts of the template, `header.1`, `body.1`, `button.0.1` and `card.0.body.1` address one of them. `header` alone is the file of a media header, `card.0.header` that of a card: a URL, or the id that `POST /templates/media` returned. Others: `header.latitude`, `header.longitude`, `header.name` and `header.address` of a location, `limited_time_offer.expires_at`, `button.0.1` for a coupon code, `button.0.payload` of a quick reply, `button.0.flow_token` and `button.0.flow_data`, `button.0.products` (`Bundles: a1, a2; Seeds: b1`) and `button.0.thumbnail`. By default `{{1}}` in a text is the contact’s name and any other variable is the custom field of that name */
  template_variables?: Record<string, string>
  /** When to send it */
  send_at?: string
  /** Instead of `send_at`: sends it after so many seconds, in which it can be cancelled */
  delay_seconds?: number
}

/** Times in the recipient’s time zone: that of the contact (`time_zone`), else that of the country of the phone number if the country has only one, else that of the organization */
export interface NewSendingTimes {
  /** Each recipient gets the message when clocks in their time zone next show this time */
  local_time?: string | null
  quiet_hours?: QuietHours | null
  /** Business hours: nothing is sent outside them, whatever the recipient’s time zone */
  schedule_id?: string | null
}

export interface NewSlaPolicy {
  name: string
  /** Tickets of this team; null for every ticket */
  team_id?: string | null
  /** Tickets of this priority; null for every ticket */
  priority?: "low" | "normal" | "high" | "urgent" | null
  /** Business hours in which minutes count; null counts around the clock */
  schedule_id?: string | null
  /** From the contact’s first message to the first reply */
  first_reply_minutes?: number | null
  /** From the first message that waits to the next reply */
  next_reply_minutes?: number | null
  /** From opening or reopening the ticket to closing it */
  resolution_minutes?: number | null
  /** How many opening minutes before the due time `ticket.sla_warning` is sent */
  warning_minutes?: number
  /** Whether an answer of the AI counts as a reply. Otherwise only a person’s does */
  counts_ai_replies?: boolean
}

export interface NewTask {
  contact_id: string
  title: string
  description?: string
  due_at?: string
  /** A member of the organization */
  assignee_id?: string
}

export interface NewTeam {
  name: string
  member_ids?: string[]
  /** Who gets a waiting conversation: a member who takes it, each member in turn, or the member with the fewest open tickets */
  assignment?: "manual" | "round_robin" | "least_busy"
  /** Business hours: outside them, no conversation is assigned automatically. Null: always open */
  schedule_id?: string | null
  /** The team that conversations pass to when a contact writes outside the business hours */
  after_hours_team_id?: string | null
  /** Assigns the conversation to another member after so many opening minutes without a reply */
  reassign_after_minutes?: number | null
}

export interface NewTemplate {
  channel_id: string
  /** Lowercase letters, digits and underscores */
  name: string
  /** A language tag */
  language: string
  category: "MARKETING" | "UTILITY" | "AUTHENTICATION"
  components: Array<{
    type: "HEADER" | "BODY" | "FOOTER" | "BUTTONS" | "CAROUSEL" | "LIMITED_TIME_OFFER" | "CALL_PERMISSION_REQUEST"
    /** For headers */
    format?: "TEXT" | "IMAGE" | "VIDEO" | "DOCUMENT" | "LOCATION" | null
    /** May contain the variables `{{1}}`, `{{2}}`, … */
    text?: string | null
    /** For the type `BUTTONS` */
    buttons?: Array<{
      /** `COPY_CODE` copies a coupon code, `OTP` a one-time password (authentication templates), `FLOW` opens a flow, `CATALOG` the catalog and `MPM` a choice of its products */
      type: "QUICK_REPLY" | "URL" | "PHONE_NUMBER" | "COPY_CODE" | "OTP" | "FLOW" | "CATALOG" | "MPM"
      /** Button label */
      text?: string | null
      /** For `URL` buttons; may end in a variable */
      url?: string | null
      /** For `PHONE_NUMBER` buttons */
      phone_number?: string | null
      /** For `OTP` buttons. `ONE_TAP` and `ZERO_TAP` fill the code into your Android apps, which you name in `supported_apps`; `ZERO_TAP` also needs `zero_tap_terms_accepted` */
      otp_type?: "COPY_CODE" | "ONE_TAP" | "ZERO_TAP" | null
      /** For `FLOW` buttons: this, `flow_name` or `flow_json` */
      flow_id?: string | null
    }> | null
    /** Example values for the platform’s reviewers; neutral ones are used if you send none */
    example?: Record<string, unknown> | null
    /** For the type `CAROUSEL`: up to 10 cards, each with a picture or video, and optionally text and buttons */
    cards?: Array<{
      components: Array<{
        type: "HEADER" | "BODY" | "BUTTONS"
        /** For headers */
        format?: "TEXT" | "IMAGE" | "VIDEO" | "DOCUMENT" | "LOCATION" | null
        /** May contain the variables `{{1}}`, `{{2}}`, … */
        text?: string | null
        /** For the type `BUTTONS` */
        buttons?: Array<{
          /** `COPY_CODE` copies a coupon code, `OTP` a one-time password (authentication templates), `FLOW` opens a flow, `CATALOG` the catalog and `MPM` a choice of its products */
          type: "QUICK_REPLY" | "URL" | "PHONE_NUMBER" | "COPY_CODE" | "OTP" | "FLOW" | "CATALOG" | "MPM"
          /** Button label */
          text?: string | null
          /** For `URL` buttons; may end in a variable */
          url?: string | null
          /** For `PHONE_NUMBER` buttons */
          phone_number?: string | null
          /** For `OTP` buttons. `ONE_TAP` and `ZERO_TAP` fill the code into your Android apps, which you name in `supported_apps`; `ZERO_TAP` also needs `zero_tap_terms_accepted` */
          otp_type?: "COPY_CODE" | "ONE_TAP" | "ZERO_TAP" | null
          /** For `FLOW` buttons: this, `flow_name` or `flow_json` */
          flow_id?: string | null
        }> | null
        /** Example values for the platform’s reviewers; neutral ones are used if you send none */
        example?: Record<string, unknown> | null
      }>
    }> | null
    /** For the type `LIMITED_TIME_OFFER`: its heading, and whether the message counts down to its end */
    limited_time_offer?: {
      text: string
      has_expiration?: boolean | null
    } | null
    /** For the body of an authentication template, whose text comes from the platform */
    add_security_recommendation?: boolean | null
    /** For the footer of an authentication template: 1 to 90 */
    code_expiration_minutes?: number | null
  }>
  /** How long the platform tries to deliver a message, in seconds: 30 to 900 for `AUTHENTICATION`, 30 to 43200 for `UTILITY` (-1 in both: 30 days), 43200 to 2592000 for `MARKETING`, where only the Marketing Messages API keeps it */
  message_send_ttl_seconds?: number | null
}

export interface NewTicket {
  contact_id: string
}

export interface NewWebCall {
  agent_id: string
  /** Values for `{{name}}` in the agent’s greeting, prompt and rules */
  variables?: Record<string, unknown>
  /** Stored with the call. In test mode `caller_script`, a list of lines, is what the simulated person says */
  metadata?: Record<string, unknown>
}

export interface NewWebhook {
  /** Where events are posted, as `https://…`; must not be in this service’s own network */
  url: string
  /** Event types to receive: `contact.created`, `call.*` for a group, `*` for all. Only types that the credential may read: a pattern that covers others is stored as the readable types */
  events: string[]
  /** Your note about this webhook */
  description?: string | null
}

export interface Note {
  id: string
  organization_id: string
  inbox_id: string
  contact_id: string
  /** The member; null for a key that no member created */
  author_id: string | null
  /** For members only: it is never sent to the contact */
  body: string
  /** The mentioned members */
  mentioned_ids: string[]
  edited_at: string | null
  livemode: boolean
  created_at: string
  updated_at: string
}

export interface NoteChanges {
  /** For members only: it is never sent to the contact */
  body?: string
  /** Ids of members who may read the inbox */
  mentioned_ids?: string[]
}

export interface Notification {
  id: string
  organization_id: string
  /** `assigned`: a ticket was assigned to you. `message`: a message in your ticket. `unassigned`: a message in a ticket that no one is assigned to. `mention`: a note mentions you. `handoff`: the AI handed the contact off to a person */
  kind: "assigned" | "message" | "unassigned" | "mention" | "handoff"
  ticket_id: string
  /** How many times it happened while unread */
  count: number
  /** Name or number of the contact */
  contact_name: string
  /** The first 120 characters of the ticket’s last message, or the kind of a file without text. For a mention: of the note */
  preview: string
  read_at: string | null
  livemode: boolean
  created_at: string
}

export interface NotificationPage {
  data: Notification[]
  /** Whether there is a next page */
  has_more: boolean
  /** Id of the last record in `data`; null only when `data` is empty */
  next_cursor: string | null
  /** Number of matching records on all pages */
  total_count: number
  /** Number of unread notifications */
  unread_count: number
}

export interface NotificationPreferenceChanges {
  /** Tickets that are assigned to you */
  mine?: boolean
  /** Notes that mention you */
  mentions?: boolean
  /** Tickets that wait and that no one is assigned to */
  unassigned?: boolean
  /** How often unread notifications of live mode are emailed to you */
  email_digest?: "off" | "hourly" | "daily"
  /** When you get no sound, push notification or email. Null: none */
  quiet_hours?: {
    from: string
    until: string
  } | null
  /** IANA name, of the quiet hours. Null: the organization’s */
  time_zone?: string | null
}

export interface NotificationPreferences {
  /** Tickets that are assigned to you */
  mine: boolean
  /** Notes that mention you */
  mentions: boolean
  /** Tickets that wait and that no one is assigned to */
  unassigned: boolean
  /** How often unread notifications of live mode are emailed to you */
  email_digest: "off" | "hourly" | "daily"
  /** When you get no sound, push notification or email. Null: none */
  quiet_hours: {
    from: string
    until: string
  } | null
  /** IANA name, of the quiet hours. Null: the organization’s */
  time_zone: string | null
  /** Whether the installation sends email */
  email_available: boolean
  /** The `applicationServerKey` for a browser’s push subscription */
  push_public_key: string | null
}

export interface NotificationShown {
  /** Whether to alert the member: true for the first device that asks, outside of the quiet hours */
  alert: boolean
}

export interface OpeningSpan {
  /** First minute */
  from: string
  /** First minute after it; on the next day if it is earlier than `from` */
  until: string
}

export interface OperatedOrganization {
  id: string
  name: string
  members_count: number
  status: "active" | "suspended"
  suspended_at: string | null
  suspended_reason: string | null
  /** Requests per minute and credential; null for the setting `RATE_LIMIT_PER_MINUTE` */
  requests_per_minute: number | null
  /** Concurrent calls in each mode; null for the setting `CALLS_PER_ORGANIZATION` */
  calls_at_once: number | null
  created_at: string
}

export interface OperatorAction {
  id: string
  /** Null for the installation itself */
  organization_id: string | null
  /** The name at that time */
  organization_name: string | null
  action: string
  actor_id: string | null
  /** The name at that time */
  actor_name: string | null
  object_type: string
  object_id: string | null
  object_name: string | null
  /** The changed fields before */
  previous: Record<string, unknown> | null
  /** The changed fields after */
  current: Record<string, unknown> | null
  ip_address: string | null
  /** The `X-Request-Id` of the response */
  request_id: string | null
  created_at: string
}

export interface Organization {
  id: string
  name: string
  /** Whether members need a second factor. Those without one can only set it up */
  requires_second_factor: boolean
  /** IANA name; used for contacts whose time zone is unknown */
  time_zone: string
  /** Country of phone numbers without `+`, as two letters (ISO 3166-1). Null uses the setting `DEFAULT_COUNTRY` */
  default_country: string | null
  created_at: string
  updated_at: string
  limits: Limits
  call_rates: CallRates
  chat_api: ChatApi
}

export interface OrganizationChanges {
  name?: string
  /** Only owners can change it */
  requires_second_factor?: boolean
  /** IANA name */
  time_zone?: string
  /** Country of phone numbers without `+`, as two letters (ISO 3166-1). Null uses the setting `DEFAULT_COUNTRY` */
  default_country?: string | null
}

export interface OrganizationLimits {
  /** Requests per minute and credential; null for the setting `RATE_LIMIT_PER_MINUTE` */
  requests_per_minute?: number | null
  /** Concurrent calls in each mode; null for the setting `CALLS_PER_ORGANIZATION` */
  calls_at_once?: number | null
}

export interface Passkey {
  id: string
  name: string
  created_at: string
  last_used_at: string | null
}

export interface PasskeyCreated {
  id: string
  name: string
  created_at: string
  last_used_at: string | null
  /** With your first second factor; null if you have recovery codes already. Shown only here */
  recovery_codes: string[] | null
}

export interface PasskeyLogin {
  /** The credential that the browser returns, as its `toJSON()` writes it */
  response: Record<string, unknown>
}

/** For `navigator.credentials`, with binary values in base64url, as `parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON` read them */
export type PasskeyOptions = Record<string, unknown>

export interface PasskeyRemoval {
  /** Required, unless you have no password or have just signed in with a link */
  current_password?: string
  /** A code of your authenticator app or a recovery code */
  code?: string
}

export interface PasskeySetup {
  /** Required, unless you have no password or have just signed in with a link */
  current_password?: string
}

export interface Passkeys {
  data: Passkey[]
}

export interface PasswordChange {
  current_password?: string
  new_password: string
}

export interface PasswordReset {
  email: string
}

export interface PersonExport {
  id: string
  organization_id: string
  contact_id: string
  state: "queued" | "running" | "completed"
  /** Why the template waits. Frontdesk retries automatically */
  error: string | null
  requested_by_type: "user" | "ai" | "system"
  requested_by_id: string | null
  size_bytes: number | null
  /** Path of the ZIP, once it is complete. The request needs full access */
  download_url: string | null
  /** When the export is deleted: a week after it is complete */
  expires_at: string
  completed_at: string | null
  livemode: boolean
  created_at: string
}

export interface PreflightSkipped {
  /** Contacts who have opted out of marketing */
  opted_out: number
  /** Contacts without a number or chat account that the template can be sent to */
  no_address: number
  /** Blocked contacts */
  blocked: number
}

export interface Presence {
  /** What you are doing in the conversation */
  state: "viewing" | "typing" | "left"
}

export interface PrivacyChanges {
  masking?: MaskingChanges
  retention?: RetentionChanges
}

export interface PrivacySettings {
  masking: Masking
  retention: Retention
}

export interface PromotedAgent {
  id: string
  name: string
  organization_id: string
  /** IANA name. Determines what the agent calls "now"; default for schedules */
  timezone: string | null
  /** `prompt`: driven by a language model; `static`: driven by rules */
  agent_type: "prompt" | "static"
  /** An inactive agent does not answer */
  is_active: "active" | "inactive"
  agent_config: AgentConfig
  /** Increases with every change; calls keep the version they ran with */
  version: number
  livemode: boolean
  created_at: string
  updated_at: string
  /** Chosen test documents that have no live copy, so the live agent does not read them. Promote them, then promote the agent again */
  missing_documents: Array<{
    id: string
    file_name: string
  }>
}

export interface ProviderKey {
  provider: "openai" | "anthropic" | "google" | "deepgram" | "elevenlabs" | "cartesia"
  /** What this installation uses the provider for in live mode. Test mode calls no provider */
  used_for: Array<"model" | "transcriber" | "voice" | "embeddings">
  /** Whose key requests are sent with: the organization’s own, else the installation’s. With `none` the provider cannot be used */
  source: "organization" | "installation" | "none"
  /** The end of the organization’s own key; null without one. The key itself is never shown */
  last_four: string | null
  /** When the organization’s own key was set */
  updated_at: string | null
}

export interface ProviderKeyList {
  /** One entry for each provider */
  data: ProviderKey[]
}

export interface ProviderKeyTest {
  /** Whether the provider accepts the key */
  works: boolean
  message: string
}

export interface PushSubscription {
  id: string
  created_at: string
}

export interface QueueCounts {
  mine: number
  unassigned: number
  needs_person: number
  /** Null if no active agent answers a channel */
  ai: number | null
  all: number
  snoozed: number
}

/** Nothing is sent to a recipient while it is this time in their time zone */
export interface QuietHours {
  /** First minute of the quiet hours */
  from: string
  /** First minute after them, on the next day if it is earlier than `from` */
  until: string
}

export interface RateLimitError {
  error: "rate_limit_exceeded"
  message: string
  /** Seconds to wait before retrying */
  retry_after: number
}

export interface Reaction {
  /** One emoji; an empty string removes the reaction */
  emoji: string
}

export interface ReadNotifications {
  /** Only those about this ticket */
  ticket_id?: string
}

export interface ReceivedCall {
  /** Id of the call log, which exists once the carrier has asked what to do */
  call_id: string
}

export interface ReceivedMessage {
  /** Id that the message in the inbox will have once the platform’s webhook arrives */
  chat_message_id: string
}

export interface Recovery {
  /** Sends events again that happened from then on and did not reach the endpoint */
  since: string
}

export interface RecoveryBegun {
  /** Deliveries queued by this request */
  recovered: number
  /** Whether there are more; they follow automatically */
  has_more: boolean
}

export interface RecoveryCodes {
  /** Each works once in place of a code of the app. Shown only here */
  recovery_codes: string[]
}

export interface Refresh {
  refresh_token?: string
}

export interface RequestedAppData {
  /** WhatsApp’s id of the request, for its support */
  request_id: string | null
}

/** How long records are kept, in both modes. Null: until they are deleted, or for as long as the operator of this service has set (`limits` of the organization) */
export interface Retention {
  /** Days. Messages with their files and timeline entries, and the recipients of ended campaigns */
  messages: number | null
  /** Days. Files of messages; the messages stay */
  media: number | null
  /** Days. What was said in calls: transcripts, summaries, analyses; the call logs stay */
  transcripts: number | null
  /** Days. Recordings of calls; the call logs stay */
  recordings: number | null
  /** Days. Call logs with everything that belongs to them */
  call_logs: number | null
  /** Days. Events and the delivery log of webhooks */
  events: number | null
}

export interface RetentionChanges {
  /** Days. Messages with their files and timeline entries, and the recipients of ended campaigns */
  messages?: number | null
  /** Days. Files of messages; the messages stay */
  media?: number | null
  /** Days. What was said in calls: transcripts, summaries, analyses; the call logs stay */
  transcripts?: number | null
  /** Days. Recordings of calls; the call logs stay */
  recordings?: number | null
  /** Days. Call logs with everything that belongs to them */
  call_logs?: number | null
  /** Days. Events and the delivery log of webhooks */
  events?: number | null
}

export interface RetriedCampaign {
  id: string
  organization_id: string
  name: string
  status: "scheduled" | "sending" | "paused" | "completed" | "cancelled" | "failed"
  /** The channel that sends the messages */
  chat_phone_number_id: string
  /** Null also if the template has been deleted */
  message_template_id: string | null
  /** Values for the template’s variables. A value may contain `{{contact.name}}`, `{{contact.first_name}}`, `{{contact.phone_number}}` and `{{contact.custom_fields.x}}`, each with a fallback: `{{contact.first_name|there}}`. If a number occurs in several parts of the template, `header.1`, `body.1`, `button.0.1` and `card.0.body.1` address one of them. `header` alone is the file of a media header, `card.0.header` that of a card: a URL, or the id that `POST /templates/media` returned. Others: `header.latitude`, `header.longitude`, `header.name` and `header.address` of a location, `limited_time_offer.expires_at`, `button.0.1` for a coupon code, `button.0.payload` of a quick reply, `button.0.flow_token` and `button.0.flow_data`, `button.0.products` (`Bundles: a1, a2; Seeds: b1`) and `button.0.thumbnail`. By default `{{1}}` in a text is the contact’s name and any other variable is the custom field of that name */
  template_variables: Record<string, string> | null
  audience_type: "all" | "tags" | "manual"
  audience_tags: string[] | null
  /** Null in lists and events if there are more than 1,000 */
  audience_contact_ids: string[] | null
  scheduled_at: string | null
  sending_times: SendingTimes | null
  /** Recipients resolved so far; complete once `frozen_at` is set */
  total_contacts_count: number
  /** Accepted by the messaging platform */
  sent_count: number
  /** Delivered, including those that were read */
  delivered_count: number
  /** Read */
  read_count: number
  /** Failed, including those that the platform had accepted first */
  failed_count: number
  /** Not sent: the contact has opted out, is blocked or has no address */
  skipped_count: number
  /** May or may not have been sent; a receipt can still settle it */
  unknown_count: number
  /** Not sent yet, or never sent if the campaign was canceled */
  pending_count: number
  /** In flight to the platform */
  sending_count: number
  /** Recipients who replied: who quoted the message or tapped a button, or wrote within seven days while it was the last message sent to them */
  replied_count: number
  /** Why it is paused */
  pause_reason: "user" | "failure_rate" | "token_expired" | "account_blocked" | "template_paused" | "template_unusable" | "template_deleted" | "channel_deleted" | "channel_not_ready" | null
  /** The reason in words */
  pause_detail: string | null
  /** Why it failed */
  failure_reason: "no_template" | "no_channel" | null
  /** While sending: the time until which the platform asked the channel to wait */
  waiting_until: string | null
  /** Why nothing is being sent at the moment: the platform’s message and code */
  waiting_reason: string | null
  started_at: string | null
  /** When every recipient had a delivery */
  frozen_at: string | null
  /** When nothing was left to send; receipts may still change the counts */
  completed_at: string | null
  livemode: boolean
  created_at: string
  updated_at: string
  /** Number of deliveries that are retried */
  retried_count: number
}

export interface RoleChange {
  /** What the member may do: `owner`, `admin`, `supervisor`, `member`, `read_only`, or the id of a custom role */
  role: string
}

export interface RoleChanges {
  name?: string
  /** What the role allows */
  scopes?: Array<"agents:read" | "agents:write" | "calls:dispatch" | "calls:read" | "calls:listen" | "campaigns:manage" | "campaigns:read" | "webhooks:admin" | "contacts:read" | "contacts:write" | "inbox:read" | "inbox:write" | "knowledge:read" | "knowledge:write" | "members:manage" | "audit:read">
}

export interface RoleList {
  built_in: BuiltInRole[]
  /** The custom roles, by name */
  data: CustomRole[]
}

export interface SavedReply {
  id: string
  organization_id: string
  /** What members type after `/` */
  name: string
  /** The text. It may contain fields of the contact, each with a fallback: `{{contact.first_name|there}}` */
  body: string
  /** Whether all members can use it, or only you */
  shared: boolean
  /** The member of a private one */
  owner_id: string | null
  /** The files, in the order in which they are sent. Each is a separate message */
  attachments: SavedReplyFile[]
  attachment: SavedReplyAttachment | null
  /** How many messages were sent with it */
  use_count: number
  last_used_at: string | null
  livemode: boolean
  created_at: string
  updated_at: string
}

/** The first of `attachments` */
export interface SavedReplyAttachment {
  file_name: string
  mime_type: string
  size_bytes: number
}

export interface SavedReplyChanges {
  /** What members type after `/` */
  name?: string
  /** The text. It may contain fields of the contact, each with a fallback: `{{contact.first_name|there}}` */
  body?: string
  /** Whether all members can use it, or only you */
  shared?: boolean
}

export interface SavedReplyFile {
  id: string
  file_name: string
  mime_type: string
  size_bytes: number
}

export interface Schedule {
  id: string
  organization_id: string
  name: string
  /** IANA name */
  time_zone: string
  weekly_hours: WeeklyHours
  holidays: Holiday[]
  created_at: string
  updated_at: string
}

export interface ScheduleChanges {
  name?: string
  /** IANA name */
  time_zone?: string
  weekly_hours?: WeeklyHoursInput
  holidays?: HolidayInput[]
}

export interface ScheduleState {
  at: string
  is_open: boolean
  /** When it opens next, while it is closed. Also null if that is more than a year away */
  opens_at: string | null
  /** When it closes, while it is open. Also null if it stays open for a week */
  closes_at: string | null
  /** When `minutes` of opening time have passed; null if that takes more than a year */
  due_at: string | null
}

export interface ScheduledMessage {
  id: string
  organization_id: string
  /** Ticket of the message */
  inbox_id: string
  contact_id: string
  /** What is sent, as in `POST /inbox/messages/{inbox_id}` */
  message: Record<string, unknown>
  send_at: string
  status: "scheduled" | "sent" | "cancelled" | "failed"
  error: ScheduledMessageError | null
  /** The message, once it is sent */
  message_id: string | null
  actor_type: "user" | "ai" | "system"
  actor_id: string | null
  livemode: boolean
  created_at: string
  updated_at: string
}

export interface ScheduledMessageChanges {
  body?: string
  /** When to send it */
  send_at?: string
}

/** Why it could not be sent */
export interface ScheduledMessageError {
  code: string
  message: string
}

export interface SearchResult {
  chunk_id: string
  document_id: string
  file_name: string
  /** Page number, if the document has pages */
  page: number | null
  /** Headings above the passage, outermost first */
  heading: string
  /** First character, counted in the extracted text */
  start_offset: number
  /** Character after the last one */
  end_offset: number
  text: string
  /** Higher is better; comparable within one response only */
  score: number
}

export interface SearchResults {
  /** Best first */
  results: SearchResult[]
  took_ms: number
  /** Present and true if passages may be missing: the time limit was reached, or one half of the search failed */
  partial?: boolean
}

export interface SecondFactors {
  /** Null if no authenticator app is set up */
  authenticator: {
    confirmed_at: string
  } | null
  /** Unused recovery codes */
  recovery_codes_left: number
}

export interface SecretRotation {
  /** How long deliveries also have a signature with the old secret; use 0 if it has leaked */
  overlap_seconds?: number
}

/** Times in the recipient’s time zone: that of the contact (`time_zone`), else that of the country of the phone number if the country has only one, else that of the organization */
export interface SendingTimes {
  /** Each recipient gets the message when clocks in their time zone next show this time */
  local_time: string | null
  quiet_hours: QuietHours | null
  /** Business hours: nothing is sent outside them, whatever the recipient’s time zone */
  schedule_id?: string | null
}

export interface Session {
  id: string
  /** How the session was opened */
  signed_in_by: "password" | "link" | "invitation" | "passkey" | "single_sign_on"
  /** The browser or program that signed in */
  user_agent: string
  /** Where the person signed in or last refreshed the access token; empty if unknown */
  ip_address: string
  created_at: string
  /** With a precision of one minute */
  last_used_at: string
  /** When the session ends if it is not used before */
  expires_at: string
  /** Whether this request belongs to it */
  is_current: boolean
}

export interface SignInLink {
  token: string
  /** A code of your authenticator app or a recovery code, if you have set one up */
  code?: string
}

export interface SignInOptions {
  /** Whether this installation emails links to choose a new password */
  password_reset: boolean
  /** The identity provider of this installation; null without one */
  single_sign_on: {
    /** For the button */
    name: string
    /** Where a browser goes to sign in */
    url: string
  } | null
}

export interface SignedIn {
  /** Send it as `Authorization: Bearer …` */
  access_token: string
  token_type: string
  /** Seconds until the access token expires */
  expires_in: number
  /** For `POST /auth/refresh`, once. Null if the cookie holds it, where scripts cannot read it */
  refresh_token: string | null
  /** Organizations that the person belongs to */
  organizations: Array<{
    id: string
    name: string
    /** What the member may do: `owner`, `admin`, `supervisor`, `member`, `read_only`, or the id of a custom role */
    role: string
  }>
}

export interface SimulatedAppEvent {
  /** The channel whose number the app uses; the oldest by default */
  channel_id?: string
  /** What the WhatsApp Business app shares: messages that a person sent in it (`smb_message_echoes`), chats from before the connection (`history`) or its address book (`smb_app_state_sync`) */
  field: "smb_message_echoes" | "history" | "smb_app_state_sync"
  /** The value of the webhook in the platform’s format. Ids, times, the channel’s number and `metadata` are filled in */
  value: Record<string, unknown>
}

export interface SimulatedCall {
  /** The channel that is called; the oldest by default */
  channel_id?: string
  /** The caller’s phone number */
  from: string
  /** What the caller says, one line each time the agent has finished speaking; `[keys: 12#]` presses keys */
  script?: string[]
  /** The same seed produces the same caller */
  seed?: string
}

export interface SimulatedHealth {
  quality_rating?: "GREEN" | "YELLOW" | "RED" | "UNKNOWN"
  name_status?: string
  throughput?: "STANDARD" | "HIGH"
  /** Of the business account: all its numbers share it */
  messaging_limit?: "TIER_50" | "TIER_250" | "TIER_1K" | "TIER_2K" | "TIER_10K" | "TIER_100K" | "TIER_UNLIMITED"
  /** What the business account may not do */
  restrictions?: Array<{
    type: string
    until?: string
  }>
  /** Reports a policy violation of the business account */
  violation_type?: string
  /** Review of the business account */
  review_status?: "APPROVED" | "PENDING" | "REJECTED"
  /** Why the business account cannot send, such as an unpaid bill; empty if it can */
  messaging_problem?: string
  /** Disables the business account, or lifts that and all restrictions */
  ban_state?: "SCHEDULE_FOR_DISABLE" | "DISABLE" | "REINSTATE"
}

export interface SimulatedMessage {
  /** The channel that receives the message; the oldest by default */
  channel_id?: string
  /** The customer’s phone number. Required unless you send a `user_id` */
  from?: string
  /** The platform’s id of a customer who hides their phone number */
  user_id?: string
  /** The customer’s username */
  username?: string
  name?: string
  /** `text`, `image`, `document`, `audio`, `video`, `sticker`, `reaction`, `button`, `interactive`, `location`, `contacts`, `order`, `edit` and `revoke` (of the customer’s last message unless `message.edit.original_message_id` names another), `unsupported`, `user_changed_number`, `user_changed_user_id` and `user_id_update` (to the number or id in `message`, such as `{"wa_id": "12025550143", "user_id": "US.2"}`), `system`, or any other value to test unknown types */
  type?: string
  /** The text of a message, the caption of a file, the new text of an `edit`, or for `interactive` the title of what the customer taps in your latest message that has it (its first choice by default) */
  text?: string
  /** Further fields of the message as the platform would send them, such as `context` or `button` */
  message?: Record<string, unknown>
  /** Sends the message after a click on an ad: `source_id`, `headline`, `source_url`, `source_type` (`ad` or `post`) and others; missing ones are filled in */
  referral?: Record<string, unknown>
  /** The file of a media message; a small sample by default */
  media?: {
    base64: string
    mime_type: string
    filename?: string
  }
  /** Repeat an id to deliver the same message again */
  chat_message_id?: string
}

export interface SimulatedTemplateEvent {
  /** What the platform does */
  event: "approve" | "reject" | "quality" | "recategorize" | "pause" | "unpause" | "disable" | "reinstate" | "flag" | "click"
  /** Rejection reason */
  reason?: string
  /** The new quality rating. `RED` pauses the template, the third time disables it */
  score?: "GREEN" | "YELLOW" | "RED" | "UNKNOWN"
  category?: "AUTHENTICATION" | "MARKETING" | "UTILITY"
  /** For `click`: the label of a button that opens a website; the first one by default */
  button?: string
  /** How many people click it */
  count?: number
  /** For `click`: whether the messages were sent by the Marketing Messages API; by default, whether the channel uses it now */
  marketing_messages?: boolean
}

export interface SlaPolicy {
  id: string
  organization_id: string
  name: string
  /** Tickets of this team; null for every ticket */
  team_id: string | null
  /** Tickets of this priority; null for every ticket */
  priority: "low" | "normal" | "high" | "urgent" | null
  /** Business hours in which minutes count; null counts around the clock */
  schedule_id: string | null
  /** From the contact’s first message to the first reply */
  first_reply_minutes: number | null
  /** From the first message that waits to the next reply */
  next_reply_minutes: number | null
  /** From opening or reopening the ticket to closing it */
  resolution_minutes: number | null
  /** How many opening minutes before the due time `ticket.sla_warning` is sent */
  warning_minutes: number
  /** Whether an answer of the AI counts as a reply. Otherwise only a person’s does */
  counts_ai_replies: boolean
  created_at: string
  updated_at: string
}

export interface SlaPolicyChanges {
  /** Tickets of this team; null for every ticket */
  team_id?: string | null
  /** Tickets of this priority; null for every ticket */
  priority?: "low" | "normal" | "high" | "urgent" | null
  /** Business hours in which minutes count; null counts around the clock */
  schedule_id?: string | null
  /** From the contact’s first message to the first reply */
  first_reply_minutes?: number | null
  /** From the first message that waits to the next reply */
  next_reply_minutes?: number | null
  /** From opening or reopening the ticket to closing it */
  resolution_minutes?: number | null
  name?: string
  /** How many opening minutes before the due time `ticket.sla_warning` is sent */
  warning_minutes?: number
  /** Whether an answer of the AI counts as a reply. Otherwise only a person’s does */
  counts_ai_replies?: boolean
}

export interface StageLatency {
  p50: number
  p95: number
  max: number
}

export interface StuckJob {
  id: string
  name: string
  state: "failed" | "waiting" | "running"
  organization_id: string | null
  attempts: number
  error: string | null
  created_at: string
}

export interface StuckJobs {
  data: StuckJob[]
}

export interface Suspension {
  reason: string
}

export interface SyncChoice {
  /** Only the business account of this channel */
  channel_id?: string
}

export interface SyncReport {
  /** Found at the platform and stored */
  added: number
  /** Updated from the platform */
  updated: number
  /** Deleted because the platform no longer has them */
  removed: number
  /** Already up to date */
  unchanged: number
  synced_at: string
  /** Business accounts that could not be read while others could */
  failures: Array<{
    channel_id: string
    business_account_id: string
    detail: string
    upstream: {
      code: string | number | null
      message: string
    }
  }>
}

export interface Task {
  id: string
  organization_id: string
  contact_id: string
  title: string
  description: string
  due_at: string | null
  assignee_id: string | null
  status: "pending" | "completed" | "cancelled"
  created_by_type: "user" | "ai" | "system"
  created_by_id: string | null
  completed_at: string | null
  livemode: boolean
  created_at: string
  updated_at: string
  contact: {
    id: string
    name: string
    phone_number: string
  }
}

export interface TaskChanges {
  status?: "pending" | "completed" | "cancelled"
  title?: string
  description?: string
  due_at?: string | null
  /** A member of the organization; null to unassign */
  assignee_id?: string | null
}

export interface Team {
  id: string
  organization_id: string
  name: string
  member_ids: string[]
  /** Who gets a waiting conversation: a member who takes it, each member in turn, or the member with the fewest open tickets */
  assignment: "manual" | "round_robin" | "least_busy"
  /** Business hours: outside them, no conversation is assigned automatically. Null: always open */
  schedule_id: string | null
  /** The team that conversations pass to when a contact writes outside the business hours */
  after_hours_team_id: string | null
  /** Assigns the conversation to another member after so many opening minutes without a reply */
  reassign_after_minutes: number | null
  created_at: string
  updated_at: string
}

export interface TeamChanges {
  name?: string
  member_ids?: string[]
  /** Who gets a waiting conversation: a member who takes it, each member in turn, or the member with the fewest open tickets */
  assignment?: "manual" | "round_robin" | "least_busy"
  /** Business hours: outside them, no conversation is assigned automatically. Null: always open */
  schedule_id?: string | null
  /** The team that conversations pass to when a contact writes outside the business hours */
  after_hours_team_id?: string | null
  /** Assigns the conversation to another member after so many opening minutes without a reply */
  reassign_after_minutes?: number | null
}

export interface TeamOfTicket {
  team_id: string | null
}

export interface Template {
  id: string
  organization_id: string
  account_id: string
  channel_id: string
  /** Business account that owns the template */
  business_account_id: string
  /** The platform’s id, once it has confirmed the template */
  remote_template_id: string | null
  name: string
  language: string
  category: "MARKETING" | "UTILITY" | "AUTHENTICATION"
  /** The category that the platform has announced for it */
  upcoming_category: string | null
  /** Latest review verdict */
  status: "PENDING" | "APPROVED" | "REJECTED"
  /** The platform’s own status, such as `PAUSED` or `DISABLED`; null until it has reported one. You can send a template when this and `status` are both `APPROVED` */
  platform_status: string | null
  /** Why it was rejected, if the platform gives a reason */
  rejected_reason: string | null
  /** Header, body, footer and buttons */
  components: Array<Record<string, unknown>>
  /** Stored files of the samples in its headers: ids for `GET /templates/media/{media_id}/download`, by `header_handle` */
  sample_files: Record<string, string>
  /** How long the platform tries to deliver a message, in seconds; -1 for 30 days, null for the platform’s default */
  message_send_ttl_seconds: number | null
  /** Empty until rated */
  quality_score: "" | "GREEN" | "YELLOW" | "RED"
  /** Progress of the registration: `registering`, `uncertain` (requested, no response), `held` (the token, account or channel must be fixed first), `registered` or `refused` */
  registration: "registering" | "uncertain" | "held" | "registered" | "refused"
  /** Why it is not registered yet */
  registration_error: string | null
  livemode: boolean
  created_at: string
  updated_at: string
}

export interface TemplateMedia {
  /** Use it as the value of `header` or `card.0.header` in `template_variables` */
  id: string
  /** Use it as `example.header_handle` of a header; null if no sample was asked for */
  handle: string | null
  /** Of headers that can show it */
  format: "IMAGE" | "VIDEO" | "DOCUMENT"
  mime_type: string
  file_name: string
  size_bytes: number
  created_at: string
}

export interface TemplateMediaForm {
  /** JPEG or PNG up to 5 MB, MP4 up to 16 MB, or PDF up to 100 MB */
  file: Upload
  /** The channel whose business account gets the sample */
  channel_id: string
  /** Whether to upload it as a sample; false for a file that is only sent */
  sample?: boolean
}

export interface TemplatePreflight {
  /** Platform rules that it seems to break; the platform decides */
  warnings: Array<{
    loc: string[]
    msg: string
  }>
  /** The existing template with this name and language */
  existing_id: string | null
}

export interface TestSend {
  /** The number of a contact, such as your own */
  phone_number: string
  /** Values for the template’s variables. A value may contain `{{contact.name}}`, `{{contact.first_name}}`, `{{contact.phone_number}}` and `{{contact.custom_fields.x}}`, each with a fallback: `{{contact.first_name|there}}`. If a number occurs in several parts of the template, `header.1`, `body.1`, `button.0.1` and `card.0.body.1` address one of them. `header` alone is the file of a media header, `card.0.header` that of a card: a URL, or the id that `POST /templates/media` returned. Others: `header.latitude`, `header.longitude`, `header.name` and `header.address` of a location, `limited_time_offer.expires_at`, `button.0.1` for a coupon code, `button.0.payload` of a quick reply, `button.0.flow_token` and `button.0.flow_data`, `button.0.products` (`Bundles: a1, a2; Seeds: b1`) and `button.0.thumbnail`. By default `{{1}}` in a text is the contact’s name and any other variable is the custom field of that name */
  template_variables?: Record<string, string>
  /** By default the channel that registered the template */
  channel_id?: string
}

export interface Ticket {
  id: string
  organization_id: string
  contact_id: string
  /** Channel of the last message */
  chat_phone_number_id: string | null
  status: "open" | "closed"
  /** The assigned member */
  assignee_id: string | null
  priority: "low" | "normal" | "high" | "urgent"
  tags: string[]
  /** The ticket is set aside until this time, or until the contact writes */
  snoozed_until: string | null
  /** Since when the contact waits for an answer; null if it does not */
  waiting_since: string | null
  /** `ai` if the AI handles the contact and an active agent answers the ticket’s channel */
  answered_by: "ai" | "person"
  /** The team that handles it */
  team_id: string | null
  /** When the first target of its SLA policy is due; in the past if it was missed */
  sla_due_at: string | null
  /** What is due at `sla_due_at` */
  sla_target: "first_reply" | "next_reply" | "resolution" | null
  /** Unread messages from the contact */
  unread_count: number
  last_message_at: string | null
  /** When the platform stops accepting free-form messages; null if the contact never wrote */
  window_expires_at: string | null
  /** How the contact rated it */
  rating: "good" | "okay" | "bad" | null
  rated_at: string | null
  livemode: boolean
  created_at: string
  updated_at: string
}

export interface TicketAnalysis {
  /** The ticket */
  id: string
  organization_id: string
  contact_id: string
  /** The agent whose settings asked for it */
  agent_id: string | null
  agent_version: number | null
  summary: string
  /** Model that wrote the summary; `scripted` where none was asked */
  summary_by: string | null
  results: ConversationResults | null
  /** When the ticket was closed */
  closed_at: string
  livemode: boolean
  created_at: string
}

export interface TicketAssignment {
  id: string
  ticket_id: string
  team_id: string | null
  /** The member after the change */
  assignee_id: string | null
  previous_assignee_id: string | null
  /** Why it changed */
  reason: "manual" | "taken" | "automatic" | "no_reply" | "after_hours" | "left_team" | "member_removed" | "routed"
  actor_type: "user" | "key" | "system"
  actor_id: string | null
  created_at: string
}

export interface TicketChanges {
  status?: "open" | "closed"
  assignee_id?: string | null
  /** Passes the ticket to the team, without its assignee unless you name one; null removes it from its team */
  team_id?: string | null
  priority?: "low" | "normal" | "high" | "urgent"
  /** Sets the ticket aside until then; null brings it back */
  snoozed_until?: string | null
  tags?: string[]
}

export interface TicketTags {
  tags: Array<{
    tag: string
    /** Number of tickets with this tag */
    tickets: number
  }>
}

export interface TicketWithContact {
  id: string
  organization_id: string
  contact_id: string
  /** Channel of the last message */
  chat_phone_number_id: string | null
  status: "open" | "closed"
  /** The assigned member */
  assignee_id: string | null
  priority: "low" | "normal" | "high" | "urgent"
  tags: string[]
  /** The ticket is set aside until this time, or until the contact writes */
  snoozed_until: string | null
  /** Since when the contact waits for an answer; null if it does not */
  waiting_since: string | null
  /** `ai` if the AI handles the contact and an active agent answers the ticket’s channel */
  answered_by: "ai" | "person"
  /** The team that handles it */
  team_id: string | null
  /** When the first target of its SLA policy is due; in the past if it was missed */
  sla_due_at: string | null
  /** What is due at `sla_due_at` */
  sla_target: "first_reply" | "next_reply" | "resolution" | null
  /** Unread messages from the contact */
  unread_count: number
  last_message_at: string | null
  /** When the platform stops accepting free-form messages; null if the contact never wrote */
  window_expires_at: string | null
  /** How the contact rated it */
  rating: "good" | "okay" | "bad" | null
  rated_at: string | null
  livemode: boolean
  created_at: string
  updated_at: string
  /** Whether the AI agent answers this contact */
  ai_handling: boolean
  last_message: LastMessage | null
  matched_message?: MatchedMessage | null
  contact: ContactBrief
}

export interface Told {
  message: string
}

export interface TranscriptSegment {
  speaker: "agent" | "caller"
  /** For the agent, only what was actually played */
  text: string
  /** Seconds since the start of the call */
  timestamp: number
  /** Whether the caller’s text was recognized from speech, comes from a simulated caller’s script, or is key presses */
  source?: "recognised" | "scripted" | "keys"
  recognised_text?: string
  /** The line from the simulated caller’s script */
  scripted_text?: string
  /** The caller interrupted the agent here */
  interrupted?: true
}

export interface TurnLatency {
  /** When the caller stopped speaking, in seconds since the start of the call */
  at: number
  endpointing: number
  transcription: number
  llm: number
  voice: number
  total: number
  retrieval?: number
  tools?: number
  heard?: number
}

export interface UnreadCount {
  /** Number of unread notifications */
  unread_count: number
}

export interface UnresolvedVariable {
  variable: string
  /** Number of contacts without a value */
  contacts: number
}

export interface UpstreamError {
  /** Human-readable error message */
  detail: string
  upstream: {
    code: string | number | null
    message: string
  }
}

export interface Usage {
  mode: "test" | "live"
  /** The newest month first */
  data: MonthOfUsage[]
}

export interface ValidationError {
  /** One entry per error */
  detail: Array<{
    /** Location: `body`, `query` or `path`, followed by the path to the field */
    loc: string[]
    /** Human-readable message */
    msg: string
    /** Machine-readable error type */
    type: string
  }>
}

export interface ViewFilters {
  status?: "open" | "closed"
  /** Open tickets: `mine` are assigned to the caller; `unassigned` to no one, and no AI answers them; in `needs_person` the contact waits and no AI answers; `ai` are answered by an active agent; `all` are all but the snoozed ones; `snoozed` are set aside */
  queue?: "mine" | "unassigned" | "needs_person" | "ai" | "all" | "snoozed"
  assignee_id?: string
  team_id?: string
  /** Only tickets with, or only those without, unread messages */
  unread?: boolean
  priority?: "low" | "normal" | "high" | "urgent"
  tag?: string
  /** Part of the contact’s name (case and accents are ignored) or number, or of a message */
  search?: string
  /** Most recently active first by default. Open tickets can also be sorted by `priority` (urgent first), `waiting_since` (longest first), `snoozed_until` and `sla_due_at` (next first) */
  sort?: "last_activity_at" | "priority" | "waiting_since" | "snoozed_until" | "sla_due_at"
}

export interface Voice {
  id: string
  name: string
  provider: string
  language: string
  /** The provider’s own id of the voice, for `voice_settings.provider_voice_id` */
  provider_voice_id?: string
  description?: string | null
  /** A recording of the voice, where the provider has one */
  preview_url?: string | null
}

export interface VoiceList {
  voices: Voice[]
  /** The providers that voices can be listed of */
  providers?: string[]
}

export interface WebCall {
  id: string
  call_id: string
  /** Lets one socket join, once; null when the response is a replay */
  access_token: string | null
  ws_url: string
  expires_at: string
}

export interface Webhook {
  id: string
  organization_id: string
  /** Where events are posted, as `https://…`; must not be in this service’s own network */
  url: string
  /** Event types to receive: `contact.created`, `call.*` for a group, `*` for all. Only types that the credential may read: a pattern that covers others is stored as the readable types */
  events: string[]
  /** The types it currently receives: those in `events` that the credential which last set its events or URL may read */
  event_types: string[]
  /** Your note about this webhook */
  description: string | null
  /** A disabled webhook receives nothing */
  status: "enabled" | "disabled"
  /** Set by a request, after the endpoint returned 410, or after five days of failures */
  disabled_reason: "requested" | "gone" | "failing" | null
  disabled_at: string | null
  /** Every attempt since then has failed */
  failing_since: string | null
  /** Until then deliveries are also signed with the previous secret */
  former_secret_expires_at: string | null
  livemode: boolean
  created_at: string
  updated_at: string
}

export interface WebhookAttempt {
  attempted_at: string
  duration_ms: number
  response_status: number | null
  /** Why there was no valid response */
  error: string | null
}

export interface WebhookChanges {
  /** Where events are posted, as `https://…`; must not be in this service’s own network */
  url?: string
  /** Event types to receive: `contact.created`, `call.*` for a group, `*` for all. Only types that the credential may read: a pattern that covers others is stored as the readable types */
  events?: string[]
  /** Your note about this webhook */
  description?: string | null
  /** A disabled webhook receives nothing */
  status?: "enabled" | "disabled"
}

export interface WebhookDelivery {
  /** The event’s id, sent with every attempt as `webhook-id` */
  id: string
  webhook_id: string
  organization_id: string
  event_type: string
  /** Pending until an attempt succeeds or no retries are left */
  status: "pending" | "succeeded" | "failed"
  /** Number of attempts so far */
  attempts: number
  next_attempt_at: string | null
  request: WebhookRequest | null
  response: WebhookResponse | null
  /** Why there was no valid response */
  error: string | null
  attempted_at: string | null
  duration_ms: number | null
  /** Attempts before the last one, oldest first */
  history: WebhookAttempt[]
  livemode: boolean
  created_at: string
}

/** The last attempt; null before the first */
export interface WebhookRequest {
  url: string
  /** All headers except the signature */
  headers: Record<string, unknown>
  /** The body as sent */
  body: string | null
}

/** Response to the last attempt; null if there was none */
export interface WebhookResponse {
  status: number
  /** The first 2,000 characters */
  body: string
}

export interface WebhookWithSecret {
  id: string
  organization_id: string
  /** Where events are posted, as `https://…`; must not be in this service’s own network */
  url: string
  /** Event types to receive: `contact.created`, `call.*` for a group, `*` for all. Only types that the credential may read: a pattern that covers others is stored as the readable types */
  events: string[]
  /** The types it currently receives: those in `events` that the credential which last set its events or URL may read */
  event_types: string[]
  /** Your note about this webhook */
  description: string | null
  /** A disabled webhook receives nothing */
  status: "enabled" | "disabled"
  /** Set by a request, after the endpoint returned 410, or after five days of failures */
  disabled_reason: "requested" | "gone" | "failing" | null
  disabled_at: string | null
  /** Every attempt since then has failed */
  failing_since: string | null
  /** Until then deliveries are also signed with the previous secret */
  former_secret_expires_at: string | null
  livemode: boolean
  created_at: string
  updated_at: string
  /** Signs the deliveries. Shown only once */
  secret: string | null
}

export interface Website {
  id: string
  organization_id: string
  /** Address of a page, of the first page of a site, or of a sitemap */
  url: string
  kind: "page" | "site" | "sitemap"
  /** Only pages with these paths. By default, pages below the start page. A pattern begins with `/` and matches the beginning of a path; `*` stands for any characters, `$` for the end */
  include: string[]
  /** No pages with these paths. A pattern begins with `/` and matches the beginning of a path; `*` stands for any characters, `$` for the end */
  exclude: string[]
  /** Maximum number of pages to read */
  max_pages: number
  /** Maximum number of links between the start page and a page */
  max_depth: number
  /** How often it is crawled again */
  schedule: "off" | "daily" | "weekly" | "monthly"
  /** A crawl is `waiting` or `crawling`; afterwards `idle`, `stopped` by a member, or `failed` */
  status: "waiting" | "crawling" | "idle" | "stopped" | "failed"
  /** Why the last crawl failed */
  error: string | null
  pages: {
    /** Pages of this crawl, in any state */
    found: number
    queued: number
    /** Pages that were read, or had not changed */
    read: number
    /** Pages that are new or have changed */
    changed: number
    failed: number
    /** Redirects, duplicates and pages that may not be read */
    skipped: number
    /** Documents that were deleted because their page is gone */
    removed: number
    /** Pages that searches find */
    documents: number
  }
  started_at: string | null
  crawled_at: string | null
  next_crawl_at: string | null
  livemode: boolean
  created_at: string
  updated_at: string
}

export interface WebsitePage {
  data: Website[]
  /** Whether there is a next page */
  has_more: boolean
  /** Id of the last record in `data`; null only when `data` is empty */
  next_cursor: string | null
  /** Number of matching records on all pages */
  total_count: number
}

/** The spans of each weekday; a span belongs to the day on which it begins */
export interface WeeklyHours {
  /** None: closed */
  monday: OpeningSpan[]
  /** None: closed */
  tuesday: OpeningSpan[]
  /** None: closed */
  wednesday: OpeningSpan[]
  /** None: closed */
  thursday: OpeningSpan[]
  /** None: closed */
  friday: OpeningSpan[]
  /** None: closed */
  saturday: OpeningSpan[]
  /** None: closed */
  sunday: OpeningSpan[]
}

/** The spans of each weekday; a span belongs to the day on which it begins */
export interface WeeklyHoursInput {
  /** None: closed */
  monday?: OpeningSpan[]
  /** None: closed */
  tuesday?: OpeningSpan[]
  /** None: closed */
  wednesday?: OpeningSpan[]
  /** None: closed */
  thursday?: OpeningSpan[]
  /** None: closed */
  friday?: OpeningSpan[]
  /** None: closed */
  saturday?: OpeningSpan[]
  /** None: closed */
  sunday?: OpeningSpan[]
}

export interface WorkQueue {
  name: string
  /** Due and not started */
  waiting: number
  active: number
  failed: number
  /** How long the oldest has been due */
  oldest_seconds: number | null
}

export interface WrittenField {
  property: string
  field: string
  /** The extracted value */
  value: unknown
  /** `kept`: the contact has another value, and the mapping does not overwrite; `unchanged`: it has this value; `invalid`: the field cannot have it */
  status: "written" | "unchanged" | "kept" | "invalid" | "no_contact"
}

export interface ListKeysQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
}

export interface ListMembersQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
}

export interface ListInvitationsQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
}

export interface ListSessionsQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
}

export interface ListDomainsQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
}

export interface ListAuditLogQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
  /** An action such as `key.created`, or `key.*` for all actions on one type of object */
  action?: string | undefined
  /** Entries by this person or key (the id of a person or a key) */
  actor_id?: string | undefined
  /** Entries about this object (the id of any object) */
  object_id?: string | undefined
  /** Created after this time */
  created_after?: string | undefined
  /** Created before this time */
  created_before?: string | undefined
}

export interface ExportAuditLogQuery {
  /** An action such as `key.created`, or `key.*` for all actions on one type of object */
  action?: string | undefined
  /** Entries by this person or key (the id of a person or a key) */
  actor_id?: string | undefined
  /** Entries about this object (the id of any object) */
  object_id?: string | undefined
  /** Created after this time */
  created_after?: string | undefined
  /** Created before this time */
  created_before?: string | undefined
}

export interface ListContactsQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
  /** Part of a name (case and accents are ignored) or of a phone number */
  search?: string | undefined
  /** Return only records with this tag */
  tag?: string | undefined
  /** Lifecycle stage */
  stage?: "new" | "engaged" | "qualified" | "customer" | "lost" | "customers" | undefined
  /** Return only records with this ai handling */
  ai_handling?: boolean | undefined
  /** Who answers the contact now. `no_one` if the AI should, but no active agent answers the channel of its conversation, because of its business hours for example */
  handled_by?: "ai" | "person" | "no_one" | undefined
  /** Return only records with this opted out */
  opted_out?: boolean | undefined
  /** Only contacts that came from an ad, or from a post */
  source_type?: "ad" | "post" | undefined
  /** Only contacts that came from this ad or post */
  source_id?: string | undefined
  /** A field that is not part of lists by default */
  include?: "handled_by" | undefined
  /** Newest first (`-created_at`) by default. Stages are sorted from new to lost, phone numbers by their digits. Cannot be combined with `search` */
  sort?: "name" | "-name" | "phone_number" | "-phone_number" | "stage" | "-stage" | "last_activity_at" | "-last_activity_at" | "created_at" | "-created_at" | undefined
}

export interface CreateContactQuery {
  /** What to do if the phone number is taken: return the existing contact, or update it */
  on_conflict?: "return" | "update" | undefined
}

export interface ExportContactsQuery {
  /** Part of a name (case and accents are ignored) or of a phone number */
  search?: string | undefined
  /** Return only records with this tag */
  tag?: string | undefined
  /** Lifecycle stage */
  stage?: "new" | "engaged" | "qualified" | "customer" | "lost" | "customers" | undefined
  /** Return only records with this ai handling */
  ai_handling?: boolean | undefined
  /** Who answers the contact now. `no_one` if the AI should, but no active agent answers the channel of its conversation, because of its business hours for example */
  handled_by?: "ai" | "person" | "no_one" | undefined
  /** Return only records with this opted out */
  opted_out?: boolean | undefined
  /** Only contacts that came from an ad, or from a post */
  source_type?: "ad" | "post" | undefined
  /** Only contacts that came from this ad or post */
  source_id?: string | undefined
}

export interface ListContactTagsQuery {
  /** Part of the tag */
  search?: string | undefined
  /** Maximum number of records to return */
  limit?: number | undefined
}

export interface ListConsentsQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
}

export interface ListActivitiesQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
  /** One or more activity types, repeated or comma-separated */
  type?: string[] | undefined
  /** One or more activity types, repeated or comma-separated */
  activity_types?: string[] | undefined
}

export interface ImportContactsQuery {
  /** Validate the file and count rows without writing contacts */
  dry_run?: boolean | undefined
  /** What to do with a row whose phone number already has a contact: skip it, or update the contact with the row’s values (empty cells are ignored, custom fields are merged) */
  on_conflict?: "skip" | "update" | undefined
  /** Country of phone numbers without `+`, as two letters; by default the organization’s */
  default_country?: string | undefined
}

export interface ImportContactsForm {
  /** CSV with a header row: comma, semicolon or tab; UTF-8, UTF-16 or an older encoding. One column must contain phone numbers; columns with other names become custom fields. */
  file: Upload
  /** Validate the file and count rows without writing contacts */
  dry_run?: boolean
  /** What to do with a row whose phone number already has a contact: skip it, or update the contact with the row’s values (empty cells are ignored, custom fields are merged) */
  on_conflict?: "skip" | "update"
  /** Country of phone numbers without `+`, as two letters; by default the organization’s */
  default_country?: string
  /** Maps column names to fields, as a JSON object: `{"Kontakt": "phone_number", "Alter": "custom_fields.age", "Internal": null}`. Null ignores a column. */
  columns?: Record<string, unknown>
}

export interface ListContactImportsQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
}

export interface ListErasuresQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
}

export interface ListTasksQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
  /** Return only records with this status */
  status?: "pending" | "completed" | "cancelled" | undefined
  /** Return only records with this assignee id (the id of a member, from `GET /members`) */
  assignee_id?: string | undefined
  /** Return only records with this contact id (the id of a contact, from `GET /contacts`) */
  contact_id?: string | undefined
  /** Due before this time */
  due_before?: string | undefined
  /** Due after this time */
  due_after?: string | undefined
  /** Whether the task is pending and past its due date */
  overdue?: boolean | undefined
}

export interface GetDailyActivityQuery {
  /** Number of days, ending today */
  days?: number | undefined
  /** Time zone in which days start, such as `Europe/Berlin` */
  time_zone?: string | undefined
}

export interface GetContactSourcesQuery {
  /** Number of days, ending today */
  days?: number | undefined
  /** Time zone in which days start, such as `Europe/Berlin` */
  time_zone?: string | undefined
}

export interface ListEventsQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
  /** One or more types, such as `task.completed` or `contact.*`, repeated or comma-separated */
  type?: string[] | undefined
  /** Created after this time */
  created_after?: string | undefined
}

export interface StreamEventsQuery {
  /** One or more types, such as `task.completed` or `contact.*`, repeated or comma-separated */
  type?: string[] | undefined
  /** Also sends hints, which are no events: they have no `id`, are stored nowhere and may be lost. `presence.changed`: a member views a ticket or types. `notification.created`: you have a notification. `saved_reply.changed`, `inbox_view.changed`: a private saved reply or view of yours was changed, perhaps in another browser */
  hints?: boolean | undefined
  /** Where to resume, for clients that cannot send the header `Last-Event-ID`. The header takes precedence (the id of an event, from `GET /events`) */
  last_event_id?: string | undefined
}

export interface ListChannelsQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
}

export interface ListSchedulesQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
}

export interface GetScheduleStateQuery {
  /** The time to ask about; now by default */
  at?: string | undefined
  /** Opening minutes to count from that time: `due_at` is when they have passed */
  minutes?: number | undefined
}

export interface ListTicketsQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
  /** `open` or `closed` */
  status?: string | undefined
  /** Return only records with this contact id (the id of a contact, from `GET /contacts`) */
  contact_id?: string | undefined
  /** Open tickets: `mine` are assigned to the caller; `unassigned` to no one, and no AI answers them; in `needs_person` the contact waits and no AI answers; `ai` are answered by an active agent; `all` are all but the snoozed ones; `snoozed` are set aside */
  queue?: "mine" | "unassigned" | "needs_person" | "ai" | "all" | "snoozed" | undefined
  /** Return only records with this assignee id (the id of a member, from `GET /members`) */
  assignee_id?: string | undefined
  /** Return only records with this team id (the id of a team, from `GET /teams`) */
  team_id?: string | undefined
  /** Only tickets with, or only those without, unread messages */
  unread?: boolean | undefined
  /** Return only records with this priority */
  priority?: "low" | "normal" | "high" | "urgent" | undefined
  /** Return only records with this tag */
  tag?: string | undefined
  /** Part of the contact’s name (case and accents are ignored) or number, or of a message */
  search?: string | undefined
  /** Most recently active first by default. Open tickets can also be sorted by `priority` (urgent first), `waiting_since` (longest first), `snoozed_until` and `sla_due_at` (next first) */
  sort?: "last_activity_at" | "priority" | "waiting_since" | "snoozed_until" | "sla_due_at" | undefined
}

export interface ListTicketTagsQuery {
  /** Part of the tag */
  search?: string | undefined
  /** Maximum number of records to return */
  limit?: number | undefined
}

export interface ListMessagesQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
  /** Sort order by time */
  order?: "asc" | "desc" | undefined
}

export interface ListNotesQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
}

export interface ListSavedRepliesQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
  /** Part of the name or the text */
  search?: string | undefined
}

export interface ListScheduledMessagesQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
  /** Return only records with this status */
  status?: "scheduled" | "sent" | "cancelled" | "failed" | undefined
}

export interface ListRatedMessagesQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
  /** Return only records with this rating */
  rating?: "up" | "down" | undefined
}

export interface ListTeamsQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
}

export interface ListAvailabilityQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
}

export interface ListAssignmentRulesQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
}

export interface ListTicketAssignmentsQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
}

export interface ListSlaPoliciesQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
}

export interface ListNotificationsQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
  /** Only those that you have not read, or only those that you have */
  unread?: boolean | undefined
}

export interface ShowNotificationQuery {
  /** Whether the member is using the app now. An app that is open in the background sends `false`: it alerts only a member who receives no push notifications */
  in_use?: boolean | undefined
}

export interface ListTemplatesQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** Page number, starting at 1 */
  page?: number | undefined
  /** Return only records with this status */
  status?: "PENDING" | "APPROVED" | "REJECTED" | undefined
  /** Return only records with this category */
  category?: "MARKETING" | "UTILITY" | "AUTHENTICATION" | undefined
  /** Return only templates in this language */
  language?: string | undefined
  /** Part of the name */
  search?: string | undefined
}

export interface ListTemplateMediaQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
}

export interface ListTemplateLibraryQuery {
  /** Return only records with this search */
  search?: string | undefined
  /** Return only records with this category */
  category?: "MARKETING" | "UTILITY" | "AUTHENTICATION" | undefined
  /** Return only records with this language */
  language?: string | undefined
  /** Channel to ask the platform through; the oldest chat channel by default (the id of a channel, from `GET /channels`) */
  channel_id?: string | undefined
}

export interface CreateTemplateFromLibraryQuery {
  /** Return only records with this channel id (the id of a channel, from `GET /channels`) */
  channel_id: string
}

export interface DeleteTemplateQuery {
  /** For a template whose business account no longer has a channel: delete it in Frontdesk only */
  local_only?: boolean | undefined
}

export interface ListCampaignsQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
  /** Return only records with this status */
  status?: "scheduled" | "sending" | "paused" | "completed" | "cancelled" | "failed" | undefined
  /** Part of the name */
  search?: string | undefined
}

export interface ListDeliveriesQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
  /** Return only records with this status */
  status?: "pending" | "sending" | "sent" | "delivered" | "read" | "failed" | "skipped" | "unknown" | undefined
}

export interface GetCampaignReportQuery {
  /** Time zone of the report, as an IANA name */
  timezone?: string | undefined
}

export interface ExportCampaignPdfQuery {
  /** Time zone of the report, as an IANA name */
  timezone?: string | undefined
}

export interface UploadDocumentForm {
  /** A `.pdf`, `.docx` or `.txt` file whose content matches its extension */
  file: Upload
}

export interface SearchKnowledgeBody {
  /** A question or keywords. A phrase in double quotes must match exactly, if it occurs at all */
  query: string
  /** Maximum number of results */
  top_k?: number
  /** Search only these documents; unknown ids are ignored */
  document_ids?: string[] | null
  /** Search only the documents of these collections, and those of `document_ids`; unknown ids are ignored */
  collection_ids?: string[] | null
  /** By keywords (`keyword`), by meaning (`vector`), or by both (`hybrid`) */
  mode?: "hybrid" | "vector" | "keyword"
  /** Time limit. When it is reached, the response has the passages found so far and `partial: true` */
  timeout_ms?: number | null
}

export interface AddSourceBody {
  /** `page`: one web page. `site`: the pages below a start page. `sitemap`: the pages that a sitemap lists. `faq`: a question with its answer */
  kind: "page" | "site" | "sitemap" | "faq"
  /** Address of a page, of the first page of a site, or of a sitemap */
  url?: string
  /** Only pages with these paths. By default, pages below the start page. A pattern begins with `/` and matches the beginning of a path; `*` stands for any characters, `$` for the end */
  include?: string[]
  /** No pages with these paths. A pattern begins with `/` and matches the beginning of a path; `*` stands for any characters, `$` for the end */
  exclude?: string[]
  /** Maximum number of pages to read */
  max_pages?: number
  /** Maximum number of links between the start page and a page */
  max_depth?: number
  /** How often it is crawled again */
  schedule?: "off" | "daily" | "weekly" | "monthly"
  /** As a customer would ask it; unique in any case */
  question?: string
  answer?: string
  /** Other ways to ask the same */
  variants?: string[]
}

export interface AddSourceForm {
  /** PDF, Word, text, Markdown, HTML, CSV, Excel, PowerPoint, EPUB, OpenDocument text, RTF, or a picture where text recognition is configured */
  file: Upload
}

export interface ReplaceDocumentForm {
  /** The new version, of any kind that `POST /knowledge-base/sources` accepts */
  file: Upload
}

export interface ListWebsitesQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
}

export interface UpdateWebsiteBody {
  /** Only pages with these paths. By default, pages below the start page. A pattern begins with `/` and matches the beginning of a path; `*` stands for any characters, `$` for the end */
  include?: string[]
  /** No pages with these paths. A pattern begins with `/` and matches the beginning of a path; `*` stands for any characters, `$` for the end */
  exclude?: string[]
  /** Maximum number of pages to read */
  max_pages?: number
  /** Maximum number of links between the start page and a page */
  max_depth?: number
  /** How often it is crawled again */
  schedule?: "off" | "daily" | "weekly" | "monthly"
}

export interface ListWebsitePagesQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
  /** Return only records with this status */
  status?: "queued" | "read" | "failed" | "skipped" | undefined
  /** Part of the address, in any case */
  search?: string | undefined
}

export interface ListFaqsQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
  /** Part of the question, a variant or the answer, in any case */
  search?: string | undefined
}

export interface CreateFaqBody {
  /** As a customer would ask it; unique in any case */
  question: string
  answer: string
  /** Other ways to ask the same */
  variants?: string[]
}

export interface ImportFaqsForm {
  /** A CSV file with the columns `question`, `answer` and optionally `variants`, separated by `|` */
  file: Upload
}

export interface UpdateFaqBody {
  /** As a customer would ask it; unique in any case */
  question?: string
  answer?: string
  /** Other ways to ask the same */
  variants?: string[]
}

export interface ListCollectionsQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
  /** Part of the name or the description */
  search?: string | undefined
}

export interface ListKnowledgeGapsQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
  /** Return only records with this status */
  status?: "open" | "answered" | "dismissed" | undefined
}

export interface ListWebhooksQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
}

export interface ListWebhookDeliveriesQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
  /** Return only records with this status */
  status?: "pending" | "succeeded" | "failed" | undefined
  /** One type, such as `contact.created` */
  event_type?: string | undefined
}

export interface ListAgentsQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
  /** `prompt`: driven by a language model; `static`: driven by rules */
  agent_type?: "prompt" | "static" | undefined
  /** An inactive agent does not answer */
  is_active?: "active" | "inactive" | undefined
  /** Part of the name */
  search?: string | undefined
}

export interface ListVoicesQuery {
  /** All voices of the account at this provider, in place of those with fixed ids. They are chosen by `provider` and `provider_voice_id` */
  provider?: "elevenlabs" | "cartesia" | "openai" | "local" | undefined
}

export interface ListTicketAnalysesQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
  /** Only the analysis of this ticket (the id of a ticket, from `GET /inbox/tickets`; in test mode `POST /simulator/messages` opens one that you can reply to) */
  inbox_id?: string | undefined
  /** Only tickets of this contact (the id of a contact, from `GET /contacts`) */
  contact_id?: string | undefined
}

export interface ListCallsQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
  /** Return only records with this status */
  status?: "completed" | "in-progress" | "busy" | "failed" | "no-answer" | undefined
  /** Return only records with this direction */
  direction?: "inbound" | "outbound" | undefined
  /** Return only records with this agent id (the id of an agent, from `GET /agents`) */
  agent_id?: string | undefined
  /** Return only records with this contact id (the id of a contact, from `GET /contacts`) */
  contact_id?: string | undefined
  /** Started at or after this time */
  started_after?: string | undefined
  /** Started before this time */
  started_before?: string | undefined
}

export interface GetLiveTranscriptQuery {
  /** Return only entries after this number */
  after?: number | undefined
}

export interface ListCallLogsQuery {
  /** Return only records with this page */
  page?: number | undefined
  /** Return only records with this page size */
  page_size?: number | undefined
  /** Return only records with this direction */
  direction?: "inbound" | "outbound" | undefined
  /** Return only records with this status */
  status?: "completed" | "in-progress" | "busy" | "failed" | "no-answer" | undefined
  /** Return only records with this agent id (the id of an agent, from `GET /agents`) */
  agent_id?: string | undefined
  /** Started at or after this time */
  started_after?: string | undefined
  /** Started before this time */
  started_before?: string | undefined
  /** Part of a number, in any punctuation, or of `call_id`. If no call matches: numbers with one digit wrong, missing, added or swapped, with or without the country code; otherwise similar ones */
  search?: string | undefined
}

export interface GetConversationsReportQuery {
  /** First day; by default 27 days before the last one */
  from?: string | undefined
  /** Last day, included; today by default. At most 1,827 days (five years) */
  until?: string | undefined
  /** Time zone in which days start, such as `Europe/Berlin` */
  time_zone?: string | undefined
  /** What one entry of `series` covers */
  interval?: "day" | "week" | "month" | undefined
  /** Only conversations on this channel (the id of a channel, from `GET /channels`) */
  channel_id?: string | undefined
  /** Only conversations of this member (the id of a member, from `GET /members`) */
  member_id?: string | undefined
  /** Only conversations of this team (the id of a team, from `GET /teams`) */
  team_id?: string | undefined
  /** Only tickets that have this tag */
  ticket_tag?: string | undefined
  /** Only conversations with contacts that have this tag */
  tag?: string | undefined
}

export interface ExportConversationsReportQuery {
  /** First day; by default 27 days before the last one */
  from?: string | undefined
  /** Last day, included; today by default. At most 1,827 days (five years) */
  until?: string | undefined
  /** Time zone in which days start, such as `Europe/Berlin` */
  time_zone?: string | undefined
  /** What one entry of `series` covers */
  interval?: "day" | "week" | "month" | undefined
  /** Only conversations on this channel (the id of a channel, from `GET /channels`) */
  channel_id?: string | undefined
  /** Only conversations of this member (the id of a member, from `GET /members`) */
  member_id?: string | undefined
  /** Only conversations of this team (the id of a team, from `GET /teams`) */
  team_id?: string | undefined
  /** Only tickets that have this tag */
  ticket_tag?: string | undefined
  /** Only conversations with contacts that have this tag */
  tag?: string | undefined
  /** What a row is */
  by?: "interval" | "channel" | "member" | "team" | "ticket_tag" | "tag" | "handoff_reason" | undefined
}

export interface GetCallsReportQuery {
  /** First day; by default 27 days before the last one */
  from?: string | undefined
  /** Last day, included; today by default. At most 1,827 days (five years) */
  until?: string | undefined
  /** Time zone in which days start, such as `Europe/Berlin` */
  time_zone?: string | undefined
  /** What one entry of `series` covers */
  interval?: "day" | "week" | "month" | undefined
}

export interface ExportCallsReportQuery {
  /** First day; by default 27 days before the last one */
  from?: string | undefined
  /** Last day, included; today by default. At most 1,827 days (five years) */
  until?: string | undefined
  /** Time zone in which days start, such as `Europe/Berlin` */
  time_zone?: string | undefined
  /** What one entry of `series` covers */
  interval?: "day" | "week" | "month" | undefined
}

export interface GetCampaignsReportQuery {
  /** First day; by default 27 days before the last one */
  from?: string | undefined
  /** Last day, included; today by default. At most 1,827 days (five years) */
  until?: string | undefined
  /** Time zone in which days start, such as `Europe/Berlin` */
  time_zone?: string | undefined
  /** What one entry of `series` covers */
  interval?: "day" | "week" | "month" | undefined
}

export interface ExportCampaignsReportQuery {
  /** First day; by default 27 days before the last one */
  from?: string | undefined
  /** Last day, included; today by default. At most 1,827 days (five years) */
  until?: string | undefined
  /** Time zone in which days start, such as `Europe/Berlin` */
  time_zone?: string | undefined
  /** What one entry of `series` covers */
  interval?: "day" | "week" | "month" | undefined
}

export interface ListOperatedOrganizationsQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
  /** Part of the name, or the id */
  search?: string | undefined
  /** Return only records with this status */
  status?: "active" | "suspended" | undefined
}

export interface GetOrganizationUsageQuery {
  /** Mode to count */
  mode?: "test" | "live" | undefined
  /** Number of months, with the current one */
  months?: number | undefined
}

export interface ListOperatorActionsQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string | undefined
  /** Actions on this organization (an organization) */
  organization_id?: string | undefined
}
