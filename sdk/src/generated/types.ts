// Written by `npm run docs` from docs/openapi.json. Do not edit.

import type { Upload } from '../form.ts'

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

export interface Agent {
  id: string
  name: string
  organization_id: string
  /** IANA name; what the agent calls "now", and the default for schedules */
  timezone: string | null
  /** `prompt`: driven by a language model; `static`: by rules */
  agent_type: "prompt" | "static"
  /** An inactive agent answers nobody */
  is_active: "active" | "inactive"
  agent_config: AgentConfig
  /** Rises with every change; calls keep the one they ran with */
  version: number
  livemode: boolean
  created_at: string
  updated_at: string
}

export interface AgentCallSettings {
  max_duration_seconds: number
  silence_timeout_seconds: number
  /** Whether the caller can cut the agent short */
  interruptible: boolean
  record: boolean
  voicemail: "hangup" | "leave_message" | "continue"
  /** E.164; where a transfer leads. Without it a transfer is a hand-off */
  transfer_number: string | null
  /** Of a static agent: the first match wins */
  rules: AgentRule[]
  /** What a static agent says where no rule fits; a text alone is short for `{say}` */
  fallback: string | AgentFallback | null
}

export interface AgentChanges {
  name?: string
  /** `prompt`: driven by a language model; `static`: by rules */
  agent_type?: "prompt" | "static"
  /** IANA name; what the agent calls "now", and the default for schedules */
  timezone?: string | null
  /** An inactive agent answers nobody */
  is_active?: "active" | "inactive"
  agent_config?: AgentConfigChanges
}

export interface AgentChatAnswer {
  session_id: string
  agent_id: string
  agent_version: number
  reply: string
  /** What the agent would do next */
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
  /** The documents that were at hand */
  sources: Array<{
    document_id: string
    file_name: string
    page: number | null
  }>
  usage: {
    input_tokens: number
    output_tokens: number
    /** `scripted` where no model was asked */
    model: string
  }
}

export interface AgentChatMessage {
  message: string
  /** Goes on with that conversation; without it a new one begins */
  session_id?: string
}

export interface AgentConfig {
  /** Said when the recipient answers */
  welcome_message: string | null
  /** Persona and constraints */
  system_prompt: string | null
  language: string
  llm_provider: "openai" | "anthropic" | "google"
  /** Where it is left out, a small model of the provider */
  llm_model: string
  voice_settings: AgentVoiceSettings | null
  transcriber: AgentTranscriber
  call_settings: AgentCallSettings
  tools: AgentTool[]
  mcp_servers: AgentMcpServer[]
  knowledge: AgentKnowledge
}

export interface AgentConfigChanges {
  /** Said when the recipient answers */
  welcome_message?: string | null
  /** Persona and constraints */
  system_prompt?: string | null
  language?: string | null
  llm_provider?: "openai" | "anthropic" | "google" | null
  /** Where it is left out, a small model of the provider */
  llm_model?: string | null
  voice_settings?: AgentVoiceSettings | null
  transcriber?: AgentConfigChangesTranscriber | null
  call_settings?: AgentConfigChangesCallSettings | null
  tools?: AgentToolInput[] | null
  mcp_servers?: AgentMcpServerInput[] | null
  knowledge?: AgentConfigChangesKnowledge | null
}

export interface AgentConfigChangesCallSettings {
  max_duration_seconds?: number | null
  silence_timeout_seconds?: number | null
  /** Whether the caller can cut the agent short */
  interruptible?: boolean | null
  record?: boolean | null
  voicemail?: "hangup" | "leave_message" | "continue" | null
  /** E.164; where a transfer leads. Without it a transfer is a hand-off */
  transfer_number?: string | null
  /** Of a static agent: the first match wins */
  rules?: AgentRule[] | null
  /** What a static agent says where no rule fits; a text alone is short for `{say}` */
  fallback?: string | AgentFallback | null
}

export interface AgentConfigChangesKnowledge {
  /** Whether the agent reads every document of the organization. True by default; false where a request names `document_ids` and leaves it out */
  all?: boolean | null
  /** The documents that the agent reads where `all` is false; with none it reads nothing. Documents that were deleted are passed over */
  document_ids?: string[] | null
  /** Reserved: collections do not exist yet, so only an empty list is accepted */
  collection_ids?: string[] | null
}

export interface AgentConfigChangesTranscriber {
  /** Null for what the installation has */
  provider?: string | null
  model?: string | null
  /** How long a pause ends what the caller says */
  endpointing_ms?: number | null
}

export interface AgentError {
  /** The status */
  error: number
  message: string
  /** The same as `message`; not with 400, 401 and 500 */
  detail?: string
  /** The record that is there already */
  existing_id?: string
  upstream?: {
    code: string | number | null
    message: string
  }
}

export interface AgentFallback {
  say: string
  /** What to do after saying it */
  then?: "end" | "handoff" | "transfer"
}

export interface AgentKnowledge {
  /** Whether the agent reads every document of the organization. True by default; false where a request names `document_ids` and leaves it out */
  all: boolean
  /** The documents that the agent reads where `all` is false; with none it reads nothing. Documents that were deleted are passed over */
  document_ids: string[]
  /** Reserved: collections do not exist yet, so only an empty list is accepted */
  collection_ids: string[]
}

export interface AgentMcpServer {
  name: string
  url: string
  /** Sent with every request to the server. Values are kept encrypted and shown masked; a masked value sent back means unchanged */
  headers: Record<string, unknown>
  /** The tools the agent may use; null for all of them */
  allowed_tools: string[] | null
}

export interface AgentMcpServerInput {
  name: string
  url: string
  /** Sent with every request to the server. Values are kept encrypted and shown masked; a masked value sent back means unchanged */
  headers?: Record<string, unknown>
  /** The tools the agent may use; null for all of them */
  allowed_tools?: string[] | null
}

export interface AgentRule {
  /** Words or phrases: one of them is enough, case does not matter */
  when: string[]
  say: string
  /** What to do after saying it */
  then?: "end" | "handoff" | "transfer"
}

export interface AgentTool {
  name: string
  /** Tells the model when to use it */
  description: string
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** `{name}` in its path or query is filled from the parameter of that name */
  url: string
  /** Sent with every request to the tool. Values are kept encrypted and shown masked; a masked value sent back means unchanged */
  headers: Record<string, unknown>
  /** JSON Schema of what the model fills in. What the address does not take goes into the query of a GET or DELETE, else into a JSON body */
  parameters: Record<string, unknown>
  timeout_ms: number
  say_while_running: string | null
}

export interface AgentToolInput {
  name: string
  /** Tells the model when to use it */
  description?: string
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** `{name}` in its path or query is filled from the parameter of that name */
  url: string
  /** Sent with every request to the tool. Values are kept encrypted and shown masked; a masked value sent back means unchanged */
  headers?: Record<string, unknown>
  /** JSON Schema of what the model fills in. What the address does not take goes into the query of a GET or DELETE, else into a JSON body */
  parameters?: Record<string, unknown>
  timeout_ms?: number
  say_while_running?: string | null
}

export interface AgentTranscriber {
  /** Null for what the installation has */
  provider: string | null
  model: string | null
  /** How long a pause ends what the caller says */
  endpointing_ms: number
}

export interface AgentVoiceSettings {
  /** One of GET /voices */
  voice_id?: string | null
  name?: string | null
  provider?: string | null
}

export interface AuthenticationError {
  /** What is wrong, in words */
  detail: string
  error: {
    code: "invalid_api_key"
    message: string
    type: "authentication_error"
  }
}

