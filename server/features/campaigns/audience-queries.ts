import Type from 'typebox'
import zonesByPrefix from '../../platform/country-zones.json' with { type: 'json' }
import type { TenantSql, TenantTx } from '../../platform/database.ts'
import { lowestId } from '../../platform/ids.ts'
import { Nullable } from '../../platform/schemas.ts'
import { type Fragment, joinSql, sql } from '../../platform/sql.ts'
import type { Filling } from '../templates/content/slots.ts'
import type { ContactPiece, Piece } from '../templates/content/values.ts'
import type { Preflight } from './preflight-schema.ts'
import type { Campaign, SendingTimes } from './schema.ts'

export type Audience = Pick<Campaign, 'audience_type' | 'audience_tags' | 'audience_contact_ids'>

/** Contacts that tell where an audience is. */
const zoneSample = 1_000

/** Distinct contact ids in ascending order, greater than `after`. */
function contactsOf(audience: Audience, { after, limit }: { after: string | null; limit: number }): Fragment {
  const from = after ?? lowestId
  const { audience_tags, audience_contact_ids } = audience
  switch (audience.audience_type) {
    case 'all':
      return sql`select id from contacts where id > ${from} order by id limit ${limit}`
    case 'tags':
      // The lowest ids of the union are among the lowest ids of each tag, so each tag is read up to `limit` only.
      return sql`
        select distinct tagged.id from unnest(${audience_tags ?? []}::text[]) wanted (tag) cross join lateral (
          select contact_id as id from contact_tags where tag = wanted.tag and contact_id > ${from}
          order by contact_id limit ${limit}
        ) tagged
        order by tagged.id limit ${limit}`
    case 'manual':
      return sql`
        select distinct id from unnest(${audience_contact_ids ?? []}::uuid[]) named (id) where id > ${from}
        order by id limit ${limit}`
  }
}

const Counted = Type.Object({ n: Type.Integer() })

/** Number of contacts in the audience, counted up to `most`. */
export const countAudience = (tx: TenantSql, audience: Audience, most: number) =>
  tx.one(Counted)`select count(*)::integer as n from (${contactsOf(audience, { after: null, limit: most })}) audience`

const Missing = Type.Object({ id: Type.String() })

/** Ids without a contact. */
export const findUnknownContacts = (tx: TenantSql, ids: string[]) =>
  tx.all(Missing)`
    select distinct named.id from unnest(${ids}::uuid[]) named (id)
    where not exists (select from contacts where contacts.id = named.id) order by named.id`

const pieceSqlOf = (piece: Piece): Fragment => {
  if ('text' in piece) return sql`${piece.text}::text`
  return piece.otherwise === undefined ? memberOf(piece) : sql`coalesce(${memberOf(piece)}, ${piece.otherwise}::text)`
}

const memberOf = (piece: ContactPiece): Fragment => {
  if ('customField' in piece) return sql`fillable_member(contacts.custom_fields, ${piece.customField})`
  switch (piece.field) {
    case 'name':
      return sql`fillable(contacts.name)`
    case 'first_name':
      return sql`coalesce(fillable(contacts.first_name), split_part(fillable(contacts.name), ' ', 1))`
    case 'phone_number':
      return sql`fillable(contacts.phone_number)`
  }
}

/** The value of one variable. If any part is missing the whole value is null. */
const valueSqlOf = ({ pieces }: Filling): Fragment =>
  pieces.length === 0 ? sql`null::text` : sql`fillable(${joinSql(pieces.map(pieceSqlOf), ' || ')})`

/** What a message of the template needs from a contact. */
export interface Wording {
  fillings: Filling[]
  /** Marketing is not sent to contacts that have opted out. */
  isMarketing: boolean
  /** One-time passwords are sent to numbers only, not to chat accounts. */
  needsNumber: boolean
}

/** The values of a contact by variable name, null where one is missing, and the names of the missing ones. */
const filledOf = ({ fillings }: Wording): Fragment => {
  const keys = sql`${fillings.map(({ key }) => key)}::text[]`
  // `offset 0` keeps the planner from inlining the subquery, which would compute the values once per use.
  return sql`
    select jsonb_object(${keys}, made.list) as variables, case when array_position(made.list, null) is not null then (
      select string_agg(key, ', ' order by position) from unnest(${keys}, made.list) with ordinality each (key, value, position)
      where value is null) end as missing
    from (select array[${joinSql(fillings.map(valueSqlOf), ', ')}]::text[] as list offset 0) made offset 0`
}

