import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../platform/http/pagination.ts'
import { exampleId, FreeObject, Id, Instant, largestInteger, Nullable, OneOf } from '../../platform/schemas.ts'
import { type CallEndedReason, endedReasons } from './ended-reasons.ts'
import { callStatuses } from './statuses.ts'

const Status = OneOf(callStatuses, { examples: ['completed'] })

const EndedReason = Nullable(
  OneOf(Object.keys(endedReasons) as CallEndedReason[], {
    description: 'Why it ended; null while it runs. The guide on calls lists what each reason means',
    examples: ['caller_hung_up'],
  }),
)

const directions = ['inbound', 'outbound'] as const
const Direction = OneOf(directions, { examples: ['outbound'] })

export const Segment = Type.Object(
  {
    speaker: OneOf(['agent', 'caller'] as const),
    text: Type.String({
      description: 'Of the agent, only what was really played',
      examples: ['Hello, how can I help?'],
    }),
    timestamp: Type.Number({ description: 'Seconds from the start', examples: [0.4] }),
    source: Type.Optional(
      OneOf(['recognised', 'scripted', 'keys'] as const, {
        description: 'Whether the caller’s words were recognised, come from a simulated caller’s script, or were keys',
      }),
    ),
    recognised_text: Type.Optional(Type.String()),
    scripted_text: Type.Optional(Type.String({ description: 'What a simulated caller was to say' })),
    interrupted: Type.Optional(Type.Literal(true, { description: 'The agent was cut off here' })),
  },
  { title: 'TranscriptSegment' },
)
export type Segment = Static<typeof Segment>

const money = (description: string) => Type.Number({ description, examples: [0.014] })
export const CostBreakdown = Type.Object(
  {
    telephony: money('For the minutes at the carrier, each one that began'),
    transcription: money('For the speech that was turned into text'),
    voice: money('For the text that was spoken'),
    llm: money('For the tokens of the language model'),
  },
  { title: 'CostBreakdown', description: 'In USD, by the rates of the installation’s settings' },
)
export type CostBreakdown = Static<typeof CostBreakdown>

const Stage = Type.Object({ p50: Type.Integer(), p95: Type.Integer(), max: Type.Integer() }, { title: 'StageLatency' })
const Turn = Type.Object(
  {
    at: Type.Number({ description: 'When the caller stopped speaking, in seconds from the start', examples: [3.4] }),
    endpointing: Type.Integer(),
    transcription: Type.Integer(),
    llm: Type.Integer(),
    voice: Type.Integer(),
    total: Type.Integer({ examples: [820] }),
  },
  { title: 'TurnLatency' },
)
export const Latency = Type.Object(
  {
    turns: Type.Integer({ description: 'Over how many turns', examples: [4] }),
    endpointing: Stage,
    transcription: Stage,
    llm: Stage,
    voice: Stage,
    total: Stage,
    by_turn: Type.Optional(Type.Array(Turn, { description: 'Each turn by itself, in order' })),
  },
  {
    title: 'CallLatency',
    description:
      'Milliseconds by stage: `endpointing` until it was sure that the caller had finished, `transcription` from there to the text, `llm` from there to the model’s first words, `voice` from its first sentence to the first audio; `total` from the end of the caller’s speech to the first audio',
  },
)
export type Latency = Static<typeof Latency>

export const Analysis = Type.Object(
  {
    outcome: OneOf(['answered', 'voicemail', 'handed_off', 'transferred', 'not_reached', 'failed'] as const),
    turns: Type.Object({ caller: Type.Integer(), agent: Type.Integer() }),
    words: Type.Object({ caller: Type.Integer(), agent: Type.Integer() }),
    interruptions: Type.Integer({ description: 'How often the caller cut the agent short' }),
    handoff_reason: Nullable(Type.String()),
    failures: Type.Array(Type.Object({ stage: Type.String(), message: Type.String(), at: Type.Number() }), {
      description: 'Stages that failed during the call, and when',
    }),
    tool_calls: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.String({ examples: ['find_order'] }),
          arguments: FreeObject(),
          result: Type.String({ description: 'What came back, its first 2,000 characters' }),
          is_error: Type.Boolean(),
          at: Type.Number({ description: 'When it was called, in seconds from the start' }),
        }),
        { description: 'The tools that the agent used, in order' },
      ),
    ),
    summary_by: Nullable(Type.String({ description: 'The model that wrote the summary', examples: ['gpt-5-mini'] })),
  },
  { title: 'CallAnalysis' },
)
export type Analysis = Static<typeof Analysis>

export const CallError = Type.Object(
  { code: Type.String({ examples: ['21211'] }), message: Type.String() },
  { title: 'CallError' },
)
export type CallError = Static<typeof CallError>

