import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { readCursorPage } from '../../../platform/http/pagination.ts'
import type { Actor } from '../../../platform/http/principal.ts'
import { sql } from '../../../platform/sql.ts'
import type { MessageError } from '../messages/schema.ts'
import type { NewMessage } from '../sending/schema.ts'
import { ScheduledMessage, type ScheduledMessageFilter } from './schema.ts'

/** Events name the contact, by which an erasure finds them. */
const columns = sql`id, organization_id, ticket_id as inbox_id,
  (select contact_id from tickets where tickets.id = scheduled_messages.ticket_id) as contact_id, message, send_at, status, error, message_id, actor_type,
  actor_id, livemode, created_at, updated_at`

export const findScheduled = (tx: TenantSql, id: string) =>
  tx.maybe(ScheduledMessage)`select ${columns} from scheduled_messages where id = ${id}`

export const lockScheduled = (tx: TenantTx, id: string) =>
  tx.maybe(ScheduledMessage)`select ${columns} from scheduled_messages where id = ${id} for update`

const Due = Type.Object({ is_due: Type.Boolean() })

/** By the database's clock, which also starts the job. A job of a message that was moved comes too early. */
export const isDue = (tx: TenantSql, id: string) =>
  tx.maybe(Due)`
    select send_at <= now() + interval '1 second' as is_due from scheduled_messages where id = ${id} and status = 'scheduled'`

export function listScheduled(tx: TenantSql, ticketId: string, { status, ...page }: ScheduledMessageFilter) {
  const where = sql`ticket_id = ${ticketId} and ${status === undefined ? sql`true` : sql`status = ${status}`}`
  return readCursorPage<ScheduledMessage>(tx, { columns, from: sql`scheduled_messages`, where }, page)
}

interface NewRow {
  id: string
  ticketId: string
  message: NewMessage
  /** A time, or seconds from now by the database's clock. */
  at: { sendAt: string } | { delaySeconds: number }
  actor: Actor
}

export const insertScheduled = (tx: TenantTx, { id, ticketId, message, at, actor }: NewRow) =>
  tx.one(ScheduledMessage)`
    insert into scheduled_messages (id, ticket_id, message, send_at, actor_type, actor_id)
    values (${id}, ${ticketId}, ${message}, ${'sendAt' in at ? sql`${at.sendAt}` : sql`now() + make_interval(secs => ${at.delaySeconds}::integer)`},
      ${actor.type}, ${actor.id})
    returning ${columns}`

export const changeScheduled = (tx: TenantTx, { id, message, send_at, status }: ScheduledMessage) =>
  tx.one(ScheduledMessage)`
    update scheduled_messages set message = ${message}, send_at = ${send_at}, status = ${status}, updated_at = now()
    where id = ${id}
    returning ${columns}`

/** Due at once, by the database's clock. */
export const scheduleAgain = (tx: TenantTx, id: string) =>
  tx.one(ScheduledMessage)`
    update scheduled_messages set status = 'scheduled', send_at = now(), error = null, updated_at = now()
    where id = ${id}
    returning ${columns}`

const isUnchanged = ({ id, send_at, inbox_id }: ScheduledMessage) => sql`
  id = ${id} and status = 'scheduled' and send_at = ${send_at} and ticket_id = ${inbox_id}`

/** No row if it was cancelled, moved or sent since, or is in another ticket after a merge. */
export const markSent = (tx: TenantTx, scheduled: ScheduledMessage, messageId: string) =>
  tx.maybe(ScheduledMessage)`
    update scheduled_messages set status = 'sent', message_id = ${messageId}, updated_at = now()
    where ${isUnchanged(scheduled)}
    returning ${columns}`

export const markFailed = (tx: TenantTx, scheduled: ScheduledMessage, error: MessageError) =>
  tx.maybe(ScheduledMessage)`
    update scheduled_messages set status = 'failed', error = ${error}, updated_at = now()
    where ${isUnchanged(scheduled)}
    returning ${columns}`

/** Those that are still to be sent stay. */
export const deleteOldScheduled = (tx: TenantTx, oldestKept: string, batchSize: number) =>
  tx.run`
    delete from scheduled_messages where id = any(array(
      select id from scheduled_messages where id < ${oldestKept} and status <> 'scheduled' order by id limit ${batchSize}))`
