import Type, { type Static } from 'typebox'
import type { SystemSql, SystemTx, TenantSql, TenantTx } from '../../../platform/database.ts'
import { lowestIdAt } from '../../../platform/ids.ts'
import { Id, Nullable } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import type { TicketAssignment } from './schema.ts'

type Reason = TicketAssignment['reason']

/** One transaction at a time chooses members, so that neither a turn nor a free capacity is used twice. */
export const lockAssignment = (tx: TenantTx) =>
  tx.run`select pg_advisory_xact_lock(hashtextextended('assignment ' || ${tx.scope.organizationId}, 0))`

const needsPerson = sql`coalesce(tickets.snoozed_until <= now(), true) and waits_for_person_since(tickets) is not null
  and not is_answered_by_ai(tickets)`

const TicketState = Type.Object({
  status: Type.String(),
  assignee_id: Nullable(Id),
  team_id: Nullable(Id),
  /** By the rule of the ticket's channel. */
  channel_team_id: Nullable(Id),
  /** Whether the contact waits for a person, no agent answers it, and no member has set it aside. */
  needs_person: Type.Boolean(),
})

/**
 * Locks first and reads in a second statement: the one that waits for the lock would not see replies that were stored
 * meanwhile.
 */
export async function lockTicketState(tx: TenantTx, id: string) {
  const locked = tx.run`select from tickets where id = ${id} for update`
  const state = tx.maybe(TicketState)`
    select tickets.status, tickets.assignee_id, tickets.team_id,
      (select r.team_id from assignment_rules r where r.channel_id = tickets.channel_id) as channel_team_id,
      ${needsPerson} as needs_person
    from tickets where id = ${id}`
  return (await Promise.all([locked, state]))[1]
}

const Named = Type.Object({ name: Type.String() })

export const readNameOf = (tx: TenantSql, memberId: string) =>
  tx.one(Named)`select coalesce(nullif(name, ''), email) as name from users where id = ${memberId}`

const TeamState = Type.Object({
  id: Id,
  assignment: Type.String(),
  after_hours_team_id: Nullable(Id),
  is_open: Type.Boolean(),
})
export type TeamState = Static<typeof TeamState>

export const findTeamState = (tx: TenantSql, id: string) =>
  tx.maybe(TeamState)`
    select teams.id, assignment, after_hours_team_id, is_open(s, now()) as is_open
    from teams left join schedules s on s.organization_id = teams.organization_id and s.id = teams.schedule_id
    where teams.id = ${id}`

const Due = Type.Object({ is_due: Type.Boolean() })

/** Whether the assignee has had the team's time to reply, since the assignment and since the contact waits. */
const replyIsDue = sql`teams.reassign_after_minutes is not null and add_open_minutes(
    (select s from schedules s where s.organization_id = teams.organization_id and s.id = teams.schedule_id),
    greatest(waits_for_person_since(tickets), (select max(a.created_at) from ticket_assignments a
      where a.organization_id = tickets.organization_id and a.livemode = tickets.livemode and a.ticket_id = tickets.id)),
    teams.reassign_after_minutes) <= now()`

export const isReplyDue = (tx: TenantTx, ticketId: string) =>
  tx.one(Due)`
    select coalesce(${replyIsDue}, false) as is_due
    from tickets join teams on teams.organization_id = tickets.organization_id and teams.id = tickets.team_id
    where tickets.id = ${ticketId}`

const Chosen = Type.Object({ user_id: Id })

/** The next member of the team who is online and has room. */
export const chooseMember = (tx: TenantTx, { id, assignment }: TeamState, except: string | null) =>
  tx.maybe(Chosen)`
    select m.user_id from team_members m
      left join member_availability a on a.organization_id = m.organization_id and a.user_id = m.user_id
      cross join lateral (select coalesce(sum(n), 0) from ticket_counts c
        where c.status = 'open' and c.assignee_id = m.user_id) open (tickets)
    where m.team_id = ${id} and m.user_id is distinct from ${except}::uuid
      and coalesce(a.status, 'online') = 'online' and (a.capacity is null or open.tickets < a.capacity)
    order by ${assignment === 'least_busy' ? sql`open.tickets, ` : sql``}m.last_assigned_at nulls first, m.user_id
    limit 1`

export const recordTurn = (tx: TenantTx, teamId: string, userId: string) =>
  tx.run`
    update team_members set last_assigned_at = clock_timestamp() where team_id = ${teamId} and user_id = ${userId}`

const nameReason = (reason: Reason) => sql`set_config('frontdesk.assignment_reason', ${reason}, true) <> ''`

/** The trigger on tickets writes the log, with this reason. */
export async function updateOwner(
  tx: TenantTx,
  ticketId: string,
  { teamId, assigneeId, reason }: { teamId: string | null; assigneeId: string | null; reason: Reason },
): Promise<void> {
  await tx.run`
    update tickets set team_id = ${teamId}, assignee_id = ${assigneeId}, updated_at = now()
    where id = ${ticketId} and ${nameReason(reason)}`
}

const Ticket = Type.Object({ id: Id, previous_assignee_id: Nullable(Id) })

/** Open tickets of the team whose assignee left it. */
export const releaseTicketRows = (tx: TenantTx, teamId: string, memberIds: string[]) =>
  tx.all(Ticket)`
    with released as materialized (
      select id, assignee_id from tickets
      where team_id = ${teamId} and status = 'open' and assignee_id = any(${memberIds}::uuid[]) and not exists (
        select from team_members m where m.team_id = tickets.team_id and m.user_id = tickets.assignee_id)
      order by id for update
    )
    update tickets set assignee_id = null, updated_at = now() from released
    where tickets.id = released.id and ${nameReason('left_team')}
    returning tickets.id, released.assignee_id as previous_assignee_id`

