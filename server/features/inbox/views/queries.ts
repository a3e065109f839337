import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { sql } from '../../../platform/sql.ts'
import { visibleTo } from '../owned.ts'
import { InboxView } from './schema.ts'

const columns = sql`id, organization_id, name, owner_id is null as shared, owner_id, filters, position, livemode, created_at,
  updated_at`

export const listViews = (tx: TenantSql, memberId: string | null) =>
  tx.all(InboxView)`select ${columns} from inbox_views where ${visibleTo(memberId)} order by position, id`

export const findView = (tx: TenantSql, memberId: string | null, id: string) =>
  tx.maybe(InboxView)`select ${columns} from inbox_views where id = ${id} and ${visibleTo(memberId)}`

export const lockView = (tx: TenantTx, memberId: string | null, id: string) =>
  tx.maybe(InboxView)`select ${columns} from inbox_views where id = ${id} and ${visibleTo(memberId)} for update`

const Totals = Type.Object({ n: Type.Integer(), next: Type.Integer() })

export const countViews = (tx: TenantTx, memberId: string | null) =>
  tx.one(Totals)`
    select count(*)::integer as n, coalesce(max(position) + 1, 0) as next from inbox_views where ${visibleTo(memberId)}`

interface Values extends Pick<InboxView, 'name' | 'filters' | 'position'> {
  ownerId: string | null
}

export const insertView = (tx: TenantTx, id: string, { name, filters, position, ownerId }: Values) =>
  tx.one(InboxView)`
    insert into inbox_views (id, name, filters, position, owner_id)
    values (${id}, ${name}, ${filters}, ${position}, ${ownerId})
    returning ${columns}`

export const updateViewRow = (tx: TenantTx, id: string, { name, filters, position, ownerId }: Values) =>
  tx.one(InboxView)`
    update inbox_views set name = ${name}, filters = ${filters}, position = ${position}, owner_id = ${ownerId},
      updated_at = now()
    where id = ${id}
    returning ${columns}`

export const deleteViewRow = (tx: TenantTx, id: string) => tx.run`delete from inbox_views where id = ${id}`
