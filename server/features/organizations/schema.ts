import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../platform/http/pagination.ts'
import { Id, Instant, Nullable, OneOf } from '../../platform/schemas.ts'

export const roles = ['owner', 'admin', 'member'] as const
export type Role = (typeof roles)[number]
export const Role = OneOf(roles, { description: 'What a person may do here' })

export const modes = ['test', 'live'] as const
export const Mode = OneOf(modes, { description: 'Test reaches simulated carriers only; live reaches real ones' })

/** Every scope and what it opens. `full_access` opens everything. */
export const scopes = {
  full_access: 'Unrestricted access to all workspace resources',
  'agents:read': 'List and fetch voice agent configurations',
  'agents:write': 'Create, update and delete voice agents',
  'calls:dispatch': 'Trigger outbound phone calls and real-time sessions',
  'calls:read': 'View call logs, metrics, recordings and transcripts',
  'campaigns:manage': 'Create and schedule campaigns, manage templates, list channels',
  'webhooks:admin': 'Manage webhook endpoints and signing secrets',
  'contacts:read': 'Read contacts, timelines, tasks and the dashboard',
  'contacts:write': 'Create, change and delete contacts, activities and tasks',
  'inbox:read': 'Read tickets and messages',
  'inbox:write': 'Answer customers and manage tickets',
  'knowledge:read': 'List, download and search documents',
  'knowledge:write': 'Upload and delete documents',
} as const
export type Scope = keyof typeof scopes
export const allScopes = Object.keys(scopes) as Scope[]
export const Scope = OneOf(allScopes as [Scope, ...Scope[]])

/** A member does the daily work; keys, webhooks, channels and people are for owners and admins. */
export const scopesOfRole: Record<Role, readonly Scope[]> = {
  owner: ['full_access'],
  admin: ['full_access'],
  member: allScopes.filter((scope) => scope !== 'full_access' && scope !== 'webhooks:admin'),
}

export const Key = Type.Object(
  {
    id: Id,
    organization_id: Id,
    name: Type.String({ examples: ['CRM sync'] }),
    mode: Mode,
    scopes: Type.Array(Scope),
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
    secret: Nullable(Type.String({ description: 'The whole key. Shown here and never again' })),
  },
  { title: 'KeyWithSecret' },
)

export const NewKey = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 255, pattern: '\\S', examples: ['CRM sync'] }),
    scopes: Type.Array(Scope, { minItems: 1, maxItems: allScopes.length }),
    mode: Mode,
    expires_at: Type.Optional(Instant),
  },
  { title: 'NewKey' },
)
export type NewKey = Static<typeof NewKey>

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
      description: 'How long the old secret still works beside the new one',
    }),
  },
  { title: 'KeyRoll', default: {} },
)
export type KeyRoll = Static<typeof KeyRoll>

export const Organization = Type.Object(
  { id: Id, name: Type.String({ examples: ['Acme Dental'] }), created_at: Instant, updated_at: Instant },
  { title: 'Organization' },
)
export type Organization = Static<typeof Organization>

export const OrganizationChanges = Type.Object(
  { name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: '\\S', examples: ['Acme Dental'] })) },
  { title: 'OrganizationChanges' },
)
export type OrganizationChanges = Static<typeof OrganizationChanges>

/** Where a person belongs, and as what. */
export const Membership = Type.Object({ id: Id, name: Type.String({ examples: ['Acme Dental'] }), role: Role })
export type Membership = Static<typeof Membership>

export const Me = Type.Object(
  {
    organization: Type.Object({ id: Id, name: Type.String({ examples: ['Acme Dental'] }) }),
    mode: Mode,
    livemode: Type.Boolean(),
    scopes: Type.Array(Scope),
    credential: OneOf(['key', 'person'] as const),
    key: Nullable(
      Type.Object({ id: Id, name: Type.String({ examples: ['CRM sync'] }), expires_at: Nullable(Instant) }),
    ),
    user: Nullable(
      Type.Object({ id: Id, email: Type.String(), name: Type.String({ examples: ['Ada Lovelace'] }), role: Role }),
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
