import Type from 'typebox'
import type { TenantSql } from '../../../platform/database.ts'
import { Id } from '../../../platform/schemas.ts'
import { type Fragment, joinSql, sql } from '../../../platform/sql.ts'
import { stageOf } from '../queries.ts'
import type { ListedContact } from '../schema.ts'
import type { ContactFilter } from './schema.ts'

/** What `handled_by` of a filter means at the moment. */
export interface ContactConditions extends Omit<ContactFilter, 'limit' | 'handled_by'> {
  /** Whether an agent answers in all open conversations of the contact. */
  attended?: boolean
  /** The channels that an agent answers, if not those of now. */
  answering?: readonly string[] | undefined
  /** No contact matches. */
  none?: true
}

export type PageConditions = ContactConditions & Pick<ContactFilter, 'limit'>

/** The channels that an agent answers now, read once per statement. */
const answering = sql`(select answering_channels(current_organization(), current_livemode()))::uuid[]`

const Answering = Type.Object({ channels: Type.Array(Id) })

export const findAnsweringChannels = async (tx: TenantSql): Promise<string[]> =>
  (await tx.one(Answering)`select ${answering} as channels`).channels

/** Who answers the contact now. The conditions are those of `unattended_contacts`, for a few contacts. */
export function handledBy({ isLimited }: TenantSql): Fragment {
  const isUnattended = isLimited
    ? sql`is_unattended(contacts.id, ${answering})`
    : sql`exists (select from tickets where tickets.contact_id = contacts.id and tickets.status = 'open'
        and coalesce(tickets.channel_id <> all (${answering}), true))`
  return sql`case when not contacts.ai_handling then 'person'
    when ${answering} = '{}' or ${isUnattended} then 'no_one' else 'ai' end as handled_by`
}

export function filterConditions(filter: ContactConditions): Fragment {
  const { stage, ai_handling, attended, none, opted_out, source_type, source_id } = filter
  const conditions: Fragment[] = []
  if (stage !== undefined) conditions.push(sql`stage = ${stageOf(stage)}`)
  if (ai_handling !== undefined) conditions.push(sql`ai_handling = ${ai_handling}`)
  if (opted_out !== undefined) conditions.push(opted_out ? sql`opted_out_at is not null` : sql`opted_out_at is null`)
  if (source_type !== undefined) conditions.push(sql`source_type = ${source_type}`)
  if (source_id !== undefined) conditions.push(sql`source_id = ${source_id}`)
  if (attended !== undefined) conditions.push(attended ? sql`not ${isUnattended(filter)}` : isUnattended(filter))
  if (none) conditions.push(sql`false`)
  return joinSql(conditions, ' and ', sql`true`)
}

/** A caller that gives the channels sees all tickets; `unattended_contacts` also serves members with limited access. */
const isUnattended = ({ answering: channels }: ContactConditions): Fragment =>
  channels === undefined
    ? sql`(contacts.id in (select unattended_contacts()))`
    : sql`exists (select from tickets t where t.contact_id = contacts.id and t.status = 'open' and t.ai_handling
        and coalesce(t.channel_id <> all (${channels}::uuid[]), true))`

/** The total without a tag. */
export function totalOf(filter: ContactConditions): Fragment {
  const { attended, source_type, source_id } = filter
  if (source_type !== undefined || source_id !== undefined || attended === false)
    return sql`select count(*) as total_count from contacts where ${filterConditions(filter)}`
  const all = sql`select coalesce(sum(n), 0)::bigint as total_count from contact_counts where ${counterConditions(filter)}`
  // Few contacts are not attended to; those are counted and taken off.
  return attended === undefined
    ? all
    : sql`select (${all}) - (${totalOf({ ...filter, attended: false })}) as total_count`
}

function counterConditions({ stage, ai_handling, opted_out }: ContactConditions): Fragment {
  const conditions: Fragment[] = []
  if (stage !== undefined) conditions.push(sql`stage = ${stageOf(stage)}`)
  if (ai_handling !== undefined) conditions.push(sql`ai_handling = ${ai_handling}`)
  if (opted_out !== undefined) conditions.push(sql`opted_out = ${opted_out}`)
  return joinSql(conditions, ' and ', sql`true`)
}

/** The filters as `search_contacts` and `sort_contacts` take them. */
export function jsonFilters({ stage, ...others }: ContactConditions): Record<string, unknown> {
  const filters: Record<string, unknown> = { ...(stage && { stage: stageOf(stage) }) }
  for (const name of ['ai_handling', 'attended', 'opted_out', 'tag', 'source_type', 'source_id'] as const)
    if (others[name] !== undefined) filters[name] = others[name]
  return filters
}

/** A row of a page with the total; its columns are null when the page is empty. */
export const ContactRow = Type.Unsafe<ListedContact & { total_count: number }>({})

/** The columns of a page, with those that the filter includes. */
export const listed = (tx: TenantSql, { include }: PageConditions, all: Fragment): Fragment =>
  include === undefined ? all : sql`${all}, ${handledBy(tx)}`
