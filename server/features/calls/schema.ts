import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../platform/http/pagination.ts'
import { exampleId, FreeObject, Id, Instant, largestInteger, Nullable, OneOf } from '../../platform/schemas.ts'
import { type CallEndedReason, endedReasons } from './ending/ended-reasons.ts'
import { Analysis, CostBreakdown, Latency } from './ending/schema.ts'
import { callStatuses } from './statuses.ts'
import { Transfer } from './transfers/schema.ts'

export const Status = OneOf(callStatuses, { examples: ['completed'] })

const EndedReason = Nullable(
  OneOf(Object.keys(endedReasons) as CallEndedReason[], {
    description: 'Why the call ended; null while it runs. The guide on calls explains each reason',
    examples: ['caller_hung_up'],
  }),
)

const directions = ['inbound', 'outbound'] as const
export const Direction = OneOf(directions, { examples: ['outbound'] })

export const Segment = Type.Object(
  {
    speaker: OneOf(['agent', 'caller'] as const),
    text: Type.String({
      description: 'For the agent, only what was actually played',
      examples: ['Hello, how can I help?'],
    }),
    timestamp: Type.Number({ description: 'Seconds since the start of the call', examples: [0.4] }),
    source: Type.Optional(
      OneOf(['recognised', 'scripted', 'keys'] as const, {
        description:
          'Whether the caller’s text was recognized from speech, comes from a simulated caller’s script, or is key presses',
      }),
    ),
    recognised_text: Type.Optional(Type.String()),
    scripted_text: Type.Optional(Type.String({ description: 'The line from the simulated caller’s script' })),
    interrupted: Type.Optional(Type.Literal(true, { description: 'The caller interrupted the agent here' })),
  },
  { title: 'TranscriptSegment' },
)
export type Segment = Static<typeof Segment>

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
      description: 'The carrier’s id of the call; empty until the carrier has accepted it',
      examples: ['CA2f1c3a9b0d4e5f60718293a4b5c6d7e8'],
    }),
    medium: OneOf(['phone', 'web'] as const),
    agent_id: Nullable(Id),
    agent_version: Nullable(Type.Integer({ description: 'Version of the agent that handled the call', examples: [3] })),
    chat_phone_number_id: Nullable({ ...Id, description: 'The channel' }),
    phone_number_id: Nullable(Type.String({ description: 'The carrier’s id of the channel’s number' })),
    contact_id: Nullable(Id),
    contact_name: Nullable(
      Type.String({
        description: 'The contact’s current name; null if the call has no contact',
        examples: ['Ines Duarte'],
      }),
    ),
    from_number: Type.String({ description: 'E.164; empty for a browser call', examples: ['+12025550100'] }),
    to_number: Type.String({ description: 'E.164; empty for a browser call', examples: ['+12025550142'] }),
    direction: Direction,
    status: Status,
    telephony_status: Type.String({
      description:
        '`queued`, `dialing`, then the carrier’s statuses: `initiated`, `ringing`, `in-progress`, `completed`, `busy`, `no-answer`, `failed`, `canceled`',
      examples: ['completed'],
    }),
    ended_reason: EndedReason,
    answered_by: Nullable(
      Type.String({
        description: 'Result of the carrier’s answering machine detection: `human`, `machine_start` …',
        examples: ['human'],
      }),
    ),
    duration_seconds: Type.Integer({
      description: 'Seconds of connected audio, rounded up',
      examples: [42],
    }),
    started_at: Instant,
    ended_at: Nullable(Instant),
    recording_url: Type.String({
      description: 'Where to download the recording with a credential; empty if there is none',
      examples: ['/api/v1/call-logs/01976f3e-6f0a-7c44-9a51-0d3f5a1b2c3d/recording'],
    }),
    transcript: Type.Array(Segment),
    summary: Type.String(),
    cost: Type.Number({ description: 'USD', examples: [0.031] }),
    cost_breakdown: Nullable(CostBreakdown),
    latency: Nullable(Latency),
    analysis: Nullable(Analysis),
    error: Nullable(CallError),
    transfer: Nullable(Transfer),
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
  description: 'Values for `{{name}}` in the agent’s greeting, prompt and rules',
  examples: [{ name: 'Ines' }],
})
const metadata = FreeObject({
  maxProperties: 100,
  description: 'Stored with the call. In test mode `caller_script`, a list of lines, is what the simulated person says',
  examples: [{ order: '1042' }],
})

export const NewCall = Type.Object(
  {
    agent_id: Id,
    to_number: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The number to call. Alternatively send a `contact_id`',
        examples: ['+12025550142'],
      }),
    ),
    contact_id: Type.Optional(Id),
    chat_phone_number_id: Type.Optional({
      ...Id,
      description: 'The channel that places the call; the oldest voice channel by default',
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
      Type.String({ description: 'Lets one socket join, once; null when the response is a replay' }),
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
  started_after: Type.Optional({ ...Instant, description: 'Started at or after this time' }),
  started_before: Type.Optional({ ...Instant, description: 'Started before this time' }),
})
export type CallFilter = Static<typeof CallFilter>
export const CallPage = CursorPage(Call)

export const CallPath = Type.Object({ call_id: Id })

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
    description: 'Return only entries after this number',
  }),
})