export interface Call {
  id: string
  organization_id: string
  /** The carrier’s id of the call; empty until the carrier has taken it */
  call_id: string
  medium: "phone" | "web"
  agent_id: string | null
  /** The version of the agent that talked */
  agent_version: number | null
  /** The channel */
  chat_phone_number_id: string | null
  /** Id of the channel’s number at the carrier */
  phone_number_id: string | null
  contact_id: string | null
  /** What the contact is called now; null without one */
  contact_name: string | null
  /** E.164; empty for a call from a browser */
  from_number: string
  /** E.164; empty for a call from a browser */
  to_number: string
  direction: "inbound" | "outbound"
  status: "completed" | "in-progress" | "busy" | "failed" | "no-answer"
  /** `queued`, `dialing`, then the carrier’s own words: `initiated`, `ringing`, `in-progress`, `completed`, `busy`, `no-answer`, `failed`, `canceled` */
  telephony_status: string
  /** Why it ended; null while it runs. The guide on calls lists what each reason means */
  ended_reason: "caller_hung_up" | "agent_ended" | "ended_by_request" | "handed_off" | "transferred" | "max_duration" | "silence" | "voicemail" | "line_lost" | "busy" | "all_lines_busy" | "no_answer" | "not_joined" | "carrier_refused" | "carrier_unreachable" | "carrier_failed" | "canceled" | "dial_unknown" | "carrier_silent" | "no_media" | "no_agent" | "worker_lost" | "deadline" | "queued_too_long" | "failed" | null
  /** What the carrier’s detection found: `human`, `machine_start` … */
  answered_by: string | null
  /** How long audio was connected, each second that began */
  duration_seconds: number
  started_at: string
  ended_at: string | null
  /** Where the recording can be fetched with a credential; empty when there is none */
  recording_url: string
  transcript: TranscriptSegment[]
  summary: string
  /** USD */
  cost: number
  cost_breakdown: CostBreakdown | null
  latency: CallLatency | null
  analysis: CallAnalysis | null
  error: CallError | null
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
  /** How often the caller cut the agent short */
  interruptions: number
  handoff_reason: string | null
  /** Stages that failed during the call, and when */
  failures: Array<{
    stage: string
    message: string
    at: number
  }>
  /** The tools that the agent used, in order */
  tool_calls?: Array<{
    name: string
    arguments: Record<string, unknown>
    /** What came back, its first 2,000 characters */
    result: string
    is_error: boolean
    /** When it was called, in seconds from the start */
    at: number
  }>
  /** The model that wrote the summary */
  summary_by: string | null
}

export interface CallError {
  code: string
  message: string
}

/** Milliseconds by stage: `endpointing` until it was sure that the caller had finished, `transcription` from there to the text, `llm` from there to the model’s first words, `voice` from its first sentence to the first audio; `total` from the end of the caller’s speech to the first audio */
export interface CallLatency {
  /** Over how many turns */
  turns: number
  endpointing: StageLatency
  transcription: StageLatency
  llm: StageLatency
  voice: StageLatency
  total: StageLatency
  /** Each turn by itself, in order */
  by_turn?: TurnLatency[]
}

/** What the cost of a call is reckoned with, in USD; set by the operator */
export interface CallRates {
  /** For each minute that a phone call began */
  telephony_per_minute: number
  /** For a minute of speech that is turned into text */
  transcription_per_minute: number
  /** For a thousand characters that an agent speaks */
  voice_per_1000_characters: number
  /** For a million tokens that a model reads */
  llm_per_million_input_tokens: number
  /** For a million tokens that a model writes */
  llm_per_million_output_tokens: number
}

export interface Campaign {
  id: string
  organization_id: string
  name: string
  status: "scheduled" | "sending" | "paused" | "completed" | "cancelled" | "failed"
  /** The channel that sends */
  chat_phone_number_id: string
  /** Null also when the template was deleted since */
  message_template_id: string | null
  /** What stands in for the template’s variables. The right side may use `{{contact.name}}`, `{{contact.phone_number}}` and `{{contact.custom_fields.x}}`, each with words for those who have none: `{{contact.name|there}}`. Where a number stands in several parts of the template, `header.1`, `body.1` and `button.0.1` speak of one of them; `header` alone is the address of the file of a media header. Without it, `{{1}}` is the contact’s name and any other the custom field of that name */
  template_variables: Record<string, string> | null
  audience_type: "all" | "tags" | "manual"
  audience_tags: string[] | null
  /** In lists and events null where there are more than 1,000 */
  audience_contact_ids: string[] | null
  scheduled_at: string | null
  /** Recipients resolved so far; all of them from `frozen_at` on */
  total_contacts_count: number
  /** Accepted by the messaging platform */
  sent_count: number
  /** Delivered, those included that were read */
  delivered_count: number
  /** Read */
  read_count: number
  /** Failed, also after the platform had accepted them */
  failed_count: number
  /** Not to be sent: the contact has opted out, or has no address */
  skipped_count: number
  /** Nobody can say whether they were sent; a status of the platform may still tell */
  unknown_count: number
  /** Still to be sent, or never sent where the campaign was cancelled */
  pending_count: number
  /** On their way to the platform */
  sending_count: number
  /** Why it is paused */
  pause_reason: "user" | "failure_rate" | "token_expired" | "account_blocked" | "template_paused" | "template_unusable" | "template_deleted" | "channel_deleted" | "channel_not_ready" | null
  /** The same in words */
  pause_detail: string | null
  /** Why it failed */
  failure_reason: "no_template" | "no_channel" | null
  /** While it is sending: the platform asked the channel to wait until then */
  waiting_until: string | null
  /** Why nothing is sent at the moment: what the platform said, with its code */
  waiting_reason: string | null
  started_at: string | null
  /** When every recipient had its delivery */
  frozen_at: string | null
  /** When nothing was left to send; receipts may still move the counts */
  completed_at: string | null
  livemode: boolean
  created_at: string
  updated_at: string
}

export interface CampaignChanges {
  name?: string
  /** The channel that sends */
  chat_phone_number_id?: string
  /** An approved template of the channel’s business account */
  message_template_id?: string | null
  /** `all` contacts, those with any of the `tags`, or only those named (`manual`) in `audience_contact_ids` */
  audience_type?: "all" | "tags" | "manual"
  /** Used with `tags`: contacts that have any of these */
  audience_tags?: string[] | null
  /** Used with `manual` */
  audience_contact_ids?: string[] | null
  /** Null, as a past time, means at once */
  scheduled_at?: string | null
  /** What stands in for the template’s variables. The right side may use `{{contact.name}}`, `{{contact.phone_number}}` and `{{contact.custom_fields.x}}`, each with words for those who have none: `{{contact.name|there}}`. Where a number stands in several parts of the template, `header.1`, `body.1` and `button.0.1` speak of one of them; `header` alone is the address of the file of a media header. Without it, `{{1}}` is the contact’s name and any other the custom field of that name */
  template_variables?: Record<string, string> | null
}

export interface CampaignFailure {
  status: "failed" | "skipped" | "unknown"
  /** The platform’s code, or a word of ours */
  code: string
  /** As it was said of one of them */
  words: string | null
  /** How many deliveries it concerns */
  count: number
  explanation: string
  what_to_do: string
}

export interface CampaignPreflight {
  /** Contacts in the audience */
  total_contacts_count: number
  /** Those of them who would be sent the message */
  recipients: number
  skipped: PreflightSkipped
  /** Those of them for whom a variable cannot be filled: their deliveries would fail */
  missing_variable: number
  unresolved_variables: UnresolvedVariable[]
  /** The channel’s rate */
  messages_per_second: number
  /** How long sending would take at that rate */
  minutes: number
  /** What would keep it from being sent */
  warnings: string[]
}

export interface CampaignReport {
  as_of: string
  /** Also of a template that was deleted since */
  template_name: string | null
  template_language: string | null
  template_category: string | null
  /** As they were when sending started */
  template_components: Array<Record<string, unknown>> | null
  /** What stood in for the variables of one message */
  example: Record<string, string> | null
  first_sent_at: string | null
  last_sent_at: string | null
  /** How long each stretch lasts */
  step_seconds: number | null
  /** Sends over time; stretches without any are left out */
  stretches: CampaignStretch[]
  /** What did not arrive, by reason, the most frequent first; forty reasons at most */
  failures: CampaignFailure[]
}

export interface CampaignRetry {
  /** Which deliveries to try again. Those of which nobody knows whether they were sent may reach somebody twice */
  scope: "failed" | "unknown"
}

export interface CampaignStretch {
  /** When it begins, by the clocks of the time zone asked for */
  at: string
  /** Messages that the platform accepted then */
  sent: number
  /** Those of them delivered by now */
  delivered: number
  /** Those of them read by now */
  read: number
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
  chat: ChannelChat | null
  voice: ChannelVoice | null
  /** Whether its chat side receives. `pending_verification`: the platform has not confirmed the number yet, because it could not be reached; it is asked again in the background, and nothing is received until then. `verification_failed`: the platform refused, or the number is in use elsewhere; send `chat` again with PATCH */
  status: "active" | "pending_verification" | "verification_failed"
  /** Why it is not active */
  status_reason: string | null
  livemode: boolean
  created_at: string
  updated_at: string
}

export interface ChannelChanges {
  /** Normalised to E.164 */
  phone_number?: string
  /** What people call it */
  display_name?: string
  /** The agent that answers inbound chat and calls */
  agent_id?: string | null
  /** How fast campaigns send on this channel: 80 unless said otherwise */
  messages_per_second?: number
  chat?: ChannelChatChanges | null
  voice?: ChannelVoiceChanges | null
}

