import Type, { type Static } from 'typebox'
import { Id, Instant, OneOf } from '../../../platform/schemas.ts'
import { allScopes, type Scope } from '../schema.ts'

/** Full access is what makes an admin: a custom role holds named permissions only. */
const permissions = allScopes.filter((scope) => scope !== 'full_access')
const Permissions = Type.Array(OneOf(permissions as [Scope, ...Scope[]]), {
  minItems: 1,
  maxItems: permissions.length,
  description: 'What the role allows',
})
const name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: ['Night shift'] })

export const CustomRole = Type.Object(
  {
    id: Id,
    organization_id: Id,
    name,
    scopes: Permissions,
    members_count: Type.Integer({ description: 'Members with this role' }),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'CustomRole' },
)
export type CustomRole = Static<typeof CustomRole>

const BuiltInRole = Type.Object(
  {
    role: Type.String({ description: 'The value of `role` in members and invitations', examples: ['supervisor'] }),
    scopes: Type.Array(OneOf(allScopes as [Scope, ...Scope[]])),
  },
  { title: 'BuiltInRole' },
)

export const RoleList = Type.Object(
  { built_in: Type.Array(BuiltInRole), data: Type.Array(CustomRole, { description: 'The custom roles, by name' }) },
  { title: 'RoleList' },
)

export const NewRole = Type.Object(
  { name, scopes: Permissions },
  { title: 'NewRole', examples: [{ name: 'Night shift', scopes: ['inbox:read', 'inbox:write', 'contacts:read'] }] },
)
export type NewRole = Static<typeof NewRole>

export const RoleChanges = Type.Partial(NewRole, { title: 'RoleChanges', examples: [{ name: 'Weekend shift' }] })
export type RoleChanges = Static<typeof RoleChanges>

export const RolePath = Type.Object({ role_id: Id })