const Released = Type.Object({ id: Id })

/** How late the job may be. The ids of the log are by time: older entries are not read. */
const removedWithinMs = 7 * 86_400_000

/** Open tickets that a removed member had then, by the log: those that were assigned again have been announced. */
export const findTicketsOfRemoved = (tx: TenantTx, memberId: string, removedAt: string) =>
  tx.all(Released)`
    select t.id from ticket_assignments a join tickets t on t.id = a.ticket_id
    where a.id > ${lowestIdAt(new Date(Date.now() - removedWithinMs))} and a.reason = 'member_removed'
      and a.created_at >= ${removedAt}::timestamptz and a.previous_assignee_id = ${memberId} and t.status = 'open' and t.assignee_id is null
      and not exists (select from ticket_assignments later where later.ticket_id = a.ticket_id and later.id > a.id)
    order by t.id`

const TicketRef = Type.Object({ organization_id: Id, livemode: Type.Boolean(), id: Id })

/** Most tickets that one run assigns; the next run takes the others. */
const batchSize = 500

/**
 * Open tickets of teams with automatic assignment that have no assignee, or whose assignee has not replied in time.
 * Those that no member has room for are left out: they would take the places of other teams' tickets in every run.
 */
export const findTicketsToAssign = (system: SystemSql, organizationId: string | undefined) =>
  system.all(TicketRef)`
    select tickets.organization_id, tickets.livemode, tickets.id
    from teams cross join unnest(array[true, false]) modes (livemode)
      join tickets on tickets.organization_id = teams.organization_id and tickets.livemode = modes.livemode
        and tickets.team_id = teams.id
      left join schedules s on s.organization_id = teams.organization_id and s.id = teams.schedule_id
    where ${organizationId ? sql`teams.organization_id = ${organizationId}` : sql`true`}
      and teams.assignment <> 'manual' and tickets.status = 'open' and is_open(s, now())
      and exists (select from team_members m left join member_availability a
          on a.organization_id = m.organization_id and a.user_id = m.user_id
        where m.organization_id = teams.organization_id and m.team_id = teams.id
          and m.user_id is distinct from tickets.assignee_id and coalesce(a.status, 'online') = 'online'
          and (a.capacity is null or a.capacity > (select coalesce(sum(n), 0) from ticket_counts c
            where c.organization_id = teams.organization_id and c.livemode = modes.livemode and c.status = 'open'
              and c.assignee_id = m.user_id)))
      and (tickets.assignee_id is null or ${replyIsDue}) and ${needsPerson}
    order by tickets.last_message_at limit ${batchSize}`

interface Mentioned {
  organizationId: string
  livemode: boolean
  ticketId: string | null
  contactId: string | null
}

/** The open tickets that these events are about, of organizations with teams or assignment rules. */
export const findMentionedTickets = (tx: SystemTx, given: Mentioned[]) =>
  tx.all(TicketRef)`
    select distinct t.organization_id, t.livemode, t.id
    from unnest(${given.map((each) => each.organizationId)}::uuid[], ${given.map((each) => each.livemode)}::boolean[],
        ${given.map((each) => each.ticketId)}::uuid[], ${given.map((each) => each.contactId)}::uuid[])
        given (organization_id, livemode, ticket_id, contact_id)
      join tickets t on t.organization_id = given.organization_id and t.livemode = given.livemode
        and (t.id = given.ticket_id or t.contact_id = given.contact_id)
    where t.status = 'open' and (
      exists (select from assignment_rules r where r.organization_id = t.organization_id and r.livemode = t.livemode
        and r.channel_id = t.channel_id)
      or t.team_id is not null)`

const AwayMessage = Type.Object({ body: Type.String(), opens_at: Type.String() })

/**
 * The away message that is due in this ticket: the contact wrote while its channel was closed, waits, and no agent
 * answers. A contact who wrote earlier gets none when a member changes the ticket in the evening. STOP gets none, and a
 * suspended organization sends none. A closed period lasts until the channel opens by the hours of now: hours
 * that were changed meanwhile, such as a holiday that was added, start no new period.
 */
export const findAwayMessage = (tx: TenantSql, ticketId: string) =>
  tx.maybe(AwayMessage)`
    select r.away_message as body, closed.opens_at
    from tickets join assignment_rules r on r.organization_id = tickets.organization_id
        and r.livemode = tickets.livemode and r.channel_id = tickets.channel_id
      join schedules s on s.organization_id = r.organization_id and s.id = r.schedule_id
      cross join lateral (select coalesce(next_open(s, now()), '9999-01-01')) closed (opens_at)
    where tickets.id = ${ticketId} and tickets.status = 'open' and r.away_message is not null and not is_open(s, now())
      and waits_for_person_since(tickets) is not null and not is_answered_by_ai(tickets)
      and coalesce(next_open(s, (select max(m.created_at) from messages m
        where m.ticket_id = tickets.id and m.direction = 'inbound')) > now(), true)
      and not exists (select from contacts c where c.id = tickets.contact_id
        and c.opted_out_at >= waits_for_person_since(tickets))
      and not exists (select from organizations o where o.id = tickets.organization_id and o.suspended_at is not null)
      and not exists (select from away_messages a where a.ticket_id = tickets.id
        and coalesce(next_open(s, a.created_at) > now(), true))`

export const recordAwayMessage = (tx: TenantTx, ticketId: string, opensAt: string) =>
  tx.run`
    insert into away_messages (ticket_id, opens_at) values (${ticketId}, ${opensAt})
    on conflict (organization_id, livemode, ticket_id, opens_at) do update set created_at = now()`
