import Type from 'typebox'
import type { SystemSql } from '../../../platform/database.ts'
import { Id, Nullable } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import { suspendedIds } from '../../../platform/suspended.ts'

const RecordRef = Type.Object({ organization_id: Id, livemode: Type.Boolean(), id: Id })

const Steps = Type.Object({ are_possible: Type.Boolean() })

/** Whether any campaign may need a step. Usually none does, and then this is the only statement of the pass. */
export const checkForSteps = (system: SystemSql) =>
  system.one(Steps)`
    select exists (select from campaigns where status = 'scheduled') or exists (select from campaigns where status = 'sending')
      or exists (select from campaigns where status = 'paused' and pause_reason = 'failure_rate')
      or exists (select from deliveries where status = 'sending') as are_possible`

/** Scheduled campaigns that are due. Only the database's clock decides, because the clocks of nodes may differ. */
export const findDueCampaigns = (system: SystemSql) =>
  system.all(RecordRef)`
    select organization_id, livemode, id from campaigns
    where status = 'scheduled' and scheduled_at <= now() and deleted_at is null
      and organization_id <> all(${suspendedIds})
    order by scheduled_at limit 100`

const UntilStart = Type.Object({ ms: Nullable(Type.Number()) })

/** Milliseconds until the next scheduled campaign is due; null if there is none. */
export const untilNextStart = (system: SystemSql) =>
  system.one(UntilStart)`
    select (extract(epoch from min(scheduled_at) - now()) * 1000)::double precision as ms from campaigns
    where status = 'scheduled' and deleted_at is null and organization_id <> all(${suspendedIds})`

/** Campaigns that are sending and have no template: they fail. */
export const findWithoutTemplate = (system: SystemSql) =>
  system.all(RecordRef)`
    select organization_id, livemode, id from campaigns
    where status = 'sending' and template_name is null and deleted_at is null
    order by started_at limit 100`

/** A campaign that the circuit breaker paused with its last messages has none left to send and completes too. */
const hasSentOrSends = sql`(k.status = 'sending' or k.status = 'paused' and k.pause_reason = 'failure_rate')
  and k.frozen_at is not null and k.template_name is not null and k.deleted_at is null`

/** Campaigns that have no pending or claimed deliveries, by their counters. */
export const findFinishedCampaigns = (system: SystemSql) =>
  system.all(RecordRef)`
    select k.organization_id, k.livemode, k.id from campaigns k
    where ${hasSentOrSends}
      and not exists (
        select from delivery_counts c
        where c.organization_id = k.organization_id and c.livemode = k.livemode and c.campaign_id = k.id
        having sum(c.pending + c.sending) > 0)
    order by k.started_at limit 100`

/**
 * Campaigns whose recipients are not all frozen yet. One batch of each is frozen per round, so a large campaign does
 * not block a small one.
 */
export const findUnfrozenCampaigns = (system: SystemSql) =>
  system.all(RecordRef)`
    select organization_id, livemode, id from campaigns
    where status = 'sending' and frozen_at is null and template_name is not null and deleted_at is null
      and organization_id <> all(${suspendedIds})
    order by started_at limit 100`

/**
 * Settles claims whose worker lease is gone. Deliveries that were not in flight return to `pending`. Those in flight
 * become `unknown`, because only the platform knows whether they were sent. A worker inserts its lease before it
 * claims, so the claims of a live worker are never touched.
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
      status = case when in_flight then 'unknown' else 'pending' end,
      code = case when in_flight then 'worker_lost' end,
      reason = case when in_flight then 'The worker stopped while it was sending this' end,
      claimed_by = case when in_flight then d.claimed_by end, updated_at = now()
    where d.status = 'sending' and d.claimed_by = any(array(
      select id from claimer where id is not null and not exists (
        select from worker_leases w where w.id = claimer.id and w.expires_at > now())))`

const Removed = Type.Object({ n: Type.Integer() })

/**
 * Deletes a batch of deliveries of the campaign that was deleted first. Skips campaigns with claimed deliveries, whose
 * outcome is still to be recorded.
 */
export const removeDeletedDeliveries = (system: SystemSql, max: number) =>
  system.one(Removed)`
    with deleted as materialized (
      select k.organization_id, k.livemode, k.id from campaigns k
      where k.deleted_at is not null and not exists (
        select from deliveries d where d.organization_id = k.organization_id and d.livemode = k.livemode
          and d.campaign_id = k.id and d.status = 'sending')
      order by k.deleted_at limit 1 for update skip locked
    ), chosen as materialized (
      select d.organization_id, d.livemode, d.id from deleted join deliveries d
        on d.organization_id = deleted.organization_id and d.livemode = deleted.livemode and d.campaign_id = deleted.id
      limit ${max}
    ), removed as (
      delete from deliveries d using deleted
      where d.organization_id = deleted.organization_id and d.livemode = deleted.livemode
        and d.id = any(array(select id from chosen))
      returning 1
    )
    select count(*)::integer as n from removed`

/** Deletes the rows of deleted campaigns that have no deliveries left, with their counters. */
export const removeDeletedCampaigns = (system: SystemSql) =>
  system.one(Removed)`
    with emptied as (
      delete from campaigns k
      where k.deleted_at is not null and not exists (
        select from deliveries d where d.organization_id = k.organization_id and d.livemode = k.livemode
          and d.campaign_id = k.id)
      returning k.organization_id, k.livemode, k.id
    ), counts as (
      delete from delivery_counts c using emptied
      where c.organization_id = emptied.organization_id and c.livemode = emptied.livemode and c.campaign_id = emptied.id
    )
    select count(*)::integer as n from emptied`

/** Updates the planner's statistics of tables that have grown, without waiting for autovacuum. */
export const analyzeGrownTables = (system: SystemSql) => system.run`select analyze_grown_tables()`

/**
 * Makes channels due that have a campaign to send and no due time. This happens if a campaign starts while a worker
 * finds the channel idle, and the worker's update commits last.
 */
export const makeForgottenChannelsDue = (system: SystemSql) =>
  system.run`
    update sending_channels s set due_at = now() from campaigns k
    where ${hasSentOrSends}
      and s.organization_id = k.organization_id and s.livemode = k.livemode and s.channel_id = k.channel_id
      and s.due_at is null`
