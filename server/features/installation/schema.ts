import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../platform/http/pagination.ts'
import { FreeObject, Id, Instant, largestInteger, Nullable, OneOf } from '../../platform/schemas.ts'

const requestsPerMinute = Nullable(
  Type.Integer({
    minimum: 1,
    maximum: largestInteger,
    description: 'Requests per minute and credential; null for the setting `RATE_LIMIT_PER_MINUTE`',
    examples: [null],
  }),
)
const callsAtOnce = Nullable(
  Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description: 'Concurrent calls in each mode; null for the setting `CALLS_PER_ORGANIZATION`',
    examples: [null],
  }),
)

export const OperatedOrganization = Type.Object(
  {
    id: Id,
    name: Type.String({ examples: ['Acme Dental'] }),
    members_count: Type.Integer({ examples: [3] }),
    status: OneOf(['active', 'suspended'] as const),
    suspended_at: Nullable(Instant),
    suspended_reason: Nullable(Type.String({ examples: [null] })),
    requests_per_minute: requestsPerMinute,
    calls_at_once: callsAtOnce,
    created_at: Instant,
  },
  { title: 'OperatedOrganization' },
)
export type OperatedOrganization = Static<typeof OperatedOrganization>
export const OperatedOrganizationPage = CursorPage(OperatedOrganization)

export const OperatedOrganizationFilter = Type.Object({
  ...CursorQuery,
  search: Type.Optional(Type.String({ maxLength: 255, description: 'Part of the name, or the id' })),
  status: Type.Optional(OneOf(['active', 'suspended'] as const)),
})
export type OperatedOrganizationFilter = Static<typeof OperatedOrganizationFilter>

export const OrganizationPath = Type.Object({ organization_id: Id })

export const OrganizationLimits = Type.Object(
  { requests_per_minute: Type.Optional(requestsPerMinute), calls_at_once: Type.Optional(callsAtOnce) },
  { title: 'OrganizationLimits', examples: [{ requests_per_minute: 600, calls_at_once: 5 }] },
)
export type OrganizationLimits = Static<typeof OrganizationLimits>

export const Suspension = Type.Object(
  { reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', examples: ['Unpaid invoice'] }) },
  { title: 'Suspension' },
)

export const OperatorAction = Type.Object(
  {
    id: Id,
    organization_id: Nullable({ ...Id, description: 'Null for the installation itself' }),
    organization_name: Nullable(Type.String({ description: 'The name at that time', examples: ['Acme Dental'] })),
    action: Type.String({ examples: ['organization.updated'] }),
    actor_id: Nullable(Id),
    actor_name: Nullable(Type.String({ description: 'The name at that time', examples: ['Olga Operator'] })),
    object_type: Type.String({ examples: ['organization'] }),
    object_id: Nullable(Id),
    object_name: Nullable(Type.String({ examples: ['Acme Dental'] })),
    previous: Nullable(FreeObject({ description: 'The changed fields before' })),
    current: Nullable(FreeObject({ description: 'The changed fields after' })),
    ip_address: Nullable(Type.String({ examples: ['203.0.113.7'] })),
    request_id: Nullable(Type.String({ description: 'The `X-Request-Id` of the response' })),
    created_at: Instant,
  },
  { title: 'OperatorAction' },
)
export type OperatorAction = Static<typeof OperatorAction>
export const OperatorActionPage = CursorPage(OperatorAction)

export const OperatorActionFilter = Type.Object({
  ...CursorQuery,
  organization_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'Actions on this organization', fillIn: 'an organization' }),
  ),
})
export type OperatorActionFilter = Static<typeof OperatorActionFilter>

export const UsageFilter = Type.Object({
  mode: OneOf(['test', 'live'] as const, { default: 'live', description: 'Mode to count' }),
  months: Type.Integer({ minimum: 1, maximum: 24, default: 6, description: 'Number of months, with the current one' }),
})
export type UsageFilter = Static<typeof UsageFilter>

export const MonthOfUsage = Type.Object(
  {
    month: Type.String({ description: 'Calendar month in UTC', examples: ['2026-11'] }),
    messages_received: Type.Integer(),
    messages_sent: Type.Integer({ description: 'Replies, agents’ answers and campaign messages' }),
    calls: Type.Integer(),
    call_minutes: Type.Number({ description: 'Connected audio', examples: [12.5] }),
    call_cost: Type.Number({ description: 'Estimated, in USD', examples: [1.25] }),
    call_own_key_cost: Type.Optional(
      Type.Number({
        description: 'The part of `call_cost` that the organization’s own provider keys pay',
        examples: [0],
      }),
    ),
    call_input_tokens: Type.Integer(),
    call_output_tokens: Type.Integer(),
    chat_input_tokens: Type.Integer({
      description: 'Of agents’ answers in chats, trials, drafts and analyses of closed tickets',
    }),
    chat_output_tokens: Type.Integer(),
    chat_own_key_input_tokens: Type.Optional(
      Type.Integer({ description: 'The part of `chat_input_tokens` that the organization’s own provider keys pay' }),
    ),
    chat_own_key_output_tokens: Type.Optional(Type.Integer()),
    chat_cost: Type.Optional(
      Type.Number({ description: 'Of the chat tokens, estimated, in USD, at today’s rates', examples: [0.42] }),
    ),
    chat_own_key_cost: Type.Optional(
      Type.Number({
        description: 'The part of `chat_cost` that the organization’s own provider keys pay',
        examples: [0],
      }),
    ),
  },
  { title: 'MonthOfUsage' },
)
export type MonthOfUsage = Static<typeof MonthOfUsage>

export const Usage = Type.Object(
  { mode: OneOf(['test', 'live'] as const), data: Type.Array(MonthOfUsage, { description: 'The newest month first' }) },
  { title: 'Usage' },
)

export const WorkQueue = Type.Object(
  {
    name: Type.String({ examples: ['inbound webhooks'] }),
    waiting: Type.Integer({ description: 'Due and not started' }),
    active: Type.Integer(),
    failed: Type.Integer(),
    oldest_seconds: Nullable(Type.Integer({ description: 'How long the oldest has been due', examples: [2] })),
  },
  { title: 'WorkQueue' },
)

export const InstallationState = Type.Object(
  {
    version: Type.String({ examples: ['1.0.0'] }),
    is_healthy: Type.Boolean(),
    checks: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'As `/readyz` of the node that answered',
      examples: [{ database: 'ok', migrations: 'ok', queue: 'ok', disk: 'ok' }],
    }),
    organizations_count: Type.Integer(),
    suspended_count: Type.Integer(),
    queues: Type.Array(WorkQueue),
  },
  { title: 'InstallationState' },
)

export const StuckJob = Type.Object(
  {
    id: Id,
    name: Type.String({ examples: ['contacts.import'] }),
    state: OneOf(['failed', 'waiting', 'running'] as const),
    organization_id: Nullable(Id),
    attempts: Type.Integer(),
    error: Nullable(Type.String({ examples: ['connect ECONNREFUSED'] })),
    created_at: Instant,
  },
  { title: 'StuckJob' },
)

export const StuckJobs = Type.Object({ data: Type.Array(StuckJob) }, { title: 'StuckJobs' })
export const JobPath = Type.Object({ job_id: Id })