export interface ChannelChat {
  /** Id of the number on the messaging platform */
  phone_number_id: string
  /** The business account that owns the number and its templates */
  business_account_id: string
  /** Account identifier that templates of this channel carry */
  account_id: string | null
  /** Whether there is a stored `access_token` */
  has_access_token: boolean
  /** Whether there is a stored `app_secret` */
  has_app_secret: boolean
  /** Whether there is a stored `verify_token` */
  has_verify_token: boolean
  /** The callback address to enter at the platform; a path where `PUBLIC_URL` is not set, null where the channel has no app secret and the installation none either */
  hook_url: string | null
}

export interface ChannelChatChanges {
  /** Id of the number on the messaging platform */
  phone_number_id?: string
  /** The business account that owns the number and its templates */
  business_account_id?: string
  /** Account identifier that templates of this channel carry */
  account_id?: string | null
  /** Sends messages and registers templates. Kept encrypted, never shown */
  access_token?: string
  /** Signs the webhooks that the platform sends; needed unless the installation has an app for all channels. Kept encrypted, never shown */
  app_secret?: string
  /** What the platform repeats when it verifies the webhook; goes with `app_secret`. Kept encrypted, never shown */
  verify_token?: string
}

export interface ChannelChatCredentials {
  /** Id of the number on the messaging platform */
  phone_number_id: string
  /** The business account that owns the number and its templates */
  business_account_id: string
  /** Account identifier that templates of this channel carry */
  account_id?: string | null
  /** Sends messages and registers templates. Kept encrypted, never shown */
  access_token: string
  /** Signs the webhooks that the platform sends; needed unless the installation has an app for all channels. Kept encrypted, never shown */
  app_secret?: string
  /** What the platform repeats when it verifies the webhook; goes with `app_secret`. Kept encrypted, never shown */
  verify_token?: string
}

export interface ChannelVoice {
  /** Who carries the calls */
  provider: "twilio"
  /** The account at the carrier */
  account_sid: string
  /** Id of the number at the carrier */
  phone_number_id: string
  /** Whether there is a stored `auth_token` */
  has_auth_token: boolean
}

export interface ChannelVoiceChanges {
  /** Who carries the calls */
  provider?: "twilio"
  /** The account at the carrier */
  account_sid?: string
  /** Id of the number at the carrier */
  phone_number_id?: string
  /** Token of that account. Kept encrypted, never shown */
  auth_token?: string
}

export interface ChannelVoiceCredentials {
  /** Who carries the calls */
  provider: "twilio"
  /** The account at the carrier */
  account_sid: string
  /** Id of the number at the carrier */
  phone_number_id: string
  /** Token of that account. Kept encrypted, never shown */
  auth_token: string
}

/** The version of WhatsApp’s API that live channels use */
export interface ChatApi {
  /** The setting `GRAPH_API_VERSION` */
  asked: string
  /** The version that WhatsApp last answered by; null before the first live request */
  served: string | null
  /** When that version ends */
  ends_on: string | null
  /** What to do about it; set from 90 days before the end */
  warning: string | null
}

export interface ConflictError {
  /** What is wrong, in words */
  detail: string
  /** The record that is there already */
  existing_id?: string
}

export interface Contact {
  id: string
  organization_id: string
  /** E.164; empty for people who are known by their chat account only */
  phone_number: string
  name: string
  tags: string[]
  notes: string
  custom_fields: Record<string, unknown>
  /** Where the contact stands in its life with the organization */
  stage: "new" | "engaged" | "qualified" | "customer" | "lost"
  /** Whether the AI agent answers this contact */
  ai_handling: boolean
  last_activity_at: string | null
  opted_out_at: string | null
  whatsapp_user_id: string | null
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

export interface ContactChanges {
  name?: string
  /** Normalised to E.164 */
  phone_number?: string
  tags?: string[]
  notes?: string
  /** Free key-value map; replaced whole */
  custom_fields?: Record<string, unknown>
  /** Lifecycle stage */
  stage?: "new" | "engaged" | "qualified" | "customer" | "lost" | "customers"
  /** Whether the AI agent answers this contact */
  ai_handling?: boolean
  /** Whether the contact wants no marketing */
  opted_out?: boolean
}

export interface ContactImport {
  id: string
  organization_id: string
  state: "queued" | "running" | "completed" | "failed"
  counts: {
    /** Rows of the file that are done with */
    rows: number
    /** Contacts made */
    created: number
    /** Rows whose contact existed and now says what the row says */
    updated: number
    /** Rows whose contact existed and was left alone */
    skipped: number
    /** Rows that could not be understood */
    invalid: number
  }
  /** How much of the file has been read */
  progress: number
  /** Check the file and count, but write no contact */
  dry_run: boolean
  /** What to do with a row whose phone number a contact has already: leave the contact alone, or change what the row says (empty cells say nothing, custom fields are merged) */
  on_conflict: "skip" | "update"
  file_name: string
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
    /** Rows of the file that are done with */
    rows: number
    /** Contacts made */
    created: number
    /** Rows whose contact existed and now says what the row says */
    updated: number
    /** Rows whose contact existed and was left alone */
    skipped: number
    /** Rows that could not be understood */
    invalid: number
  }
  /** How much of the file has been read */
  progress: number
  /** Check the file and count, but write no contact */
  dry_run: boolean
  /** What to do with a row whose phone number a contact has already: leave the contact alone, or change what the row says (empty cells say nothing, custom fields are merged) */
  on_conflict: "skip" | "update"
  file_name: string
  /** Why the import failed */
  error: string | null
  livemode: boolean
  created_at: string
  completed_at: string | null
  /** The columns of the file; empty until its header has been read */
  columns: Array<{
    /** As the file names it */
    column: string
    /** What it is read as: `phone_number`, `name`, `first_name`, `last_name`, `tags`, `notes`, `stage`, `ai_handling`, `opted_out_at`, `custom_fields.` and a name, or null when it is not read */
    field: string | null
  }>
  /** The first 1000 invalid rows, each with its first fault */
  errors: Array<{
    /** As a spreadsheet numbers it: the header is row 1 */
    row: number
    /** Name of the column at fault; empty when it is the whole row */
    column: string
    message: string
  }>
  /** Invalid rows beyond those in `errors` */
  errors_omitted: number
}

export interface ContactReplacement {
  name?: string
  /** Normalised to E.164 */
  phone_number?: string
  tags?: string[]
  notes?: string
  /** Free key-value map; replaced whole */
  custom_fields?: Record<string, unknown>
}

export interface ContactTags {
  tags: Array<{
    tag: string
    /** How many contacts have it */
    contacts: number
  }>
}

/** In USD, by the rates of the installation’s settings */
export interface CostBreakdown {
  /** For the minutes at the carrier, each one that began */
  telephony: number
  /** For the speech that was turned into text */
  transcription: number
  /** For the text that was spoken */
  voice: number
  /** For the tokens of the language model */
  llm: number
}

export interface CreatedTemplate {
  id: string
  organization_id: string
  account_id: string
  channel_id: string
  /** The business account on the platform that owns it */
  business_account_id: string
  /** The platform’s id, once it has confirmed the template */
  remote_template_id: string | null
  name: string
  language: string
  category: "MARKETING" | "UTILITY" | "AUTHENTICATION"
  /** What the platform has announced that the category will become */
  upcoming_category: string | null
  /** The last review verdict */
  status: "PENDING" | "APPROVED" | "REJECTED"
  /** The platform’s own word, such as `PAUSED` or `DISABLED`; null until it has said one. A template can be sent when this and `status` are both `APPROVED` */
  platform_status: string | null
  /** Why it was rejected, where the platform says so */
  rejected_reason: string | null
  /** Header, body, footer and buttons */
  components: Array<Record<string, unknown>>
  /** Empty while not rated */
  quality_score: "" | "GREEN" | "YELLOW" | "RED"
  /** How far it has come on its way to the platform: `registering`, `uncertain` (asked, and no answer came), `held` (something has to be changed first), `registered` or `refused` */
  registration: "registering" | "uncertain" | "held" | "registered" | "refused"
  /** Why it is not registered yet, in words */
  registration_error: string | null
  livemode: boolean
  created_at: string
  updated_at: string
  /** Rules of the platform that it seems to break; the platform decides */
  warnings: Array<{
    loc: string[]
    msg: string
  }>
}

export interface Daily {
  data: Day[]
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
    /** Contacts that the AI answers */
    ai: number
    /** Contacts that people answer */
    human: number
  }
  tasks: {
    /** Tasks still to be done */
    pending: number
    /** Pending tasks that were due before now */
    overdue: number
  }
}

