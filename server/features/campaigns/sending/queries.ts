import Type, { type Static } from 'typebox'
import type { SystemSql, TenantScope } from '../../../platform/database.ts'
import { Id, Nullable } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import { suspendedIds } from '../../../platform/suspended.ts'
import { sendRate } from '../../channels/find-send-rate.ts'
import type { TemplateVariables } from '../../templates/schema.ts'

/**
 * The statements of the delivery source. A worker sends for every organization, so they run as the system.
 *
 * A channel with a campaign has a row in `sending_channels`: `due_at` is when a worker should claim from it next,
 * `free_at` the first time that no worker has reserved, `pace` and `slowed_at` slow it down after the platform refused
 * messages as too fast, and `refusals`, `held_until` and `hold_reason` are its hold.
 */

/** Name of the senders' worker leases, and the prefix of their log lines. */
export const senderName = 'campaign sender'

/** A claimed delivery with its channel. */
const ClaimRow = Type.Object({
  organization_id: Id,
  livemode: Type.Boolean(),
  channel_id: Id,
  /** Messages per second, and milliseconds until the first of these may be sent. */
  rate: Type.Number(),
  starts_in_ms: Type.Number(),
  refusals: Type.Integer(),
  /** Live workers, each of which may send on this channel. */
  workers: Type.Integer(),
  /** The delivery; all null in the one row of a channel that has none to send. */
  id: Nullable(Id),
  campaign_id: Nullable(Id),
  contact_id: Nullable(Id),
  phone_number: Nullable(Type.String()),
  whatsapp_user_id: Nullable(Type.String()),
  variables: Type.Unsafe<TemplateVariables | null>({}),
  attempts: Nullable(Type.Integer()),
})
export type ClaimRow = Static<typeof ClaimRow>

interface ChannelKey {
  organizationId: string
  livemode: boolean
  channelId: string
}

/** Factor on the channel's rate. After a slow-down it grows by 0.05 per second until it is 1 again. */
const pace = sql`case when s.slowed_at is null then 1
  else least(1, s.pace + greatest(0, extract(epoch from now() - s.slowed_at)) * 0.05) end`

export interface ClaimSize {
  /** Bounds on the deliveries of one claim. A channel with a low rate claims fewer than `min`. */
  max: number
  min: number
  /**
   * Deliveries that all due channels get together in one round. The more channels are due, the fewer each gets, so that
   * none waits long for its next claim.
   */
  perRound: number
  /**
   * One claim covers this many seconds at the channel's rate. The next claim is due `leadSeconds` before its last
   * message is sent.
   */
  seconds: number
  leadSeconds: number
}

/**
 * Claims the next messages of the channel that has been due longest, an equal share of each of its campaigns, and
 * reserves times for them: one after the other from `starts_in_ms` on. The channel's next claim, by any worker, gets
 * the times after them, so all workers together keep the channel's rate. Returns no row if no channel is due, and one
 * row without a delivery if the channel has none to send.
 *
 * In the statement, `channel` is locked until the commit, `campaign` has the share of each of its campaigns, `claimed`
 * takes their deliveries, and `advanced` moves the channel's `free_at` and `due_at`. A timed campaign, which has sending
 * times in its recipients' zones, is read by due time, the others by id: each way has an index.
 */