const faultOf = ({ isMarketing, needsNumber }: Wording): Fragment => sql`case
  when contacts.phone_number = '' and (contacts.whatsapp_user_id is null or ${needsNumber}) then 'no_address'
  when contacts.blocked_at is not null then 'blocked'
  when ${isMarketing} and contacts.opted_out_at is not null then 'opted_out'
  when filled.missing is not null then 'missing_variable' end`

/** The recipient's time zone, if it is known: their own, or that of a country with a single one. */
const knownZoneSql = (): Fragment => {
  const byPrefix = (length: number) => sql`${zonesByPrefix}::jsonb ->> left(contacts.phone_number, ${length})`
  return sql`coalesce(known_time_zone(contacts.time_zone), ${byPrefix(5)}, ${byPrefix(4)}, ${byPrefix(3)}, ${byPrefix(2)})`
}

/** The zone to send by. The organization's row is read once per statement. */
const zoneSql = (): Fragment => sql`coalesce(${knownZoneSql()},
  (select known_time_zone(o.time_zone) from organizations o where o.id = current_organization()), 'UTC')`

const quietHours = ({ quiet_hours }: SendingTimes): Fragment =>
  sql`${quiet_hours?.from ?? null}::time, ${quiet_hours?.until ?? null}::time`

/** When a recipient in `zone` gets a message of a campaign that starts at `start`. */
const dueSql = (times: SendingTimes, start: Fragment): Fragment => {
  const moment = sql`coalesce(next_local_time(${start}, zone, ${times.local_time}::time), ${start})`
  if (!times.schedule_id) return sql`after_quiet_hours(${moment}, zone, ${quietHours(times)})`
  const schedule = sql`(select s from schedules s where s.id = ${times.schedule_id})`
  return sql`next_sending_time(${moment}, zone, ${quietHours(times)}, ${schedule})`
}

const Frozen = Type.Object({ n: Type.Integer(), last: Nullable(Type.String()) })

interface FreezingCampaign extends Audience {
  id: string
  frozen_through: string | null
  started_at: string
  sending_times: SendingTimes | null
}

/**
 * Inserts deliveries for the next contacts of the audience, in one statement. Returns how many contacts were read and
 * the last id. Contacts that were created after the campaign started are left out.
 */
export const freezeBatch = (tx: TenantTx, campaign: FreezingCampaign, wording: Wording, limit: number) =>
  tx.one(Frozen)`
    with audience as materialized (${contactsOf(campaign, { after: campaign.frozen_through, limit })}),
    recipient as materialized (
      select contacts.id, contacts.phone_number, contacts.whatsapp_user_id, filled.variables, filled.missing,
        ${faultOf(wording)} as fault, ${campaign.sending_times ? zoneSql() : sql`null::text`} as zone
      from contacts cross join lateral (${filledOf(wording)}) filled
      where contacts.id = any(array(select id from audience)) and contacts.created_at <= ${campaign.started_at}
    ), numbered as (
      update campaigns set send_numbers = send_numbers + (select count(*) from recipient where fault is null)
      where id = ${campaign.id}
    ), frozen as (
      insert into deliveries
        (id, campaign_id, contact_id, phone_number, whatsapp_user_id, variables, status, code, reason, detail, send_no,
          time_zone, due_at)
      select new_id(), ${campaign.id}, id, phone_number, whatsapp_user_id, jsonb_strip_nulls(variables),
        case when fault is null then 'pending' when fault = 'missing_variable' then 'failed' else 'skipped' end,
        case when fault = 'missing_variable' then fault end, fault,
        case when fault = 'missing_variable' then 'No value for ' || missing end,
        case when fault is null then (select send_numbers from campaigns where id = ${campaign.id})
          + count(*) filter (where fault is null) over (order by id) end,
        zone, ${campaign.sending_times ? dueSql(campaign.sending_times, sql`${campaign.started_at}::timestamptz`) : sql`null`}
      from recipient order by id
      on conflict (organization_id, livemode, contact_id, campaign_id) do nothing
    )
    select count(*)::integer as n, (select id from audience order by id desc limit 1) as last from audience`

