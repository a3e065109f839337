import Type, { type Static } from 'typebox'
import type { SystemSql, TenantScope } from '../../../platform/database.ts'
import { Id, Nullable } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import type { TemplateVariables } from '../../templates/schema.ts'

/** The workers' own books: they look after the campaigns of every organization. */

const Claimed = Type.Object({
  organization_id: Id,
  livemode: Type.Boolean(),
  channel_id: Id,
  /** Messages a second, and how long until the first of these may go. */
  rate: Type.Number(),
  starts_in_ms: Type.Number(),
  refusals: Type.Integer(),
  /** How many workers may send on this channel. */
  workers: Type.Integer(),
  id: Nullable(Id),
  campaign_id: Nullable(Id),
  contact_id: Nullable(Id),
  phone_number: Nullable(Type.String()),
  whatsapp_user_id: Nullable(Type.String()),
  variables: Type.Unsafe<TemplateVariables | null>({}),
  attempts: Nullable(Type.Integer()),
})
export type Claimed = Static<typeof Claimed>

/** It gains a twentieth of its rate back every second. */
const pace = sql`case when s.slowed_at is null then 1
  else least(1, s.pace + greatest(0, extract(epoch from now() - s.slowed_at)) * 0.05) end`

export interface ClaimSize {
  /** Of one channel at once. */
  most: number
  least: number
  /** Of all channels that are due, before the first has its turn again: the more there are, the less each gives out. */
  round: number
  /** As much as goes out in that time, so long before the last one has gone. */
  seconds: number
  leadSeconds: number
}

/**
 * Rows that were locked a moment before, in the same statement, are updated by where they lie: no plan can go wrong about
 * that. One that somebody changed in between is missed, and found the next time.
 *
 * The channel that has waited longest gives out its next second's worth of messages, a share of each of its campaigns. They
 * are to go one after the other from `starts_in_ms` on, and whoever claims next comes behind them: so the channel's rate
 * holds for all workers together. Nothing at all where no channel is due; a row without a delivery where it had none.
 */
export const claimDeliveries = (
  system: SystemSql,
  workerId: string,
  { most, least, round, seconds, leadSeconds, except }: ClaimSize & { except: string[] },
) =>
  system.all(Claimed)`
    with due as materialized (
      select greatest(1, count(*)) as channels from (
        select from sending_channels where due_at <= now() limit ${Math.ceil(round / least)}) few
    ), channel as materialized (
      select s.organization_id, s.livemode, s.channel_id, s.refusals, greatest(s.free_at, now()) as starts_at,
        c.messages_per_second * ${pace} as rate
      from sending_channels s join channels c on c.organization_id = s.organization_id and c.livemode = s.livemode
        and c.id = s.channel_id
      where s.due_at <= now() and s.channel_id <> all(${except}::uuid[])
        and exists (select from worker_leases w where w.id = ${workerId} and w.expires_at > now())
      order by s.due_at limit 1
      for update of s skip locked
    ), campaign as materialized (
      select k.id, ceil(least(${most}, greatest(${least}, ${round} / due.channels), greatest(1, channel.rate * ${seconds}))
        / count(*) over ())::integer as share
      from due, channel join campaigns k on k.organization_id = channel.organization_id and k.livemode = channel.livemode
        and k.channel_id = channel.channel_id
      where k.status = 'sending' and k.frozen_at is not null and k.template_name is not null and k.deleted_at is null
    ), claimed as (
      update deliveries d set status = 'sending', claimed_by = ${workerId}, handed_over = false, next_attempt_at = null,
        updated_at = now()
      where d.ctid = any(array(
        select picked.ctid from channel, campaign cross join lateral (
          select p.ctid from deliveries p
          where p.organization_id = channel.organization_id and p.livemode = channel.livemode
            and p.campaign_id = campaign.id and p.status = 'pending'
            and (p.next_attempt_at is null or p.next_attempt_at <= now())
          order by p.id limit campaign.share for update skip locked
        ) picked))
      returning d.id, d.campaign_id, d.contact_id, d.phone_number, d.whatsapp_user_id, d.variables, d.attempts
    ), advanced as (
      update sending_channels s set
        free_at = channel.starts_at + n.claimed / channel.rate * interval '1 second',
        due_at = case
          when n.claimed > 0 then channel.starts_at + (n.claimed / channel.rate - ${leadSeconds}) * interval '1 second'
          -- Something of it is on its way, or put off.
          when exists (select from campaign) then now() + interval '0.5 seconds' end
      from channel, (select count(*)::double precision as claimed from claimed) n
      where s.organization_id = channel.organization_id and s.livemode = channel.livemode
        and s.channel_id = channel.channel_id
    )
    select channel.organization_id, channel.livemode, channel.channel_id, channel.rate, channel.refusals,
      (select count(*) from sending_workers where alive_until > now())::integer as workers,
      greatest(0, extract(epoch from channel.starts_at - clock_timestamp()) * 1000)::double precision as starts_in_ms,
      claimed.*
    from channel left join claimed on true
    order by claimed.id`