export const claimDeliveries = (
  system: SystemSql,
  workerId: string,
  { max, min, perRound, seconds, leadSeconds, exceptChannels }: ClaimSize & { exceptChannels: string[] },
) =>
  system.all(ClaimRow)`
    with due as materialized (
      select greatest(1, count(*)) as channels from (
        select from sending_channels where due_at <= now() limit ${Math.ceil(perRound / min)}) some_due
    ), channel as materialized (
      select s.organization_id, s.livemode, s.channel_id, s.refusals, greatest(s.free_at, now()) as starts_at,
        ${sendRate} * ${pace} as rate
      from sending_channels s join channels c on c.organization_id = s.organization_id and c.livemode = s.livemode
        and c.id = s.channel_id
      where s.due_at <= now() and s.channel_id <> all(${exceptChannels}::uuid[])
        and s.organization_id <> all(${suspendedIds})
        and exists (select from worker_leases w where w.id = ${workerId} and w.expires_at > now())
      order by s.due_at limit 1
      for update of s skip locked
    ), campaign as materialized (
      select k.id, k.sending_times is not null as is_timed, ceil(least(${max}, greatest(${min}, ${perRound} / due.channels), greatest(1, channel.rate * ${seconds}))
        / count(*) over ())::integer as share
      from due, channel join campaigns k on k.organization_id = channel.organization_id and k.livemode = channel.livemode
        and k.channel_id = channel.channel_id
      where k.status = 'sending' and k.frozen_at is not null and k.template_name is not null and k.deleted_at is null
    ), claimed as (
      update deliveries d set status = 'sending', claimed_by = ${workerId}, in_flight = false, next_attempt_at = null,
        updated_at = now()
      from channel
      where d.organization_id = channel.organization_id and d.livemode = channel.livemode and d.id = any(array(
        select picked.id from channel, campaign cross join lateral (
          select p.id from deliveries p
          where p.organization_id = channel.organization_id and p.livemode = channel.livemode
            and p.campaign_id = campaign.id and p.status = 'pending'
            and (p.next_attempt_at is null or p.next_attempt_at <= now())
          order by p.id limit campaign.share for update skip locked
        ) picked where not campaign.is_timed) || array(
        select picked.id from channel, campaign cross join lateral (
          select p.id from deliveries p
          where p.organization_id = channel.organization_id and p.livemode = channel.livemode
            and p.campaign_id = campaign.id and p.status = 'pending' and p.due_at <= now()
            and (p.next_attempt_at is null or p.next_attempt_at <= now())
          order by p.due_at, p.id limit campaign.share for update skip locked
        ) picked where campaign.is_timed))
      returning d.id, d.campaign_id, d.contact_id, d.phone_number, d.whatsapp_user_id, d.variables, d.attempts
    ), advanced as (
      update sending_channels s set
        free_at = channel.starts_at + taken.count / channel.rate * interval '1 second',
        due_at = case
          when taken.count > 0 then channel.starts_at + (taken.count / channel.rate - ${leadSeconds}) * interval '1 second'
          -- Nothing to claim now: the rest is in flight, or waits for a retry or its due time. Looks again after a minute
          -- at the latest, because due times can change meanwhile.
          else (select min(case when campaign.is_timed then least(now() + interval '1 minute', greatest(now() + interval '0.5 seconds', (
              select min(p.due_at) from deliveries p
              where p.organization_id = channel.organization_id and p.livemode = channel.livemode
                and p.campaign_id = campaign.id and p.status = 'pending' and p.due_at is not null)))
            else now() + interval '0.5 seconds' end) from campaign) end
      from channel, (select count(*)::double precision as count from claimed) taken
      where s.organization_id = channel.organization_id and s.livemode = channel.livemode
        and s.channel_id = channel.channel_id
    )
    select channel.organization_id, channel.livemode, channel.channel_id, channel.rate, channel.refusals,
      (select count(*) from worker_leases where name = ${senderName} and expires_at > now())::integer as workers,
      greatest(0, extract(epoch from channel.starts_at - clock_timestamp()) * 1000)::double precision as starts_in_ms,
      claimed.*
    from channel left join claimed on true
    order by claimed.id`

const UntilDue = Type.Object({ ms: Nullable(Type.Number()) })

/** Milliseconds until the next channel is due; null if no campaign is sending. */
export const untilNextDue = (system: SystemSql) =>
  system.one(UntilDue)`
    select (extract(epoch from min(due_at) - now()) * 1000)::double precision as ms from sending_channels
    where organization_id <> all(${suspendedIds})`

const Marked = Type.Object({ id: Id, in_flight: Type.Boolean(), is_quiet: Type.Boolean() })