export interface Day {
  /** The day, in the time zone that was asked for */
  date: string
  /** Chat messages, both ways */
  messages: number
  /** Calls, both ways and in the browser */
  calls: number
}

export interface Deleted {
  message: string
}

export interface Delivery {
  id: string
  organization_id: string
  campaign_id: string
  /** Null when the contact was deleted since */
  contact_id: string | null
  /** As it is today; null when the contact was deleted since */
  contact_name: string | null
  /** Where it goes; empty for people who are known by their chat account only */
  phone_number: string
  whatsapp_user_id: string | null
  /** What stood in for the template’s variables */
  variables: Record<string, string>
  status: "pending" | "sending" | "sent" | "delivered" | "read" | "failed" | "skipped" | "unknown"
  /** The platform’s code, or a word of ours where it gave none */
  code: string | null
  /** Why it failed or was skipped (`opted_out`, `no_address`, `missing_variable`, or the platform’s words); while it is pending, why the last attempt did not succeed */
  reason: string | null
  /** More about the reason */
  detail: string | null
  /** What the code or reason means, in plain words */
  explanation: string | null
  /** What to do about it, once it has failed, was skipped or is unknown */
  what_to_do: string | null
  /** How often the platform was asked */
  attempts: number
  /** Not before then is it tried again */
  next_attempt_at: string | null
  /** Given by the messaging platform */
  chat_message_id: string | null
  /** The message in the contact’s timeline */
  message_id: string | null
  sent_at: string | null
  delivered_at: string | null
  read_at: string | null
  livemode: boolean
  created_at: string
  updated_at: string
}

export interface Document {
  id: string
  organization_id: string
  document_type: "pdf" | "docx" | "txt"
  /** As it was called when it was uploaded */
  file_name: string
  /** A search finds a document once it is `ready`, and then all of it */
  status: "processing" | "ready" | "failed"
  /** Why it failed, in a sentence for people */
  error: string | null
  /** How far its processing has come */
  progress: number
  size_bytes: number
  /** Of the bytes, hexadecimal */
  sha256: string
  /** Pieces that can be found; 0 until it is ready */
  chunk_count: number
  /** What its words are read as; `simple` where the language is unknown, null until it is ready */
  language: string | null
  /** The model that finds it by meaning; null while it is found by its words only */
  embedding_model: string | null
  livemode: boolean
  uploaded_at: string
  updated_at: string
}

export interface DocumentList {
  documents: Document[]
}

export interface ErrorDetail {
  /** What is wrong, in words */
  detail: string
}

export interface Event {
  id: string
  type: string
  created_at: string
  organization_id: string
  livemode: boolean
  data: {
    /** What it happened to, as it was right afterwards */
    object: Record<string, unknown>
    /** The former values of what changed */
    previous?: Record<string, unknown>
  }
}

export interface ForbiddenError {
  /** What is wrong, in words */
  detail: string
  /** Where a scope is missing, and which */
  error?: {
    code: "invalid_api_key"
    message: string
    type: "authentication_error"
    reason: "insufficient_scope"
    required_scope: string
  }
}

export interface Handoff {
  to: "human" | "ai"
  reason?: string
}

export interface Invitation {
  id: string
  organization_id: string
  email: string
  /** What a person may do here */
  role: "owner" | "admin" | "member"
  invited_by: string | null
  expires_at: string
  created_at: string
}

export interface InvitationAcceptance {
  token: string
  name?: string
  /** A new one of at least 12 characters, or the one that the e-mail’s account has already */
  password?: string
}

export interface InvitationWithLink {
  id: string
  organization_id: string
  email: string
  /** What a person may do here */
  role: "owner" | "admin" | "member"
  invited_by: string | null
  expires_at: string
  created_at: string
  /** Where the invited person joins. Shown here and never again */
  link: string | null
}

/** The tokens are null for somebody who was signed in already and stays so */
export interface Joined {
  organization: {
    id: string
    name: string
    /** What a person may do here */
    role: "owner" | "admin" | "member"
  }
  /** Send it as `Authorization: Bearer …` */
  access_token: string | null
  token_type: string
  /** Seconds until the access token ends */
  expires_in: number | null
  refresh_token: string | null
  /** Where this person belongs */
  organizations: Array<{
    id: string
    name: string
    /** What a person may do here */
    role: "owner" | "admin" | "member"
  }>
}

export interface Key {
  id: string
  organization_id: string
  name: string
  /** Test reaches simulated carriers only; live reaches real ones */
  mode: "test" | "live"
  scopes: Array<"full_access" | "agents:read" | "agents:write" | "calls:dispatch" | "calls:read" | "campaigns:manage" | "webhooks:admin" | "contacts:read" | "contacts:write" | "inbox:read" | "inbox:write" | "knowledge:read" | "knowledge:write">
  prefix: string
  last_four: string
  expires_at: string | null
  last_used_at: string | null
  revoked_at: string | null
  created_by: string | null
  created_at: string
}

export interface KeyRoll {
  /** How long the old secret still works beside the new one */
  overlap_seconds?: number
}

export interface KeyWithSecret {
  id: string
  organization_id: string
  name: string
  /** Test reaches simulated carriers only; live reaches real ones */
  mode: "test" | "live"
  scopes: Array<"full_access" | "agents:read" | "agents:write" | "calls:dispatch" | "calls:read" | "campaigns:manage" | "webhooks:admin" | "contacts:read" | "contacts:write" | "inbox:read" | "inbox:write" | "knowledge:read" | "knowledge:write">
  prefix: string
  last_four: string
  expires_at: string | null
  last_used_at: string | null
  revoked_at: string | null
  created_by: string | null
  created_at: string
  /** The whole key. Shown here and never again */
  secret: string | null
}

export interface LastMessage {
  id: string
  direction: "inbound" | "outbound"
  message_type: "text" | "image" | "document" | "audio" | "video"
  /** The first 120 characters of its text */
  preview: string
  status: "sent" | "delivered" | "read" | "failed"
  /** Who sent it; `system` for the contact */
  actor_type: "user" | "ai" | "system"
}

export interface LibraryChoice {
  /** A language tag */
  language: string
  /** Your own name for it; the library’s unless given */
  name?: string
  /** What the buttons of some library templates need, as the platform takes it */
  button_inputs?: Array<Record<string, unknown>>
}

export interface LibraryReply {
  /** The platform’s id */
  id: string
  /** The platform’s word */
  status: string
  category: string
  /** The template as it is stored here; null while another one of that name is being registered */
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

/** What the operator of this service has set, for everybody on it */
export interface Limits {
  /** Of each credential */
  requests_per_minute: number
  /** That each credential may create */
  campaigns_per_minute: number
  /** Documents of each credential */
  uploads_per_minute: number
  /** The largest document */
  upload_bytes: number
  /** The largest file of contacts */
  import_bytes: number
  /** In each mode; further ones wait their turn */
  calls_at_once: number
  /** How long events and webhook deliveries are kept */
  event_days: number
  /** How long recordings are kept; null: as long as their calls */
  recording_days: number | null
}

export interface LiveTranscript {
  status: "completed" | "in-progress" | "busy" | "failed" | "no-answer"
  telephony_status: string
  /** Why it ended; null while it runs. The guide on calls lists what each reason means */
  ended_reason: "caller_hung_up" | "agent_ended" | "ended_by_request" | "handed_off" | "transferred" | "max_duration" | "silence" | "voicemail" | "line_lost" | "busy" | "all_lines_busy" | "no_answer" | "not_joined" | "carrier_refused" | "carrier_unreachable" | "carrier_failed" | "canceled" | "dial_unknown" | "carrier_silent" | "no_media" | "no_agent" | "worker_lost" | "deadline" | "queued_too_long" | "failed" | null
  segments: Array<{
    number: number
    segment: TranscriptSegment
  }>
}

export interface Login {
  email: string
  password: string
}

export interface Me {
  organization: {
    id: string
    name: string
  } | null
  /** Test reaches simulated carriers only; live reaches real ones */
  mode: "test" | "live"
  livemode: boolean
  scopes: Array<"full_access" | "agents:read" | "agents:write" | "calls:dispatch" | "calls:read" | "campaigns:manage" | "webhooks:admin" | "contacts:read" | "contacts:write" | "inbox:read" | "inbox:write" | "knowledge:read" | "knowledge:write">
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
    /** What a person may do here */
    role: "owner" | "admin" | "member" | null
  } | null
  /** Organizations that this credential may act in */
  organizations: Array<{
    id: string
    name: string
    /** What a person may do here */
    role: "owner" | "admin" | "member" | null
  }>
}