const Due = Type.Object({ ms: Nullable(Type.Number()) })

export const untilNextDue = (system: SystemSql) =>
  system.one(Due)`select (extract(epoch from min(due_at) - now()) * 1000)::double precision as ms from sending_channels`

const Handed = Type.Object({ id: Id, handed_over: Type.Boolean() })

/**
 * The last look before the platform hears of them. What may go is handed over from this moment; what belongs to a campaign
 * that was stopped goes back; whoever has opted out or was deleted since is skipped. Those not answered are not ours any more.
 */
export const handOver = (system: SystemSql, workerId: string, rows: { scope: TenantScope; id: string }[]) =>
  system.all(Handed)`
    with look as materialized (
      select d.ctid, case
        when k.status is null or k.status <> 'sending' or k.deleted_at is not null then 'stopped'
        when c.id is null then 'no_address'
        when k.template_category = 'MARKETING' and c.opted_out_at is not null then 'opted_out'
        else 'go' end as verdict
      from unnest(${rows.map(({ scope }) => scope.organizationId)}::uuid[],
          ${rows.map(({ scope }) => scope.livemode)}::boolean[], ${rows.map(({ id }) => id)}::uuid[])
          given (organization_id, livemode, id)
        cross join lateral (
          select ctid, campaign_id, contact_id, status, claimed_by, handed_over from deliveries
          where organization_id = given.organization_id and livemode = given.livemode and id = given.id
          limit 1 for no key update) d
        left join lateral (
          select status, deleted_at, template_category from campaigns
          where organization_id = given.organization_id and livemode = given.livemode and id = d.campaign_id limit 1
        ) k on true
        left join lateral (
          select id, opted_out_at from contacts
          where organization_id = given.organization_id and livemode = given.livemode and id = d.contact_id limit 1
        ) c on true
      where d.status = 'sending' and d.claimed_by = ${workerId} and not d.handed_over
        and exists (select from worker_leases w where w.id = ${workerId} and w.expires_at > now())
    )
    update deliveries d set handed_over = look.verdict = 'go',
      attempts = d.attempts + case when look.verdict = 'go' then 1 else 0 end,
      status = case look.verdict when 'go' then 'sending' when 'stopped' then 'pending' else 'skipped' end,
      reason = case when look.verdict in ('no_address', 'opted_out') then look.verdict end,
      code = null, detail = case when look.verdict = 'no_address' then 'The contact was deleted' end,
      claimed_by = case when look.verdict = 'go' then d.claimed_by end
    from look where d.ctid = look.ctid
    returning d.id, d.handed_over`

/** What was claimed and is not going to be sent by this worker after all goes back. */
export const releaseDeliveries = (system: SystemSql, workerId: string, ids: string[]) =>
  system.run`
    update deliveries set status = 'pending', claimed_by = null, handed_over = false
    where status = 'sending' and claimed_by = ${workerId} and not handed_over and id = any(${ids}::uuid[])`

/**
 * What the books say that this worker has, and it knows nothing of: a statement of its own came to an end that it did not
 * hear of. The platform surely never saw these.
 */
export const releaseForgotten = (system: SystemSql, workerId: string, known: string[]) =>
  system.run`
    update deliveries set status = 'pending', claimed_by = null, handed_over = false
    where status = 'sending' and claimed_by = ${workerId} and id <> all(${known}::uuid[])`

