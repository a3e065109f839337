import { found } from '../../../platform/errors.ts'
import { anyScope, fullAccess } from '../../../platform/http/principal.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { Deleted, deleted } from '../../../platform/schemas.ts'
import { builtInRoles, scopesOfRole } from '../schema.ts'
import { createRole } from './create-role.ts'
import { deleteRole } from './delete-role.ts'
import { findRole, listRoles } from './queries.ts'
import { CustomRole, NewRole, RoleChanges, RoleList, RolePath } from './schema.ts'
import { updateRole } from './update-role.ts'

const tag = 'Roles'
const managing = { tag, scope: fullAccess, narrowerScope: 'members:manage' }

const builtIn = builtInRoles.map((role) => ({ role, scopes: [...scopesOfRole[role]] }))

export function roleRoutes(routes: Routes): void {
  routes.read({
    id: 'listRoles',
    method: 'GET',
    url: '/roles',
    tag,
    summary: 'List roles',
    description: 'The built-in roles and the custom roles of the organization, with what each allows.',
    scope: anyScope,
    response: RoleList,
    handler: async (sql) => ({ built_in: builtIn, data: await listRoles(sql) }),
  })

  routes.write({
    ...managing,
    id: 'createRole',
    method: 'POST',
    url: '/roles',
    summary: 'Create a role',
    description:
      'A custom role allows at most what you may do yourself. An organization can have 100. Test keys cannot manage roles.',
    body: NewRole,
    response: CustomRole,
    status: 201,
    errors: [409],
    handler: (tx, { body, principal }) => createRole(tx, principal, body),
  })

  routes.read({
    id: 'getRole',
    method: 'GET',
    url: '/roles/{role_id}',
    tag,
    summary: 'Get a custom role',
    scope: anyScope,
    params: RolePath,
    response: CustomRole,
    handler: async (sql, { params }) => found(await findRole(sql, params.role_id), 'Role'),
  })

  routes.write({
    ...managing,
    id: 'updateRole',
    method: 'PATCH',
    url: '/roles/{role_id}',
    summary: 'Update a role',
    description:
      'The change applies to every member with this role within five seconds. You need every permission that the role has before and after.',
    params: RolePath,
    body: RoleChanges,
    response: CustomRole,
    errors: [409],
    handler: (tx, { params, body, principal }) => updateRole(tx, principal, params.role_id, body),
  })

  routes.write({
    ...managing,
    id: 'deleteRole',
    method: 'DELETE',
    url: '/roles/{role_id}',
    summary: 'Delete a role',
    description: 'A role that members or open invitations have cannot be deleted; the message says how many.',
    params: RolePath,
    response: Deleted,
    errors: [409],
    handler: (tx, { params, principal }) => deleteRole(tx, principal, params.role_id).then(() => deleted('Role')),
  })
}