/**
 * The last check before the request. Deliveries that pass are in flight once this commits. Deliveries of a campaign
 * that no longer sends, or of a suspended organization, return to `pending`, as do those whose recipient has quiet
 * hours now or whose campaign is outside its business hours. Deliveries to contacts that have opted out, are blocked or
 * were deleted are skipped. A delivery that is missing from the result no longer belongs to this worker.
 */
export const markInFlight = (system: SystemSql, workerId: string, rows: { scope: TenantScope; id: string }[]) =>
  system.all(Marked)`
    with checked as materialized (
      select d.organization_id, d.livemode, d.id, case
        when k.status is null or k.status <> 'sending' or k.deleted_at is not null
          or d.organization_id = any(${suspendedIds}) then 'stopped'
        when c.id is null then 'no_address'
        when c.blocked_at is not null then 'blocked'
        when k.template_category = 'MARKETING' and c.opted_out_at is not null then 'opted_out'
        when quiet.ends_at > now() then 'quiet'
        else 'go' end as verdict, quiet.ends_at as quiet_until
      from unnest(${rows.map(({ scope }) => scope.organizationId)}::uuid[],
          ${rows.map(({ scope }) => scope.livemode)}::boolean[], ${rows.map(({ id }) => id)}::uuid[])
          given (organization_id, livemode, id)
        join deliveries d using (organization_id, livemode, id)
        left join campaigns k on k.organization_id = d.organization_id and k.livemode = d.livemode
          and k.id = d.campaign_id
        left join contacts c on c.organization_id = d.organization_id and c.livemode = d.livemode
          and c.id = d.contact_id
        -- A condition of the join would be checked after the functions were called.
        cross join lateral (
          select case
            when k.sending_times is null then null
            when k.schedule_id is null then after_quiet_hours(now(), d.time_zone, quiet_from, quiet_until)
            else next_sending_time(now(), d.time_zone, quiet_from, quiet_until, (select s from schedules s
              where s.organization_id = k.organization_id and s.id = k.schedule_id)) end
          from (select (k.sending_times #>> '{quiet_hours,from}')::time,
            (k.sending_times #>> '{quiet_hours,until}')::time) hours (quiet_from, quiet_until)
        ) quiet (ends_at)
      where d.status = 'sending' and d.claimed_by = ${workerId} and not d.in_flight
        and exists (select from worker_leases w where w.id = ${workerId} and w.expires_at > now())
      for no key update of d
    )
    update deliveries d set in_flight = checked.verdict = 'go',
      attempts = d.attempts + case when checked.verdict = 'go' then 1 else 0 end,
      status = case checked.verdict when 'go' then 'sending' when 'stopped' then 'pending' when 'quiet' then 'pending'
        else 'skipped' end,
      due_at = case when checked.verdict = 'quiet' then checked.quiet_until else d.due_at end,
      reason = case when checked.verdict in ('no_address', 'opted_out', 'blocked') then checked.verdict end,
      code = null, detail = case when checked.verdict = 'no_address' then 'The contact was deleted' end,
      claimed_by = case when checked.verdict = 'go' then d.claimed_by end
    from checked
    where d.organization_id = checked.organization_id and d.livemode = checked.livemode and d.id = checked.id
    returning d.id, d.in_flight, checked.verdict = 'quiet' as is_quiet`

/**
 * Postpones the other due deliveries of the same campaigns and time zones as these, which were postponed because of
 * quiet hours: one by one they would take up the channel's sending times.
 */
export const postponeQuiet = (system: SystemSql, ids: string[], most: number) =>
  system.run`
    update deliveries d set due_at = quiet.due_at, updated_at = now()
    from (
      select distinct organization_id, livemode, campaign_id, time_zone, due_at from deliveries
      where id = any(${ids}::uuid[]) and status = 'pending'
    ) quiet cross join lateral (
      select p.id from deliveries p
      where p.organization_id = quiet.organization_id and p.livemode = quiet.livemode and p.campaign_id = quiet.campaign_id
        and p.status = 'pending' and p.due_at <= now() and p.time_zone = quiet.time_zone
      order by p.due_at, p.id limit ${most} for update skip locked
    ) chosen
    where d.organization_id = quiet.organization_id and d.livemode = quiet.livemode and d.id = chosen.id`