const Alive = Type.Object({ id: Id })

/** Nothing when it was given up for dead. */
export const stayAlive = (system: SystemSql, workerId: string, seconds: number) =>
  system.maybe(Alive)`
    update worker_leases set expires_at = now() + ${seconds} * interval '1 second' where id = ${workerId}
    returning id`

export const enterWorker = (system: SystemSql, workerId: string, seconds: number) =>
  system.run`
    insert into worker_leases (id, name, expires_at) values (${workerId}, 'campaign', now() + ${seconds} * interval '1 second')`

/** Says goodbye: what it leaves behind is nobody's, and need not wait. */
export const leaveWorker = (system: SystemSql, workerId: string) =>
  system.run`delete from worker_leases where id = ${workerId}`

/** Workers that were not heard of for too long are given up for dead. */
export const dropSilentWorkers = (system: SystemSql) => system.run`delete from worker_leases where expires_at < now()`

/**
 * Claims of whoever is not in the books any more. What was not handed over goes to others; of the rest nobody but the
 * platform knows whether it was sent. Whoever claims is in the books before, so that nobody's claim is taken too early.
 */
export const settleOrphans = (system: SystemSql) =>
  system.run`
    with recursive claimer (id) as (
      (select claimed_by from deliveries where status = 'sending' order by claimed_by limit 1)
      union all
      select (select claimed_by from deliveries where status = 'sending' and claimed_by > claimer.id
        order by claimed_by limit 1)
      from claimer where claimer.id is not null
    )
    update deliveries d set
      status = case when handed_over then 'unknown' else 'pending' end,
      code = case when handed_over then 'worker_lost' end,
      reason = case when handed_over then 'The worker was lost while it was sending this' end,
      claimed_by = case when handed_over then d.claimed_by end, updated_at = now()
    where d.status = 'sending' and d.claimed_by = any(array(
      select id from claimer where id is not null and not exists (select from worker_leases w where w.id = claimer.id)))`

const Turns = Type.Object({ rate: Type.Number(), starts_in_ms: Type.Number() })

/** Turns for so many messages of a channel, behind all that were given out: in place of turns that a worker has missed. */
export const bookTurns = (system: SystemSql, { organizationId, livemode, channelId }: ChannelKey, count: number) =>
  system.one(Turns)`
    with channel as materialized (
      select s.organization_id, s.livemode, s.channel_id, greatest(s.free_at, now()) as starts_at,
        c.messages_per_second * ${pace} as rate
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

interface ChannelKey {
  organizationId: string
  livemode: boolean
  channelId: string
}

/**
 * The channel keeps quiet for a while, twice as long with every refusal in a row; when it was too fast, it is half as fast
 * afterwards. Several refusals at about the same time count as one.
 */
export const holdChannel = (
  system: SystemSql,
  { organizationId, livemode, channelId }: ChannelKey,
  { ms, slow, reason }: { ms: number; slow: boolean; reason: string },
) =>
  system.run`
    with quiet as (
      select least(greatest(${ms}, 60000), ${ms} * power(2, least(refusals, 10))) * interval '1 millisecond' as span
      from sending_channels
      where organization_id = ${organizationId} and livemode = ${livemode} and channel_id = ${channelId}
    )
    update sending_channels s set refusals = refusals + 1, hold_reason = ${reason}, held_until = now() + quiet.span,
      due_at = now() + quiet.span, free_at = greatest(free_at, now() + quiet.span),
      pace = case when ${slow} then greatest(0.05, (${pace}) / 2) else s.pace end,
      slowed_at = case when ${slow} then now() + quiet.span else slowed_at end
    from quiet
    where organization_id = ${organizationId} and livemode = ${livemode} and channel_id = ${channelId}
      and (held_until is null or held_until < now())`

/** The platform takes messages of it again. */
export const trustChannel = (system: SystemSql, { organizationId, livemode, channelId }: ChannelKey) =>
  system.run`
    update sending_channels set refusals = 0, held_until = null, hold_reason = null
    where organization_id = ${organizationId} and livemode = ${livemode} and channel_id = ${channelId}
      and held_until < now()`
