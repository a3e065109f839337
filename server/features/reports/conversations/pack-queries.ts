import Type, { type Static } from 'typebox'
import type { SystemTx } from '../../../platform/database.ts'
import { Id } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import { labelsOf, packed, startOfUtcDay, utcDay } from './queries.ts'

const StaleDay = Type.Object({ organization_id: Id, livemode: Type.Boolean(), day: Type.String() })
type StaleDay = Static<typeof StaleDay>

/** One worker packs: two that pack the same day would both add it. */
export const lockPacking = (tx: SystemTx) => tx.run`select pg_advisory_xact_lock(hashtextextended('reported days', 0))`

/** The days on which conversations of contacts ended whose tags changed. */
export const spreadStaleContacts = (tx: SystemTx) =>
  tx.run`
    with contact as (
      delete from stale_report_days where contact_id is not null returning organization_id, livemode, contact_id
    )
    insert into stale_report_days (organization_id, livemode, day)
    select distinct c.organization_id, c.livemode, ${utcDay(sql`c.ended_at`)} from contact
      join reported_conversations c on c.organization_id = contact.organization_id and c.livemode = contact.livemode
        and c.contact_id = contact.contact_id and c.ended_at is not null`

/** Conversations still end today, and late events end some of yesterday. */
export const findStaleDays = (tx: SystemTx, most: number) =>
  tx.all(StaleDay)`
    select organization_id, livemode, day::text from stale_report_days
    where day < ${utcDay(sql`now()`)} - 1 group by 1, 2, 3 order by 1, 2, 3 limit ${most}`

const given = (days: StaleDay[]) => sql`
  unnest(${days.map(({ organization_id }) => organization_id)}::uuid[], ${days.map(({ livemode }) => livemode)}::boolean[],
    ${days.map(({ day }) => day)}::date[]) d (organization_id, livemode, day)`

export const forgetStaleDays = (tx: SystemTx, days: StaleDay[]) =>
  tx.run`
    delete from stale_report_days s using ${given(days)}
    where s.organization_id = d.organization_id and s.livemode = d.livemode and s.day = d.day`

export async function replacePacked(tx: SystemTx, days: StaleDay[]): Promise<void> {
  await tx.run`
    delete from reported_days r using ${given(days)}
    where r.organization_id = d.organization_id and r.livemode = d.livemode and r.day = d.day`
  await tx.run`
    insert into reported_days (organization_id, livemode, day, place, channel_id, member_id, team_id, ticket_tags, tags,
      n, rows)
    select organization_id, livemode, day, row_number() over (partition by organization_id, livemode, day),
      channel_id, member_id, team_id, ticket_tags, tags, count(*), string_agg(packed, '' order by ticket_id, started_at)
    from (
      select d.organization_id, d.livemode, d.day, ${labelsOf}, c.ticket_id, c.started_at, ${packed} as packed
      from ${given(days)}
        join reported_conversations c on c.organization_id = d.organization_id and c.livemode = d.livemode
          and c.ended_at >= ${startOfUtcDay(sql`d.day`)} and c.ended_at < ${startOfUtcDay(sql`d.day + 1`)}
        left join contacts k on k.organization_id = c.organization_id and k.livemode = c.livemode and k.id = c.contact_id) c
    group by organization_id, livemode, day, channel_id, member_id, team_id, ticket_tags, tags`
}