/** Returns deliveries that were claimed and never marked in flight. */
export const releaseDeliveries = (system: SystemSql, workerId: string, ids: string[]) =>
  system.run`
    update deliveries set status = 'pending', claimed_by = null, in_flight = false
    where status = 'sending' and claimed_by = ${workerId} and not in_flight and id = any(${ids}::uuid[])`

/**
 * Returns deliveries that the database has as claimed by this worker and that the worker does not know: a statement
 * committed and its answer was lost. No request was made for them.
 */
export const releaseUnknown = (system: SystemSql, workerId: string, known: string[]) =>
  system.run`
    update deliveries set status = 'pending', claimed_by = null, in_flight = false
    where status = 'sending' and claimed_by = ${workerId} and id <> all(${known}::uuid[])`

const ReservedTimes = Type.Object({ rate: Type.Number(), starts_in_ms: Type.Number() })

/** Reserves times after all those reserved so far, for a worker that missed its own. */
export const reserveTimes = (system: SystemSql, { organizationId, livemode, channelId }: ChannelKey, count: number) =>
  system.one(ReservedTimes)`
    with channel as materialized (
      select s.organization_id, s.livemode, s.channel_id, greatest(s.free_at, now()) as starts_at,
        ${sendRate} * ${pace} as rate
      from sending_channels s join channels c on c.organization_id = s.organization_id and c.livemode = s.livemode
        and c.id = s.channel_id
      where s.organization_id = ${organizationId} and s.livemode = ${livemode} and s.channel_id = ${channelId}
      for no key update of s
    )
    update sending_channels s set free_at = channel.starts_at + ${count} / channel.rate * interval '1 second'
    from channel
    where s.organization_id = channel.organization_id and s.livemode = channel.livemode and s.channel_id = channel.channel_id
    returning channel.rate,
      greatest(0, extract(epoch from channel.starts_at - clock_timestamp()) * 1000)::double precision as starts_in_ms`

/**
 * Holds the channel: no worker claims from it until the hold ends. Each refusal in a row doubles the hold, up to 60 s
 * unless the platform asked for more. With `slow` the channel then continues at half its rate. Refusals during a hold
 * do not count again.
 */
export const holdChannel = (
  system: SystemSql,
  { organizationId, livemode, channelId }: ChannelKey,
  { ms, slow, reason }: { ms: number; slow: boolean; reason: string },
) =>
  system.run`
    with hold as (
      select least(greatest(${ms}, 60000), ${ms} * power(2, least(refusals, 10))) * interval '1 millisecond' as duration
      from sending_channels
      where organization_id = ${organizationId} and livemode = ${livemode} and channel_id = ${channelId}
    )
    update sending_channels s set refusals = refusals + 1, hold_reason = ${reason}, held_until = now() + hold.duration,
      due_at = now() + hold.duration, free_at = greatest(free_at, now() + hold.duration),
      pace = case when ${slow} then greatest(0.05, (${pace}) / 2) else s.pace end,
      slowed_at = case when ${slow} then now() + hold.duration else slowed_at end
    from hold
    where organization_id = ${organizationId} and livemode = ${livemode} and channel_id = ${channelId}
      and (held_until is null or held_until < now())`

/** The platform accepts messages of this channel again: ends the hold and forgets the refusals. */
export const endHold = (system: SystemSql, { organizationId, livemode, channelId }: ChannelKey) =>
  system.run`
    update sending_channels set refusals = 0, held_until = null, hold_reason = null
    where organization_id = ${organizationId} and livemode = ${livemode} and channel_id = ${channelId}
      and held_until < now()`