export interface Member {
  /** The person’s id: what tasks name as `assignee_id` */
  id: string
  organization_id: string
  email: string
  name: string
  /** What a person may do here */
  role: "owner" | "admin" | "member"
  created_at: string
  updated_at: string
}

export interface Message {
  id: string
  /** Its ticket; null only in events of a campaign’s message to a contact without an open ticket */
  inbox_id: string | null
  organization_id: string
  contact_id: string
  /** The channel it came or went by */
  chat_phone_number_id: string
  /** Given by the messaging platform; empty until it has accepted the message */
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
  /** In bytes, once the file is here */
  media_size: number | null
  /** `chat_message_id` of the message it answers */
  context_message_id: string | null
  /** From the sender’s number or chat account to an emoji */
  reactions: Record<string, string> | null
  /** When the contact last edited it */
  edited_at: string | null
  /** What it said before, oldest first */
  edit_history: MessageVersion[]
  /** Whether the contact edited it and the platform did not deliver the new text: `body` is the last known one */
  edit_text_missing: boolean
  /** Whether the contact deleted it. Its text is kept; agents do not read it */
  revoked: boolean
  /** When the contact deleted it */
  revoked_at: string | null
  /** What the platform sent besides */
  payload: Record<string, unknown> | null
  /** Who sent it; `system` for the contact */
  actor_type: "user" | "ai" | "system"
  actor_id: string | null
  livemode: boolean
  created_at: string
  updated_at: string
}

/** Why it failed. The code `unknown` means that it may have been sent: a receipt corrects it */
export interface MessageError {
  code: string
  message: string
}

export interface MessageVersion {
  body: string
  written_at: string
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
  /** `prompt`: driven by a language model; `static`: by rules */
  agent_type?: "prompt" | "static"
  /** IANA name; what the agent calls "now", and the default for schedules */
  timezone?: string | null
  /** An inactive agent answers nobody */
  is_active?: "active" | "inactive"
  agent_config?: NewAgentConfig
}

export interface NewAgentConfig {
  /** Said when the recipient answers */
  welcome_message?: string | null
  /** Persona and constraints */
  system_prompt?: string | null
  language?: string | null
  llm_provider?: "openai" | "anthropic" | "google" | null
  /** Where it is left out, a small model of the provider */
  llm_model?: string | null
  voice_settings?: AgentVoiceSettings | null
  transcriber?: NewAgentConfigTranscriber | null
  call_settings?: NewAgentConfigCallSettings | null
  tools?: AgentToolInput[] | null
  mcp_servers?: AgentMcpServerInput[] | null
  knowledge?: NewAgentConfigKnowledge | null
}

export interface NewAgentConfigCallSettings {
  max_duration_seconds?: number | null
  silence_timeout_seconds?: number | null
  /** Whether the caller can cut the agent short */
  interruptible?: boolean | null
  record?: boolean | null
  voicemail?: "hangup" | "leave_message" | "continue" | null
  /** E.164; where a transfer leads. Without it a transfer is a hand-off */
  transfer_number?: string | null
  /** Of a static agent: the first match wins */
  rules?: AgentRule[] | null
  /** What a static agent says where no rule fits; a text alone is short for `{say}` */
  fallback?: string | AgentFallback | null
}

export interface NewAgentConfigKnowledge {
  /** Whether the agent reads every document of the organization. True by default; false where a request names `document_ids` and leaves it out */
  all?: boolean | null
  /** The documents that the agent reads where `all` is false; with none it reads nothing. Documents that were deleted are passed over */
  document_ids?: string[] | null
  /** Reserved: collections do not exist yet, so only an empty list is accepted */
  collection_ids?: string[] | null
}

export interface NewAgentConfigTranscriber {
  /** Null for what the installation has */
  provider?: string | null
  model?: string | null
  /** How long a pause ends what the caller says */
  endpointing_ms?: number | null
}

export interface NewCall {
  agent_id: string
  /** Whom to call; or a `contact_id` */
  to_number?: string
  contact_id?: string
  /** The channel that calls: the oldest with voice unless said otherwise */
  chat_phone_number_id?: string
  /** Fill `{{name}}` in the agent’s greeting, prompt and rules */
  variables?: Record<string, unknown>
  /** Kept with the call. In test mode `caller_script`, a list of lines, is what the simulated person says */
  metadata?: Record<string, unknown>
}

export interface NewCampaign {
  name: string
  /** The channel that sends */
  chat_phone_number_id: string
  /** An approved template of the channel’s business account */
  message_template_id?: string
  /** `all` contacts, those with any of the `tags`, or only those named (`manual`) in `audience_contact_ids` */
  audience_type?: "all" | "tags" | "manual"
  /** Used with `tags`: contacts that have any of these */
  audience_tags?: string[]
  /** Used with `manual` */
  audience_contact_ids?: string[]
  /** When to send, to the second; a past time means at once */
  scheduled_at?: string
  /** What stands in for the template’s variables. The right side may use `{{contact.name}}`, `{{contact.phone_number}}` and `{{contact.custom_fields.x}}`, each with words for those who have none: `{{contact.name|there}}`. Where a number stands in several parts of the template, `header.1`, `body.1` and `button.0.1` speak of one of them; `header` alone is the address of the file of a media header. Without it, `{{1}}` is the contact’s name and any other the custom field of that name */
  template_variables?: Record<string, string>
}

export interface NewChannel {
  /** Normalised to E.164 */
  phone_number: string
  /** What people call it */
  display_name?: string
  /** The agent that answers inbound chat and calls */
  agent_id?: string | null
  /** How fast campaigns send on this channel: 80 unless said otherwise */
  messages_per_second?: number
  chat?: ChannelChatCredentials
  voice?: ChannelVoiceCredentials
}

export interface NewContact {
  /** Normalised to E.164 */
  phone_number: string
  name?: string
  tags?: string[]
  notes?: string
  /** Free key-value map; replaced whole */
  custom_fields?: Record<string, unknown>
  /** Lifecycle stage */
  stage?: "new" | "engaged" | "qualified" | "customer" | "lost" | "customers"
  /** Whether the AI agent answers this contact */
  ai_handling?: boolean
}

export interface NewInvitation {
  email: string
  /** What a person may do here */
  role: "owner" | "admin" | "member"
}

export interface NewKey {
  name: string
  scopes: Array<"full_access" | "agents:read" | "agents:write" | "calls:dispatch" | "calls:read" | "campaigns:manage" | "webhooks:admin" | "contacts:read" | "contacts:write" | "inbox:read" | "inbox:write" | "knowledge:read" | "knowledge:write">
  /** Test reaches simulated carriers only; live reaches real ones */
  mode: "test" | "live"
  /** When the key stops working; never, unless given */
  expires_at?: string
}

export interface NewMessage {
  /** `text` unless said; with a file, by what the file holds */
  message_type?: "text" | "image" | "document" | "audio" | "video"
  /** The text, or the caption of a file (at most 1024 characters; audio has none) */
  body?: string
  /** Where the service fetches the file to send */
  media_url?: string
  /** `chat_message_id` of the message that this one answers */
  context_message_id?: string
  /** An approved template to send in place of a free message, within the 24 hours and after */
  template_id?: string
  /** What stands in for the template’s variables. The right side may use `{{contact.name}}`, `{{contact.phone_number}}` and `{{contact.custom_fields.x}}`, each with words for those who have none: `{{contact.name|there}}`. Where a number stands in several parts of the template, `header.1`, `body.1` and `button.0.1` speak of one of them; `header` alone is the address of the file of a media header. Without it, `{{1}}` is the contact’s name and any other the custom field of that name */
  template_variables?: Record<string, string>
}

export interface NewMessageForm {
  /** What to send */
  file: Upload
  /** By what the file holds unless said */
  message_type?: "text" | "image" | "document" | "audio" | "video"
  /** The caption */
  body?: string
  /** `chat_message_id` of the message that this one answers */
  context_message_id?: string
}

export interface NewTask {
  contact_id: string
  title: string
  description?: string
  due_at?: string
  /** A member of the organization */
  assignee_id?: string
}

export interface NewTemplate {
  channel_id: string
  /** Lowercase letters, digits and underscores */
  name: string
  /** A language tag */
  language: string
  category: "MARKETING" | "UTILITY" | "AUTHENTICATION"
  components: Array<{
    type: "HEADER" | "BODY" | "FOOTER" | "BUTTONS"
    /** Of a header */
    format?: "TEXT" | "IMAGE" | "VIDEO" | "DOCUMENT" | null
    /** May hold the variables `{{1}}`, `{{2}}`, … */
    text?: string | null
    /** With the type `BUTTONS` */
    buttons?: Array<{
      type: "QUICK_REPLY" | "URL" | "PHONE_NUMBER"
      /** The label */
      text?: string | null
      /** Of a `URL` button; may end in a variable */
      url?: string | null
      /** Of a `PHONE_NUMBER` button */
      phone_number?: string | null
    }> | null
    /** Example values for the platform’s reviewers; neutral ones are supplied where there are none */
    example?: Record<string, unknown> | null
  }>
}

