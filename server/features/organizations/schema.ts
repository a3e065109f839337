import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../platform/http/pagination.ts'
import { Id, Instant, Nullable, OneOf } from '../../platform/schemas.ts'

export const builtInRoles = ['owner', 'admin', 'supervisor', 'member', 'read_only'] as const
type BuiltInRole = (typeof builtInRoles)[number]

/** A built-in role, or the id of a custom one. */
export const Role = Type.String({
  minLength: 1,
  maxLength: 36,
  description: `What the member may do: ${builtInRoles.map((role) => `\`${role}\``).join(', ')}, or the id of a custom role`,
  examples: ['member'],
})
export type Role = Static<typeof Role>

export const modes = ['test', 'live'] as const
const Mode = OneOf(modes, { description: 'Test reaches simulated carriers only; live reaches real ones' })

/** Every scope and what it allows. `full_access` allows everything. */
const scopes = {
  full_access: 'Unrestricted access to all workspace resources',
  'agents:read': 'List and fetch voice agent configurations',
  'agents:write': 'Create, update and delete voice agents',
  'calls:dispatch': 'Trigger outbound phone calls and real-time sessions',
  'calls:read': 'View call logs, metrics, recordings and transcripts',
  'calls:listen': 'Listen to calls while they run',
  'campaigns:manage': 'Create and schedule campaigns, manage templates, list channels',
  'campaigns:read': 'Read campaigns, their reports, templates and channels',
  'webhooks:admin':
    'Manage webhook endpoints and signing secrets; a webhook receives only events that the key may read',
  'contacts:read': 'Read contacts, timelines, tasks and the dashboard',
  'contacts:write': 'Create, change and delete contacts, activities and tasks',
  'inbox:read': 'Read tickets and messages',
  'inbox:write': 'Answer customers and manage tickets',
  'knowledge:read': 'List, download and search documents',
  'knowledge:write': 'Upload and delete documents',
  'members:manage': 'Invite, change and remove members, and define roles, up to the permissions of the credential',
  'audit:read': 'Read and export the audit log',
} as const
export type Scope = keyof typeof scopes
export const allScopes = Object.keys(scopes) as Scope[]
export const Scope = OneOf(allScopes as [Scope, ...Scope[]])

const allBut = (...excluded: Scope[]) => allScopes.filter((scope) => !excluded.includes(scope))

/**
 * Members do the daily work; supervisors also manage members and read the audit log; keys, webhooks and channels are
 * managed by owners and admins. Only owners manage owners.
 */
export const scopesOfRole: Record<BuiltInRole, readonly Scope[]> = {
  owner: ['full_access'],
  admin: ['full_access'],
  supervisor: allBut('full_access', 'webhooks:admin'),
  member: allBut('full_access', 'webhooks:admin', 'members:manage', 'audit:read', 'campaigns:read', 'calls:listen'),
  read_only: allScopes.filter((scope) => scope.endsWith(':read') && scope !== 'audit:read'),
}

export const isBuiltIn = (role: Role): role is BuiltInRole => Object.hasOwn(scopesOfRole, role)

const allowedIps = {
  maxItems: 50,
  description:
    'IPv4 and IPv6 addresses and ranges (CIDR) that requests with this key may come from. Null or absent: any address',
  examples: [['203.0.113.7', '2001:db8::/48']],
}
const AllowedIp = Type.String({ maxLength: 49 })

export const Key = Type.Object(
  {
    id: Id,
    organization_id: Id,
    name: Type.String({ examples: ['CRM sync'] }),
    mode: Mode,
    scopes: Type.Array(Scope),
    allowed_ips: Nullable(Type.Array(AllowedIp, allowedIps)),
    prefix: Type.String({ examples: ['svc_sk_test_'] }),
    last_four: Type.String({ examples: ['x7Qp'] }),
    expires_at: Nullable(Instant),
    last_used_at: Nullable(Instant),
    revoked_at: Nullable(Instant),
    created_by: Nullable(Id),
    created_at: Instant,
  },
  { title: 'Key' },
)
export type Key = Static<typeof Key>

export const KeyWithSecret = Type.Object(
  {
    ...Key.properties,
    secret: Nullable(Type.String({ description: 'The full key. Shown only once' })),
  },
  { title: 'KeyWithSecret' },
)

export const NewKey = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 255, pattern: '\\S', examples: ['CRM sync'] }),
    scopes: Type.Array(Scope, { minItems: 1, maxItems: allScopes.length }),
    mode: Mode,
    expires_at: Type.Optional({ ...Instant, description: 'When the key expires; never by default' }),
    allowed_ips: Type.Optional(Type.Array(AllowedIp, { ...allowedIps, minItems: 1 })),
  },
  {
    title: 'NewKey',
    examples: [{ name: 'CRM sync', scopes: ['contacts:read', 'contacts:write'], mode: 'test' }],
  },
)
export type NewKey = Static<typeof NewKey>

export const KeyChanges = Type.Object(
  {
    name: Type.Optional(NewKey.properties.name),
    allowed_ips: Type.Optional(Nullable(Type.Array(AllowedIp, { ...allowedIps, minItems: 1 }))),
  },
  { title: 'KeyChanges', examples: [{ allowed_ips: ['203.0.113.7', '2001:db8::/48'] }] },
)
export type KeyChanges = Static<typeof KeyChanges>

export const KeyPath = Type.Object({ key_id: Id })
export const KeyFilter = Type.Object({ ...CursorQuery })
export type KeyFilter = Static<typeof KeyFilter>
export const KeyPage = CursorPage(Key)

export const KeyRoll = Type.Object(
  {
    overlap_seconds: Type.Integer({
      minimum: 0,
      maximum: 30 * 24 * 3600,
      default: 0,
      description: 'How long the old key continues to work beside the new one',
    }),
  },
  { title: 'KeyRoll', default: {} },
)
export type KeyRoll = Static<typeof KeyRoll>

const defaultCountry = Nullable(
  Type.String({
    pattern: '^[A-Z]{2}$',
    description:
      'Country of phone numbers without `+`, as two letters (ISO 3166-1). Null uses the setting `DEFAULT_COUNTRY`',
    examples: ['US'],
  }),
)

const organization = {
  id: Id,
  name: Type.String({ examples: ['Acme Dental'] }),
  requires_second_factor: Type.Boolean({
    description: 'Whether members need a second factor. Those without one can only set it up',
    examples: [false],
  }),
  time_zone: Type.String({
    description: 'IANA name; used for contacts whose time zone is unknown',
    examples: ['Europe/Berlin'],
  }),
  default_country: defaultCountry,
  created_at: Instant,
  updated_at: Instant,
}
export const OrganizationRow = Type.Object(organization)
export type OrganizationRow = Static<typeof OrganizationRow>

const usd = (description: string, example: number) => Type.Number({ description, examples: [example] })

const Limits = Type.Object(
  {
    requests_per_minute: Type.Integer({ description: 'Requests per minute and credential', examples: [6000] }),
    campaigns_per_minute: Type.Integer({
      description: 'Campaigns that a credential may create per minute',
      examples: [60],
    }),
    uploads_per_minute: Type.Integer({
      description: 'Documents that a credential may upload per minute',
      examples: [60],
    }),
    upload_bytes: Type.Integer({ description: 'Largest document, in bytes', examples: [26_214_400] }),
    import_bytes: Type.Integer({ description: 'Largest import file, in bytes', examples: [52_428_800] }),
    calls_at_once: Type.Integer({ description: 'Concurrent calls in each mode; further calls wait', examples: [20] }),
    event_days: Type.Integer({ description: 'Days that events and webhook deliveries are kept', examples: [30] }),
    recording_days: Nullable(
      Type.Integer({
        description: 'Days that recordings are kept; null if they are kept as long as their calls',
        examples: [null],
      }),
    ),
  },
  { title: 'Limits', description: 'Limits that the operator of this service has set for all organizations' },
)

const CallRates = Type.Object(
  {
    telephony_per_minute: usd('Per started minute of a phone call', 0.014),
    transcription_per_minute: usd('Per minute of speech recognition', 0.0077),
    voice_per_1000_characters: usd('Per thousand characters of speech synthesis', 0.015),
    llm_per_million_input_tokens: usd('Per million tokens that a model reads', 0.25),
    llm_per_million_output_tokens: usd('Per million tokens that a model writes', 2),
    speech_per_million_input_tokens: usd('Per million tokens of speech that a speech-to-speech model hears', 32),
    speech_per_million_output_tokens: usd('Per million tokens of speech that a speech-to-speech model speaks', 64),
  },
  { title: 'CallRates', description: 'Rates used to estimate call costs, in USD; set by the operator' },
)

const ChatApi = Type.Object(
  {
    asked: Type.String({ description: 'The setting `GRAPH_API_VERSION`', examples: ['v25.0'] }),
    served: Nullable(
      Type.String({
        description: 'The version of WhatsApp’s latest response; null before the first live request',
        examples: ['v25.0'],
      }),
    ),
    ends_on: Nullable(Type.String({ description: 'When that version ends', examples: ['2028-07-29'] })),
    warning: Nullable(
      Type.String({ description: 'What to do about it; set from 90 days before the end', examples: [null] }),
    ),
  },
  { title: 'ChatApi', description: 'The version of WhatsApp’s API that live channels use' },
)

export const Installation = { limits: Limits, call_rates: CallRates, chat_api: ChatApi }
export interface Installation {
  chat_api: Static<typeof ChatApi>
  limits: Static<typeof Limits>
  call_rates: Static<typeof CallRates>
}

export const Organization = Type.Object({ ...organization, ...Installation }, { title: 'Organization' })
export type Organization = Static<typeof Organization>

export const OrganizationChanges = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: '\\S', examples: ['Acme Dental'] })),
    requires_second_factor: Type.Optional(Type.Boolean({ description: 'Only owners can change it' })),
    time_zone: Type.Optional(Type.String({ maxLength: 64, description: 'IANA name', examples: ['Europe/Berlin'] })),
    default_country: Type.Optional(defaultCountry),
  },
  { title: 'OrganizationChanges', examples: [{ name: 'Acme Dental', default_country: 'US' }] },
)
export type OrganizationChanges = Static<typeof OrganizationChanges>

export const MyChanges = Type.Object(
  { name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: '\\S', examples: ['Ada Lovelace'] })) },
  { title: 'MyChanges' },
)
export type MyChanges = Static<typeof MyChanges>

/** An organization of a person, and their role in it. */
export const Membership = Type.Object({ id: Id, name: Type.String({ examples: ['Acme Dental'] }), role: Role })
export type Membership = Static<typeof Membership>

export const Me = Type.Object(
  {
    organization: Nullable(Type.Object({ id: Id, name: Type.String({ examples: ['Acme Dental'] }) })),
    mode: Mode,
    livemode: Type.Boolean(),
    scopes: Type.Array(Scope),
    credential: OneOf(['key', 'person'] as const),
    key: Nullable(
      Type.Object({ id: Id, name: Type.String({ examples: ['CRM sync'] }), expires_at: Nullable(Instant) }),
    ),
    user: Nullable(
      Type.Object({
        id: Id,
        email: Type.String(),
        name: Type.String({ examples: ['Ada Lovelace'] }),
        role: Nullable(Role),
        needs_second_factor: Type.Boolean({
          description:
            'The organization requires a second factor, which this person has not set up: other operations answer 403',
          examples: [false],
        }),
        has_password: Type.Boolean({
          description: 'Whether the person has set a password; without one they sign in by link',
          examples: [true],
        }),
        uses_single_sign_on: Type.Boolean({
          description: 'Signed in by an identity provider: password, passkeys and second factors are managed there',
          examples: [false],
        }),
      }),
    ),
    is_operator: Type.Boolean({ description: 'Whether the person operates this installation', examples: [false] }),
    operator_needs_second_factor: Type.Optional(
      Type.Boolean({
        description: 'This operator has to set up a second factor: operations of operators answer 403',
        examples: [false],
      }),
    ),
    is_suspended: Type.Optional(
      Type.Boolean({
        description:
          'The organization is suspended: `scopes` is empty, and only operations on your own account work. Its keys get 403 instead',
        examples: [false],
      }),
    ),
    organizations: Type.Array(
      Type.Object({ id: Id, name: Type.String({ examples: ['Acme Dental'] }), role: Nullable(Role) }),
      {
        description: 'Organizations that this credential may act in',
      },
    ),
  },
  { title: 'Me' },
)
export type Me = Static<typeof Me>
