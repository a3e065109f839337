import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { beforeEverything } from '../../../platform/http/pagination.ts'
import { Message } from '../schema.ts'
import type { FeedbackFilter } from './schema.ts'

const Rated = Type.Object({ actor_type: Message.properties.actor_type, feedback: Message.properties.feedback })

export const lockMessage = (tx: TenantTx, ticketId: string, id: string) =>
  tx.maybe(Rated)`
    select actor_type, feedback from messages where id = ${id} and ticket_id = ${ticketId} for no key update`

export const putFeedback = (tx: TenantTx, id: string, feedback: Message['feedback']) =>
  tx.run`
    update messages set feedback = ${feedback && JSON.stringify(feedback)}::jsonb, updated_at = now() where id = ${id}`

/** A row of a page with the total; its id is null when the page is empty. */
const RatedId = Type.Unsafe<{ id: string; total_count: number }>({})

export const listRatedIds = (
  tx: TenantSql,
  { rating, limit, starting_after: before = beforeEverything }: FeedbackFilter,
) =>
  tx.all(RatedId)`
    select page.id, total_count from
      (select count(*) as total_count from messages where feedback ->> 'rating' = ${rating} and feedback is not null) total
      left join lateral (
        select id from messages where feedback ->> 'rating' = ${rating} and feedback is not null and id < ${before}
        order by id desc limit ${limit + 1}
      ) page on true
    order by page.id desc`