export interface NewTicket {
  contact_id: string
}

export interface NewWebCall {
  agent_id: string
  /** Fill `{{name}}` in the agent’s greeting, prompt and rules */
  variables?: Record<string, unknown>
  /** Kept with the call. In test mode `caller_script`, a list of lines, is what the simulated person says */
  metadata?: Record<string, unknown>
}

export interface NewWebhook {
  /** Where events are posted to, as `https://…`; not an address of this service’s own network */
  url: string
  /** Types of events to receive: `contact.created`, `call.*` for all of a kind, `*` for all. Only types that the credential may read: a pattern that covers others is stored as the readable types */
  events: string[]
  /** For people to know it by */
  description?: string | null
}

export interface Organization {
  id: string
  name: string
  created_at: string
  updated_at: string
  limits: Limits
  call_rates: CallRates
  chat_api: ChatApi
}

export interface OrganizationChanges {
  name?: string
}

export interface PasswordChange {
  current_password?: string
  new_password: string
}

export interface PreflightSkipped {
  /** They want no marketing */
  opted_out: number
  /** They have no number and no chat account */
  no_address: number
}

export interface PromotedAgent {
  id: string
  name: string
  organization_id: string
  /** IANA name; what the agent calls "now", and the default for schedules */
  timezone: string | null
  /** `prompt`: driven by a language model; `static`: by rules */
  agent_type: "prompt" | "static"
  /** An inactive agent answers nobody */
  is_active: "active" | "inactive"
  agent_config: AgentConfig
  /** Rises with every change; calls keep the one they ran with */
  version: number
  livemode: boolean
  created_at: string
  updated_at: string
  /** Chosen documents of test mode without a copy in live mode, which the live agent does not read: promote them, then the agent again */
  missing_documents: Array<{
    id: string
    file_name: string
  }>
}

export interface RateLimitError {
  error: "rate_limit_exceeded"
  message: string
  /** Seconds until another try makes sense */
  retry_after: number
}

export interface Reaction {
  /** One emoji; empty takes it back */
  emoji: string
}

export interface ReceivedCall {
  /** What the call log will carry, once the carrier has asked what to do */
  call_id: string
}

export interface ReceivedMessage {
  /** What the message in the inbox will carry, once the platform’s webhook has arrived */
  chat_message_id: string
}

export interface Recovery {
  /** Events from then on that did not reach the endpoint are sent again */
  since: string
}

export interface RecoveryBegun {
  /** Deliveries that are on their way now */
  recovered: number
  /** Whether there are more, which follow by themselves */
  has_more: boolean
}

export interface Refresh {
  refresh_token?: string
}

export interface RetriedCampaign {
  id: string
  organization_id: string
  name: string
  status: "scheduled" | "sending" | "paused" | "completed" | "cancelled" | "failed"
  /** The channel that sends */
  chat_phone_number_id: string
  /** Null also when the template was deleted since */
  message_template_id: string | null
  /** What stands in for the template’s variables. The right side may use `{{contact.name}}`, `{{contact.phone_number}}` and `{{contact.custom_fields.x}}`, each with words for those who have none: `{{contact.name|there}}`. Where a number stands in several parts of the template, `header.1`, `body.1` and `button.0.1` speak of one of them; `header` alone is the address of the file of a media header. Without it, `{{1}}` is the contact’s name and any other the custom field of that name */
  template_variables: Record<string, string> | null
  audience_type: "all" | "tags" | "manual"
  audience_tags: string[] | null
  /** In lists and events null where there are more than 1,000 */
  audience_contact_ids: string[] | null
  scheduled_at: string | null
  /** Recipients resolved so far; all of them from `frozen_at` on */
  total_contacts_count: number
  /** Accepted by the messaging platform */
  sent_count: number
  /** Delivered, those included that were read */
  delivered_count: number
  /** Read */
  read_count: number
  /** Failed, also after the platform had accepted them */
  failed_count: number
  /** Not to be sent: the contact has opted out, or has no address */
  skipped_count: number
  /** Nobody can say whether they were sent; a status of the platform may still tell */
  unknown_count: number
  /** Still to be sent, or never sent where the campaign was cancelled */
  pending_count: number
  /** On their way to the platform */
  sending_count: number
  /** Why it is paused */
  pause_reason: "user" | "failure_rate" | "token_expired" | "account_blocked" | "template_paused" | "template_unusable" | "template_deleted" | "channel_deleted" | "channel_not_ready" | null
  /** The same in words */
  pause_detail: string | null
  /** Why it failed */
  failure_reason: "no_template" | "no_channel" | null
  /** While it is sending: the platform asked the channel to wait until then */
  waiting_until: string | null
  /** Why nothing is sent at the moment: what the platform said, with its code */
  waiting_reason: string | null
  started_at: string | null
  /** When every recipient had its delivery */
  frozen_at: string | null
  /** When nothing was left to send; receipts may still move the counts */
  completed_at: string | null
  livemode: boolean
  created_at: string
  updated_at: string
  /** Deliveries that are tried again */
  retried_count: number
}

export interface RoleChange {
  /** What a person may do here */
  role: "owner" | "admin" | "member"
}

export interface SearchResult {
  chunk_id: string
  document_id: string
  file_name: string
  /** Where the document has pages */
  page: number | null
  /** The headings above it, outermost first */
  heading: string
  /** In characters of the extracted text */
  start_offset: number
  /** Behind its last character */
  end_offset: number
  text: string
  /** Higher is better; comparable within one answer only */
  score: number
}

export interface SearchResults {
  /** Best first */
  results: SearchResult[]
  took_ms: number
  /** There and true when something was left out: time was up, or a half did not answer */
  partial?: boolean
}

export interface SecretRotation {
  /** How long deliveries are signed with the old secret too; 0 where it has leaked */
  overlap_seconds?: number
}

export interface SignInLink {
  token: string
}

export interface SignedIn {
  /** Send it as `Authorization: Bearer …` */
  access_token: string
  token_type: string
  /** Seconds until the access token ends */
  expires_in: number
  /** For POST /auth/refresh, once. Null when the cookie holds it, out of reach of scripts */
  refresh_token: string | null
  /** Where this person belongs */
  organizations: Array<{
    id: string
    name: string
    /** What a person may do here */
    role: "owner" | "admin" | "member"
  }>
}

export interface SimulatedCall {
  /** Which channel is called: the oldest unless said otherwise */
  channel_id?: string
  /** The caller’s phone number */
  from: string
  /** What the caller says, a line each time the agent has finished; `[keys: 12#]` presses keys */
  script?: string[]
  /** The same seed makes the same caller */
  seed?: string
}

export interface SimulatedMessage {
  /** Which channel is written to: the oldest unless said otherwise */
  channel_id?: string
  /** The customer’s phone number. Needed unless there is a `user_id` */
  from?: string
  /** The platform’s id of a customer who shows no phone number */
  user_id?: string
  name?: string
  /** `text`, `image`, `document`, `audio`, `video`, `sticker`, `reaction`, `button`, `interactive`, `location`, `contacts`, `order`, `edit` and `revoke` (of the customer’s last message unless `message.edit.original_message_id` says which), `unsupported`, `system`, or any other: unknown types must be survived too */
  type?: string
  /** What a text says, the caption of a file, or the new words of an `edit` */
  text?: string
  /** Further members of the message as the platform would send them, such as `context` or `button` */
  message?: Record<string, unknown>
  /** The file of a media message; a small sample unless given */
  media?: {
    base64: string
    mime_type: string
    filename?: string
  }
  /** The same id again is the same message again */
  chat_message_id?: string
}

export interface SimulatedTemplateEvent {
  /** What the platform does */
  event: "approve" | "reject" | "quality" | "recategorize" | "pause" | "unpause" | "disable" | "reinstate" | "flag"
  /** Why it is rejected */
  reason?: string
  /** Its new quality. Red pauses it, the third time disables it */
  score?: "GREEN" | "YELLOW" | "RED" | "UNKNOWN"
  category?: "AUTHENTICATION" | "MARKETING" | "UTILITY"
}

export interface StageLatency {
  p50: number
  p95: number
  max: number
}

export interface SyncChoice {
  /** Only the business account of this channel */
  channel_id?: string
}

