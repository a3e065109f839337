import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { readCursorPage } from '../../../platform/http/pagination.ts'
import { sql } from '../../../platform/sql.ts'
import { Message } from '../messages/schema.ts'
import type { FeedbackFilter } from './schema.ts'

const Rated = Type.Object({ actor_type: Message.properties.actor_type, feedback: Message.properties.feedback })

export const lockMessage = (tx: TenantTx, ticketId: string, id: string) =>
  tx.maybe(Rated)`
    select actor_type, feedback from messages where id = ${id} and ticket_id = ${ticketId} for no key update`

export const putFeedback = (tx: TenantTx, id: string, feedback: Message['feedback']) =>
  tx.run`
    update messages set feedback = ${feedback && JSON.stringify(feedback)}::jsonb, updated_at = now() where id = ${id}`

export const listRatedIds = (tx: TenantSql, { rating, ...page }: FeedbackFilter) => {
  const where = sql`feedback ->> 'rating' = ${rating} and feedback is not null`
  return readCursorPage(tx, { columns: sql`id`, from: sql`messages`, where }, page)
}