/** Returns failed deliveries to `pending` if their missing variables can be filled from the contact as it is now. */
export const refillDeliveries = (tx: TenantTx, campaignId: string, wording: Wording) =>
  tx.run`
    with chosen as materialized (
      select d.id, filled.variables, row_number() over (order by d.id) as n
      from deliveries d join contacts on contacts.id = d.contact_id and contacts.organization_id = d.organization_id
          and contacts.livemode = d.livemode
        cross join lateral (${filledOf(wording)}) filled
      where d.campaign_id = ${campaignId} and d.status = 'failed' and d.code = 'missing_variable' and filled.missing is null
    ), numbered as (
      update campaigns set send_numbers = send_numbers + (select count(*) from chosen) where id = ${campaignId}
    )
    update deliveries d set variables = chosen.variables, code = null, reason = null, detail = null, status = 'pending',
      send_no = (select send_numbers from campaigns where id = ${campaignId}) + chosen.n, updated_at = now()
    from chosen where d.id = chosen.id`

const AudiencePreview = Type.Object({
  total: Type.Integer(),
  opted_out: Type.Integer(),
  no_address: Type.Integer(),
  blocked: Type.Integer(),
  missing_variable: Type.Integer(),
  /** Recipients to whom the organization's time zone applies. */
  without_zone: Type.Integer(),
  unresolved: Type.Unsafe<Preflight['unresolved_variables']>({ type: 'array' }),
  zones: Type.Unsafe<{ zone: string; count: number }[]>({ type: 'array' }),
})

/** Counts what would happen to each contact of the audience. Read only. */
export const previewAudience = (tx: TenantSql, audience: Audience, wording: Wording, isTimed: boolean) =>
  tx.one(AudiencePreview)`
    with recipient as materialized (
      select ${faultOf(wording)} as fault, filled.variables, ${isTimed ? zoneSql() : sql`'UTC'`} as zone,
        ${isTimed ? sql`${knownZoneSql()} is null` : sql`false`} as is_without_zone
      from (${allContactsOf(audience)}) audience join contacts on contacts.id = audience.id
        cross join lateral (${filledOf(wording)}) filled
    )
    select count(*)::integer as total, count(*) filter (where fault = 'opted_out')::integer as opted_out,
      count(*) filter (where fault = 'no_address')::integer as no_address,
      count(*) filter (where fault = 'blocked')::integer as blocked,
      count(*) filter (where fault = 'missing_variable')::integer as missing_variable,
      count(*) filter (where fault is null and is_without_zone)::integer as without_zone,
      (select coalesce(json_agg(json_build_object('variable', key, 'contacts', n) order by key), '[]') from (
        select key, count(*) as n from recipient, jsonb_each(recipient.variables) each
        where fault = 'missing_variable' and each.value = 'null' group by key) lacking) as unresolved,
      (select coalesce(json_agg(json_build_object('zone', zone, 'count', n)), '[]') from (
        select zone, count(*) as n from recipient where fault is null group by zone) each) as zones
    from recipient`

const CommonZone = Type.Object({ zone: Type.String() })

/** The zone of most of the first contacts; without contacts, the organization's. */
export const findCommonZone = (tx: TenantSql, audience: Audience) =>
  tx.one(CommonZone)`
    select coalesce((
      select zone from (
        select ${zoneSql()} as zone
        from (${contactsOf(audience, { after: null, limit: zoneSample })}) audience join contacts on contacts.id = audience.id
      ) each group by zone order by count(*) desc, zone limit 1), (
      select known_time_zone(o.time_zone) from organizations o where o.id = current_organization()), 'UTC') as zone`

function allContactsOf({ audience_type, audience_tags, audience_contact_ids }: Audience): Fragment {
  if (audience_type === 'all') return sql`select id from contacts`
  if (audience_type === 'tags')
    return sql`select distinct contact_id as id from contact_tags where tag = any(${audience_tags ?? []}::text[])`
  return sql`select distinct id from unnest(${audience_contact_ids ?? []}::uuid[]) named (id)`
}