export interface SyncReport {
  /** Found at the platform and stored */
  added: number
  /** Brought up to date */
  updated: number
  /** Gone from the platform, and now from here */
  removed: number
  /** The same on both sides */
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
  /** A member of the organization; null for nobody */
  assignee_id?: string | null
}

export interface Template {
  id: string
  organization_id: string
  account_id: string
  channel_id: string
  /** The business account on the platform that owns it */
  business_account_id: string
  /** The platform’s id, once it has confirmed the template */
  remote_template_id: string | null
  name: string
  language: string
  category: "MARKETING" | "UTILITY" | "AUTHENTICATION"
  /** What the platform has announced that the category will become */
  upcoming_category: string | null
  /** The last review verdict */
  status: "PENDING" | "APPROVED" | "REJECTED"
  /** The platform’s own word, such as `PAUSED` or `DISABLED`; null until it has said one. A template can be sent when this and `status` are both `APPROVED` */
  platform_status: string | null
  /** Why it was rejected, where the platform says so */
  rejected_reason: string | null
  /** Header, body, footer and buttons */
  components: Array<Record<string, unknown>>
  /** Empty while not rated */
  quality_score: "" | "GREEN" | "YELLOW" | "RED"
  /** How far it has come on its way to the platform: `registering`, `uncertain` (asked, and no answer came), `held` (something has to be changed first), `registered` or `refused` */
  registration: "registering" | "uncertain" | "held" | "registered" | "refused"
  /** Why it is not registered yet, in words */
  registration_error: string | null
  livemode: boolean
  created_at: string
  updated_at: string
}

export interface TemplatePreflight {
  /** Rules of the platform that it seems to break; the platform decides */
  warnings: Array<{
    loc: string[]
    msg: string
  }>
  /** The template that has this name and language already */
  existing_id: string | null
}

export interface Ticket {
  id: string
  organization_id: string
  contact_id: string
  /** The channel of its last message */
  chat_phone_number_id: string | null
  status: "open" | "closed"
  /** The member who looks after it */
  assignee_id: string | null
  /** Messages of the contact that nobody has seen */
  unread_count: number
  last_message_at: string | null
  /** Until when the platform takes free messages; null when the contact never wrote */
  window_expires_at: string | null
  livemode: boolean
  created_at: string
  updated_at: string
}

export interface TicketChanges {
  status?: "open" | "closed"
  assignee_id?: string | null
}

export interface TicketWithContact {
  id: string
  organization_id: string
  contact_id: string
  /** The channel of its last message */
  chat_phone_number_id: string | null
  status: "open" | "closed"
  /** The member who looks after it */
  assignee_id: string | null
  /** Messages of the contact that nobody has seen */
  unread_count: number
  last_message_at: string | null
  /** Until when the platform takes free messages; null when the contact never wrote */
  window_expires_at: string | null
  livemode: boolean
  created_at: string
  updated_at: string
  /** Whether the AI agent answers this contact */
  ai_handling: boolean
  last_message: LastMessage | null
  contact: ContactBrief
}

export interface Told {
  message: string
}

export interface TranscriptSegment {
  speaker: "agent" | "caller"
  /** Of the agent, only what was really played */
  text: string
  /** Seconds from the start */
  timestamp: number
  /** Whether the caller’s words were recognised, come from a simulated caller’s script, or were keys */
  source?: "recognised" | "scripted" | "keys"
  recognised_text?: string
  /** What a simulated caller was to say */
  scripted_text?: string
  /** The agent was cut off here */
  interrupted?: true
}

export interface TurnLatency {
  /** When the caller stopped speaking, in seconds from the start */
  at: number
  endpointing: number
  transcription: number
  llm: number
  voice: number
  total: number
}

export interface UnresolvedVariable {
  variable: string
  /** How many lack it */
  contacts: number
}

export interface UpstreamError {
  /** What is wrong, in words */
  detail: string
  upstream: {
    code: string | number | null
    message: string
  }
}

export interface ValidationError {
  /** One entry for each fault */
  detail: Array<{
    /** Where: `body`, `query` or `path`, then the way to the member */
    loc: string[]
    /** What is wrong there, in words */
    msg: string
    /** What is wrong there, for programs */
    type: string
  }>
}

export interface Voice {
  id: string
  name: string
  provider: string
  language: string
}

export interface VoiceList {
  voices: Voice[]
}

export interface WebCall {
  id: string
  call_id: string
  /** Lets one socket join, once; null when the answer is a replay */
  access_token: string | null
  ws_url: string
  expires_at: string
}

export interface Webhook {
  id: string
  organization_id: string
  /** Where events are posted to, as `https://…`; not an address of this service’s own network */
  url: string
  /** Types of events to receive: `contact.created`, `call.*` for all of a kind, `*` for all. Only types that the credential may read: a pattern that covers others is stored as the readable types */
  events: string[]
  /** The types it receives today: those of `events` that the credential which last set its events or address may read */
  event_types: string[]
  /** For people to know it by */
  description: string | null
  /** While it is disabled nothing is sent to it */
  status: "enabled" | "disabled"
  /** Somebody asked for it, the endpoint answered 410, or it failed for five days */
  disabled_reason: "requested" | "gone" | "failing" | null
  disabled_at: string | null
  /** Every attempt since then has failed */
  failing_since: string | null
  /** Until then deliveries are signed with the secret before this one too */
  former_secret_expires_at: string | null
  livemode: boolean
  created_at: string
  updated_at: string
}

export interface WebhookAttempt {
  attempted_at: string
  duration_ms: number
  response_status: number | null
  /** Why there was no answer, or what was wrong with it */
  error: string | null
}

export interface WebhookChanges {
  /** Where events are posted to, as `https://…`; not an address of this service’s own network */
  url?: string
  /** Types of events to receive: `contact.created`, `call.*` for all of a kind, `*` for all. Only types that the credential may read: a pattern that covers others is stored as the readable types */
  events?: string[]
  /** For people to know it by */
  description?: string | null
  /** While it is disabled nothing is sent to it */
  status?: "enabled" | "disabled"
}

export interface WebhookDelivery {
  /** The event’s id, which every attempt carries as `webhook-id` */
  id: string
  webhook_id: string
  organization_id: string
  event_type: string
  /** Pending until it succeeded or there are no retries left */
  status: "pending" | "succeeded" | "failed"
  /** Attempts made so far */
  attempts: number
  next_attempt_at: string | null
  request: WebhookRequest | null
  response: WebhookResponse | null
  /** Why there was no answer, or what was wrong with it */
  error: string | null
  attempted_at: string | null
  duration_ms: number | null
  /** The attempts before the last one, the latest last */
  history: WebhookAttempt[]
  livemode: boolean
  created_at: string
}

/** The last attempt; null before the first */
export interface WebhookRequest {
  url: string
  /** All but the signature */
  headers: Record<string, unknown>
  /** As it was sent */
  body: string | null
}

/** Its answer; null where there was none */
export interface WebhookResponse {
  status: number
  /** The first two thousand characters */
  body: string
}

export interface WebhookWithSecret {
  id: string
  organization_id: string
  /** Where events are posted to, as `https://…`; not an address of this service’s own network */
  url: string
  /** Types of events to receive: `contact.created`, `call.*` for all of a kind, `*` for all. Only types that the credential may read: a pattern that covers others is stored as the readable types */
  events: string[]
  /** The types it receives today: those of `events` that the credential which last set its events or address may read */
  event_types: string[]
  /** For people to know it by */
  description: string | null
  /** While it is disabled nothing is sent to it */
  status: "enabled" | "disabled"
  /** Somebody asked for it, the endpoint answered 410, or it failed for five days */
  disabled_reason: "requested" | "gone" | "failing" | null
  disabled_at: string | null
  /** Every attempt since then has failed */
  failing_since: string | null
  /** Until then deliveries are signed with the secret before this one too */
  former_secret_expires_at: string | null
  livemode: boolean
  created_at: string
  updated_at: string
  /** What deliveries are signed with. Shown here and never again */
  secret: string | null
}

export interface ListKeysQuery {
  /** How many to return */
  limit?: number
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string
}

export interface ListMembersQuery {
  /** How many to return */
  limit?: number
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string
}

export interface ListInvitationsQuery {
  /** How many to return */
  limit?: number
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string
}

export interface ListContactsQuery {
  /** How many to return */
  limit?: number
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string
  /** Part of a name (without regard to case and accents) or of a phone number */
  search?: string
  /** Only those with this tag */
  tag?: string
  /** Lifecycle stage */
  stage?: "new" | "engaged" | "qualified" | "customer" | "lost" | "customers"
  /** Only those with this ai handling */
  ai_handling?: boolean
  /** Only those with this opted out */
  opted_out?: boolean
}

