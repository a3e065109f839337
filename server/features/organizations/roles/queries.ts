import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { newId } from '../../../platform/ids.ts'
import { sql } from '../../../platform/sql.ts'
import { CustomRole, type NewRole } from './schema.ts'

const columns = sql`id, organization_id, name, scopes, created_at, updated_at,
  (select count(*)::integer from members where members.custom_role_id = roles.id) as members_count`

export const listRoles = (tx: TenantSql) => tx.all(CustomRole)`select ${columns} from roles order by lower(name)`

export const findRole = (tx: TenantSql, id: string) =>
  tx.maybe(CustomRole)`select ${columns} from roles where id = ${id}`

/** Until the transaction ends, the role is not deleted. */
export const keepRole = (tx: TenantTx, id: string) =>
  tx.maybe(CustomRole)`select ${columns} from roles where id = ${id} for key share`

/** Until the transaction ends, the role neither changes nor is given to another member. */
export const lockRole = (tx: TenantTx, id: string) =>
  tx.maybe(CustomRole)`select ${columns} from roles where id = ${id} for update`

const Count = Type.Object({ count: Type.Integer() })

export const countRoles = (tx: TenantTx) => tx.one(Count)`select count(*)::integer as count from roles`

export const countOpenInvitations = (tx: TenantTx, id: string) =>
  tx.one(Count)`select count(*)::integer as count from invitations where custom_role_id = ${id}`

export const insertRole = (tx: TenantTx, { name, scopes }: NewRole) =>
  tx.one(CustomRole)`
    insert into roles (id, name, scopes) values (${newId()}, ${name}, ${scopes}) returning ${columns}`

export const updateRoleRow = (tx: TenantTx, id: string, { name, scopes }: NewRole) =>
  tx.one(CustomRole)`
    update roles set name = ${name}, scopes = ${scopes}, updated_at = now() where id = ${id} returning ${columns}`

export const deleteRoleRow = (tx: TenantTx, id: string) => tx.run`delete from roles where id = ${id}`
