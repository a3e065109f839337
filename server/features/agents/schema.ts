import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../platform/http/pagination.ts'
import { FreeObject, Id, Instant, Nullable, OneOf } from '../../platform/schemas.ts'
import { voiceProviders } from '../../providers/speech/voices.ts'
import { configInput } from './config/config-input.ts'
import { AgentConfig } from './config/config-schema.ts'

const agentTypes = ['prompt', 'static'] as const
export type AgentType = (typeof agentTypes)[number]
const AgentTypeWord = (options: object = {}) =>
  OneOf(agentTypes, { description: '`prompt`: driven by a language model; `static`: driven by rules', ...options })
const isActive = (options: object = {}) =>
  OneOf(['active', 'inactive'] as const, { description: 'An inactive agent does not answer', ...options })

const name = Type.String({ minLength: 1, maxLength: 255, pattern: '\\S', examples: ['Front desk'] })
const timezone = Nullable(
  Type.String({
    maxLength: 64,
    description: 'IANA name. Determines what the agent calls "now"; default for schedules',
    examples: ['America/New_York'],
  }),
)
export const Agent = Type.Object(
  {
    id: Id,
    name: Type.String({ examples: ['Front desk'] }),
    organization_id: Id,
    timezone,
    agent_type: AgentTypeWord(),
    is_active: isActive(),
    agent_config: AgentConfig,
    version: Type.Integer({
      description: 'Increases with every change; calls keep the version they ran with',
      examples: [1],
    }),
    livemode: Type.Boolean(),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Agent' },
)
export type Agent = Static<typeof Agent>

export const PromotedAgent = Type.Object(
  {
    ...Agent.properties,
    missing_documents: Type.Array(Type.Object({ id: Id, file_name: Type.String({ examples: ['hours.pdf'] }) }), {
      description:
        'Chosen test documents that have no live copy, so the live agent does not read them. Promote them, then promote the agent again',
    }),
  },
  { title: 'PromotedAgent' },
)
export type PromotedAgent = Static<typeof PromotedAgent>

export const NewAgent = Type.Object(
  {
    name,
    agent_type: AgentTypeWord({ default: 'prompt' }),
    timezone: Type.Optional(timezone),
    is_active: isActive({ default: 'active' }),
    agent_config: Type.Optional(configInput('NewAgentConfig', { withDefaults: true })),
  },
  {
    title: 'NewAgent',
    examples: [
      {
        name: 'Front desk',
        agent_type: 'prompt',
        timezone: 'America/New_York',
        agent_config: {
          welcome_message: 'Hello, this is the front desk.',
          system_prompt: 'You are the friendly front desk of a dental practice.',
          language: 'en-US',
          llm_provider: 'openai',
          llm_model: 'gpt-5-mini',
          call_settings: { max_duration_seconds: 600, voicemail: 'hangup' },
        },
      },
    ],
  },
)
export type NewAgent = Static<typeof NewAgent>

export const AgentChanges = Type.Object(
  {
    name: Type.Optional(name),
    agent_type: Type.Optional(AgentTypeWord()),
    timezone: Type.Optional(timezone),
    is_active: Type.Optional(isActive()),
    agent_config: Type.Optional(configInput('AgentConfigChanges', { withDefaults: false })),
  },
  {
    title: 'AgentChanges',
    examples: [{ agent_config: { welcome_message: 'Hello, this is the front desk. How can I help?' } }],
  },
)
export type AgentChanges = Static<typeof AgentChanges>

export const AgentFilter = Type.Object({
  ...CursorQuery,
  agent_type: Type.Optional(AgentTypeWord()),
  is_active: Type.Optional(isActive()),
  search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name' })),
})
export type AgentFilter = Static<typeof AgentFilter>
export const AgentPage = CursorPage(Agent)
export const AgentPath = Type.Object({ agent_id: Id })

export const ChatMessage = Type.Object(
  {
    message: Type.String({ minLength: 1, maxLength: 16_384, pattern: '\\S', examples: ['When are you open?'] }),
    session_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'Continues that conversation; omit it to start a new one',
        examples: ['01976f3e-6f0a-7c44-9a51-0d3f5a1b2c3d'],
      }),
    ),
  },
  { title: 'AgentChatMessage', examples: [{ message: 'When are you open?' }] },
)
export type ChatMessage = Static<typeof ChatMessage>

export const Sources = Type.Array(
  Type.Object({ document_id: Id, file_name: Type.String(), page: Nullable(Type.Integer()) }),
  { description: 'Documents available to the agent for this reply' },
)

export const UsedTokens = Type.Object({
  input_tokens: Type.Integer({ examples: [412] }),
  output_tokens: Type.Integer({ examples: [31] }),
  model: Type.String({ description: '`scripted` if no model was called', examples: ['gpt-5-mini'] }),
  own_key: Type.Optional(
    Type.Object(
      { input_tokens: Type.Integer({ examples: [412] }), output_tokens: Type.Integer({ examples: [31] }) },
      { description: 'The part of the tokens that the organization’s own account at the provider pays for' },
    ),
  ),
})

export const ChatAnswer = Type.Object(
  {
    session_id: Type.String({ examples: ['01976f3e-6f0a-7c44-9a51-0d3f5a1b2c3d'] }),
    agent_id: Id,
    agent_version: Type.Integer({ examples: [1] }),
    reply: Type.String({ examples: ['We are open from nine to five. (Source: hours.pdf, page 1)'] }),
    choices: Type.Array(Type.String(), {
      description: 'Answers to choose from: in chat buttons or a list',
      examples: [[]],
    }),
    action: Nullable(
      Type.Object(
        { type: OneOf(['handoff', 'end_call', 'transfer'] as const), reason: Type.String() },
        { description: 'The agent’s next action' },
      ),
    ),
    tool_calls: Type.Array(
      Type.Object({ name: Type.String(), arguments: FreeObject(), result: Type.String(), is_error: Type.Boolean() }),
    ),
    sources: Sources,
    usage: UsedTokens,
  },
  { title: 'AgentChatAnswer' },
)
export type ChatAnswer = Static<typeof ChatAnswer>

export const Voice = Type.Object(
  {
    id: Id,
    name: Type.String({ examples: ['Clara'] }),
    provider: Type.String({ examples: ['local'] }),
    language: Type.String({ examples: ['en-US'] }),
    provider_voice_id: Type.Optional(
      Type.String({
        description: 'The provider’s own id of the voice, for `voice_settings.provider_voice_id`',
        examples: ['slt'],
      }),
    ),
    description: Type.Optional(Nullable(Type.String({ examples: ['Warm and calm'] }))),
    preview_url: Type.Optional(
      Nullable(Type.String({ description: 'A recording of the voice, where the provider has one', examples: [null] })),
    ),
  },
  { title: 'Voice' },
)
export type Voice = Static<typeof Voice>

export const VoiceFilter = Type.Object({
  provider: Type.Optional(
    OneOf(voiceProviders, {
      examples: ['local'],
      description:
        'All voices of the account at this provider, in place of those with fixed ids. They are chosen by `provider` and `provider_voice_id`',
    }),
  ),
})
export type VoiceFilter = Static<typeof VoiceFilter>

export const VoiceList = Type.Object(
  {
    voices: Type.Array(Voice),
    providers: Type.Optional(
      Type.Array(Type.String(), {
        description: 'The providers that voices can be listed of',
        examples: [['local']],
      }),
    ),
  },
  { title: 'VoiceList' },
)
export type VoiceList = Static<typeof VoiceList>