export interface CreateContactQuery {
  /** What to do when the phone number is taken: answer the existing contact, or update it */
  on_conflict?: "return" | "update"
}

export interface ExportContactsQuery {
  /** Part of a name (without regard to case and accents) or of a phone number */
  search?: string
  /** Only those with this tag */
  tag?: string
  /** Lifecycle stage */
  stage?: "new" | "engaged" | "qualified" | "customer" | "lost" | "customers"
  /** Only those with this ai handling */
  ai_handling?: boolean
  /** Only those with this opted out */
  opted_out?: boolean
}

export interface ListContactTagsQuery {
  /** Part of a tag */
  search?: string
  /** How many to return */
  limit?: number
}

export interface ListActivitiesQuery {
  /** How many to return */
  limit?: number
  /** How many to skip */
  offset?: number
  /** One or more activity types, repeated or separated by commas */
  type?: string[]
  /** One or more activity types, repeated or separated by commas */
  activity_types?: string[]
}

export interface ImportContactsQuery {
  /** Check the file and count, but write no contact */
  dry_run?: boolean
  /** What to do with a row whose phone number a contact has already: leave the contact alone, or change what the row says (empty cells say nothing, custom fields are merged) */
  on_conflict?: "skip" | "update"
}

export interface ImportContactsForm {
  /** CSV with a header row: comma, semicolon or tab; UTF-8, UTF-16 or Windows-1252. A column must hold phone numbers; columns with names of their own become custom fields. */
  file: Upload
  /** Check the file and count, but write no contact */
  dry_run?: boolean
  /** What to do with a row whose phone number a contact has already: leave the contact alone, or change what the row says (empty cells say nothing, custom fields are merged) */
  on_conflict?: "skip" | "update"
  /** Reads columns as though they had other names, as a JSON object: `{"Kontakt": "phone_number", "Alter": "custom_fields.age", "Internal": null}`. Null leaves a column out. */
  columns?: Record<string, unknown>
}

export interface ListContactImportsQuery {
  /** How many to return */
  limit?: number
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string
}

export interface ListTasksQuery {
  /** How many to return */
  limit?: number
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string
  /** Only those with this status */
  status?: "pending" | "completed" | "cancelled"
  /** Only those with this assignee id (the id of a member, from `GET /members`) */
  assignee_id?: string
  /** Only those with this contact id (the id of a contact, from `GET /contacts`) */
  contact_id?: string
  /** Due earlier than this */
  due_before?: string
  /** Due later than this */
  due_after?: string
  /** Whether the task is pending and was due before now */
  overdue?: boolean
}

export interface GetDailyActivityQuery {
  /** How many days, today the last of them */
  days?: number
  /** Where the days begin at midnight, such as `Europe/Berlin` */
  time_zone?: string
}

export interface ListEventsQuery {
  /** How many to return */
  limit?: number
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string
  /** One or more types, such as `task.completed` or `contact.*`, repeated or separated by commas */
  type?: string[]
  /** Happened later than this */
  created_after?: string
}

export interface StreamEventsQuery {
  /** One or more types, such as `task.completed` or `contact.*`, repeated or separated by commas */
  type?: string[]
  /** Where to go on, for those who cannot send the header `Last-Event-ID`, which counts before this (the id of an event, from `GET /events`) */
  last_event_id?: string
}

export interface ListChannelsQuery {
  /** How many to return */
  limit?: number
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string
}

export interface ListTicketsQuery {
  /** How many to return */
  limit?: number
  /** How many to skip */
  offset?: number
  /** `open` or `closed` */
  status?: string
  /** Only those with this contact id (the id of a contact, from `GET /contacts`) */
  contact_id?: string
  /** Only those with this assignee id (the id of a member, from `GET /members`) */
  assignee_id?: string
  /** Only tickets with, or only those without, unseen messages */
  unread?: boolean
  /** Part of the contact’s name (without regard to case and accents) or number, or of a message */
  search?: string
}

export interface ListMessagesQuery {
  /** How many to return */
  limit?: number
  /** How many to skip */
  offset?: number
  /** By time */
  order?: "asc" | "desc"
}

export interface ListTemplatesQuery {
  /** How many to return */
  limit?: number
  /** Which page, from 1 */
  page?: number
  /** Only those with this status */
  status?: "PENDING" | "APPROVED" | "REJECTED"
  /** Only those with this category */
  category?: "MARKETING" | "UTILITY" | "AUTHENTICATION"
  /** Only those in this language */
  language?: string
  /** Part of a name */
  search?: string
}

export interface ListTemplateLibraryQuery {
  /** Only those with this search */
  search?: string
  /** Only those with this category */
  category?: "MARKETING" | "UTILITY" | "AUTHENTICATION"
  /** Only those with this language */
  language?: string
  /** Whose platform to ask: the oldest chat channel unless given (the id of a channel, from `GET /channels`) */
  channel_id?: string
}

export interface CreateTemplateFromLibraryQuery {
  /** Only those with this channel id (the id of a channel, from `GET /channels`) */
  channel_id: string
}

export interface DeleteTemplateQuery {
  /** For a template whose business account no channel leads to any more: remove it here although it lives on at the platform */
  local_only?: boolean
}

export interface ListCampaignsQuery {
  /** How many to return */
  limit?: number
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string
  /** Only those with this status */
  status?: "scheduled" | "sending" | "paused" | "completed" | "cancelled" | "failed"
  /** Part of a name */
  search?: string
}

export interface ListDeliveriesQuery {
  /** How many to return */
  limit?: number
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string
  /** Only those with this status */
  status?: "pending" | "sending" | "sent" | "delivered" | "read" | "failed" | "skipped" | "unknown"
}

export interface GetCampaignReportQuery {
  /** The time zone that the report speaks in, by its IANA name */
  timezone?: string
}

export interface ExportCampaignPdfQuery {
  /** The time zone that the report speaks in, by its IANA name */
  timezone?: string
}

export interface UploadDocumentForm {
  /** A `.pdf`, `.docx` or `.txt` file that is what its name says */
  file: Upload
}

export interface SearchKnowledgeBody {
  /** A question or some words. What stands in double quotes must occur just so, where it occurs at all */
  query: string
  /** How many results at most */
  top_k?: number
  /** Look in these documents only; those that are not there find nothing */
  document_ids?: string[] | null
  /** By words (`keyword`), by meaning (`vector`), or by both */
  mode?: "hybrid" | "vector" | "keyword"
  /** After this long the answer is what was found until then, marked `partial` */
  timeout_ms?: number | null
}

export interface ListWebhooksQuery {
  /** How many to return */
  limit?: number
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string
}

export interface ListWebhookDeliveriesQuery {
  /** How many to return */
  limit?: number
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string
  /** Only those with this status */
  status?: "pending" | "succeeded" | "failed"
  /** One type, such as `contact.created` */
  event_type?: string
}

export interface ListAgentsQuery {
  /** How many to return */
  limit?: number
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string
  /** `prompt`: driven by a language model; `static`: by rules */
  agent_type?: "prompt" | "static"
  /** An inactive agent answers nobody */
  is_active?: "active" | "inactive"
  /** Part of a name */
  search?: string
}

export interface ListCallsQuery {
  /** How many to return */
  limit?: number
  /** `next_cursor` of the previous page (the id of a record) */
  starting_after?: string
  /** Only those with this status */
  status?: "completed" | "in-progress" | "busy" | "failed" | "no-answer"
  /** Only those with this direction */
  direction?: "inbound" | "outbound"
  /** Only those with this agent id (the id of an agent, from `GET /agents`) */
  agent_id?: string
  /** Only those with this contact id (the id of a contact, from `GET /contacts`) */
  contact_id?: string
  /** This time or later */
  started_after?: string
  /** Before this time */
  started_before?: string
}

export interface GetLiveTranscriptQuery {
  /** Only what comes behind this number */
  after?: number
}

export interface ListCallLogsQuery {
  /** Only those with this page */
  page?: number
  /** Only those with this page size */
  page_size?: number
  /** Only those with this direction */
  direction?: "inbound" | "outbound"
  /** Only those with this status */
  status?: "completed" | "in-progress" | "busy" | "failed" | "no-answer"
  /** Only those with this agent id (the id of an agent, from `GET /agents`) */
  agent_id?: string
  /** This time or later */
  started_after?: string
  /** Before this time */
  started_before?: string
  /** Part of a number, however punctuated, or of `call_id`. Where no call has it: numbers with one digit wrong, missing, too many or swapped, with or without the country code; else what is similar */
  search?: string
}