export const Call = Type.Object(
  {
    id: Id,
    organization_id: Id,
    call_id: Type.String({
      description: 'The carrier’s id of the call; empty until the carrier has taken it',
      examples: ['CA2f1c3a9b0d4e5f60718293a4b5c6d7e8'],
    }),
    medium: OneOf(['phone', 'web'] as const),
    agent_id: Nullable(Id),
    agent_version: Nullable(Type.Integer({ description: 'The version of the agent that talked', examples: [3] })),
    chat_phone_number_id: Nullable({ ...Id, description: 'The channel' }),
    phone_number_id: Nullable(Type.String({ description: 'Id of the channel’s number at the carrier' })),
    contact_id: Nullable(Id),
    contact_name: Nullable(
      Type.String({ description: 'What the contact is called now; null without one', examples: ['Ines Duarte'] }),
    ),
    from_number: Type.String({ description: 'E.164; empty for a call from a browser', examples: ['+12025550100'] }),
    to_number: Type.String({ description: 'E.164; empty for a call from a browser', examples: ['+12025550142'] }),
    direction: Direction,
    status: Status,
    telephony_status: Type.String({
      description:
        '`queued`, `dialing`, then the carrier’s own words: `initiated`, `ringing`, `in-progress`, `completed`, `busy`, `no-answer`, `failed`, `canceled`',
      examples: ['completed'],
    }),
    ended_reason: EndedReason,
    answered_by: Nullable(
      Type.String({
        description: 'What the carrier’s detection found: `human`, `machine_start` …',
        examples: ['human'],
      }),
    ),
    duration_seconds: Type.Integer({
      description: 'How long audio was connected, each second that began',
      examples: [42],
    }),
    started_at: Instant,
    ended_at: Nullable(Instant),
    recording_url: Type.String({
      description: 'Where the recording can be fetched with a credential; empty when there is none',
      examples: ['/api/v1/call-logs/01976f3e-6f0a-7c44-9a51-0d3f5a1b2c3d/recording'],
    }),
    transcript: Type.Array(Segment),
    summary: Type.String(),
    cost: Type.Number({ description: 'USD', examples: [0.031] }),
    cost_breakdown: Nullable(CostBreakdown),
    latency: Nullable(Latency),
    analysis: Nullable(Analysis),
    error: Nullable(CallError),
    variables: FreeObject(),
    metadata: FreeObject(),
    livemode: Type.Boolean(),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Call' },
)
export type Call = Static<typeof Call>

const variables = FreeObject({
  maxProperties: 100,
  description: 'Fill `{{name}}` in the agent’s greeting, prompt and rules',
  examples: [{ name: 'Ines' }],
})
const metadata = FreeObject({
  maxProperties: 100,
  description: 'Kept with the call. In test mode `caller_script`, a list of lines, is what the simulated person says',
  examples: [{ order: '1042' }],
})

export const NewCall = Type.Object(
  {
    agent_id: Id,
    to_number: Type.Optional(
      Type.String({ maxLength: 64, description: 'Whom to call; or a `contact_id`', examples: ['+12025550142'] }),
    ),
    contact_id: Type.Optional(Id),
    chat_phone_number_id: Type.Optional({
      ...Id,
      description: 'The channel that calls: the oldest with voice unless said otherwise',
    }),
    variables: Type.Optional(variables),
    metadata: Type.Optional(metadata),
  },
  {
    title: 'NewCall',
    examples: [
      {
        agent_id: exampleId('agent_id'),
        to_number: '+12025550142',
        variables: { name: 'Ines' },
        metadata: { order: '1042' },
      },
    ],
  },
)
export type NewCall = Static<typeof NewCall>

export const NewWebCall = Type.Object(
  { agent_id: Id, variables: Type.Optional(variables), metadata: Type.Optional(metadata) },
  { title: 'NewWebCall' },
)
export type NewWebCall = Static<typeof NewWebCall>

export const WebCall = Type.Object(
  {
    id: Id,
    call_id: Type.String({ examples: ['WC2f1c3a9b0d4e5f60718293a4b5c6d7e8'] }),
    access_token: Nullable(
      Type.String({ description: 'Lets one socket join, once; null when the answer is a replay' }),
    ),
    ws_url: Type.String({ examples: ['wss://desk.example.com/api/v1/calls/web/01976f3e-6f0a-7c44-9a51-0d3f5a1b2c3d'] }),
    expires_at: Instant,
  },
  { title: 'WebCall' },
)

export const CallFilter = Type.Object({
  ...CursorQuery,
  status: Type.Optional(Status),
  direction: Type.Optional(Direction),
  agent_id: Type.Optional(Id),
  contact_id: Type.Optional(Id),
  started_after: Type.Optional({ ...Instant, description: 'This time or later' }),
  started_before: Type.Optional({ ...Instant, description: 'Before this time' }),
})
export type CallFilter = Static<typeof CallFilter>
export const CallPage = CursorPage(Call)

export const CallLogFilter = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 2 ** 24, default: 1 }),
  page_size: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  direction: Type.Optional(Direction),
  status: Type.Optional(Status),
  agent_id: Type.Optional(Id),
  started_after: Type.Optional({ ...Instant, description: 'This time or later' }),
  started_before: Type.Optional({ ...Instant, description: 'Before this time' }),
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Part of a number, however punctuated, or of `call_id`. Where no call has it: numbers with one digit wrong, missing, too many or swapped, with or without the country code; else what is similar',
    }),
  ),
})
export type CallLogFilter = Static<typeof CallLogFilter>
export const CallLogPage = Type.Object({
  total: Type.Integer({ examples: [1] }),
  page: Type.Integer({ examples: [1] }),
  page_size: Type.Integer({ examples: [20] }),
  items: Type.Array(Call),
})

export const CallPath = Type.Object({ call_id: Id })
export const CallLogPath = Type.Object({ call_log_id: Id })

export const LiveTranscript = Type.Object(
  {
    status: Status,
    telephony_status: Type.String({ examples: ['in-progress'] }),
    ended_reason: EndedReason,
    segments: Type.Array(Type.Object({ number: Type.Integer(), segment: Segment })),
  },
  { title: 'LiveTranscript' },
)
export const LiveTranscriptQuery = Type.Object({
  after: Type.Integer({
    minimum: -1,
    maximum: largestInteger,
    default: -1,
    description: 'Only what comes behind this number',
  }),
})
