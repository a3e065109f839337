import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { readCursorPage } from '../../../platform/http/pagination.ts'
import { Id, Nullable } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import { Role, Scope } from '../schema.ts'
import { type Access, Invitation, type InvitationFilter, Member, type MemberFilter } from './schema.ts'

const memberColumns = sql`members.user_id as id, members.organization_id, users.email, users.name, members.role,
  case when members.is_limited then json_build_object(
    'channel_ids', array(select channel_id from member_channels c where c.user_id = members.user_id order by channel_id),
    'team_ids', array(select team_id from member_teams t where t.user_id = members.user_id order by team_id)) end as access,
  members.created_at, members.updated_at`

const membersWithUsers = sql`members join users on users.id = members.user_id`

const countMembers = sql`select count(*) as total_count from members`

export const listMembers = (tx: TenantSql, filter: MemberFilter) =>
  readCursorPage<Member>(
    tx,
    { columns: memberColumns, from: membersWithUsers, id: sql`members.user_id`, total: countMembers },
    filter,
  )

export const findMember = (tx: TenantSql, id: string) =>
  tx.maybe(Member)`
    select ${memberColumns} from ${membersWithUsers} where members.user_id = ${id}`

export const findMemberByEmail = (tx: TenantSql, email: string) =>
  tx.maybe(Member)`
    select ${memberColumns} from ${membersWithUsers}
    where lower(users.email) = lower(${email})`

/** A role with the scopes of its row, if it is a custom one. */
const GivenRole = Type.Object({ role: Role, scopes: Nullable(Type.Array(Scope)) })
const LockedMember = Type.Object({ id: Id, ...GivenRole.properties, is_limited: Type.Boolean() })

export const findRolesOf = (tx: TenantSql, ids: string[]) =>
  tx.all(LockedMember)`
    select user_id as id, role, scopes, is_limited from members left join roles on roles.id = custom_role_id
    where user_id = any(${ids}::uuid[])`

/** Locks these members and all owners until the transaction ends, so that roles cannot change meanwhile. */
export const lockMembers = (tx: TenantTx, ids: (string | undefined)[]) =>
  tx.all(LockedMember)`
    select user_id as id, role, scopes, is_limited from members left join roles on roles.id = custom_role_id
    where user_id = any(${ids.filter((id) => id !== undefined)}::uuid[]) or role = 'owner'
    order by user_id for no key update of members`

export const updateRole = (tx: TenantTx, id: string, role: Role) =>
  tx.run`
    update members set role = ${role}, is_limited = is_limited and ${role} not in ('owner', 'admin'), updated_at = now()
    where user_id = ${id}`

export const updateLimit = (tx: TenantTx, id: string, isLimited: boolean) =>
  tx.run`update members set is_limited = ${isLimited}, updated_at = now() where user_id = ${id}`

/** Replaces the channels of this mode and the teams, which are common to both. */
export async function replaceAccess(tx: TenantTx, id: string, { channel_ids, team_ids }: Access): Promise<void> {
  await tx.run`delete from member_channels where user_id = ${id} and channel_id <> all(${channel_ids}::uuid[])`
  await tx.run`delete from member_teams where user_id = ${id} and team_id <> all(${team_ids}::uuid[])`
  await tx.run`
    insert into member_channels (user_id, channel_id) select ${id}, * from unnest(${channel_ids}::uuid[])
    on conflict do nothing`
  await tx.run`
    insert into member_teams (user_id, team_id) select ${id}, * from unnest(${team_ids}::uuid[]) on conflict do nothing`
}

const ExistingAccess = Type.Object({ has_channels: Type.Boolean(), has_teams: Type.Boolean() })

/** Locks the channels and teams: they exist until the commit. */
export const findExistingAccess = (tx: TenantTx, { channel_ids, team_ids }: Access) =>
  tx.one(ExistingAccess)`
    select ${channel_ids}::uuid[] <@ array(select id from channels where id = any(${channel_ids}::uuid[]) for key share) as has_channels,
      ${team_ids}::uuid[] <@ array(select id from teams where id = any(${team_ids}::uuid[]) for key share) as has_teams`

const RemovedMember = Type.Object({ team_ids: Type.Array(Id) })

/** Returns the teams that the member was in. */
export const deleteMember = (tx: TenantTx, id: string) =>
  tx.one(RemovedMember)`
    delete from members where user_id = ${id}
    returning array(select team_id from team_members where team_members.user_id = members.user_id) as team_ids`

const Time = Type.Object({ at: Type.String() })

/** The time that rows of this transaction carry, to the millisecond or earlier. */
export const transactionTime = (tx: TenantTx) => tx.one(Time)`select date_trunc('milliseconds', now())::text as at`

export const rememberRemoval = (tx: TenantTx, id: string) =>
  tx.run`insert into removed_members (user_id) values (${id}) on conflict do nothing`

const invitationColumns = sql`id, organization_id, email, role, access - 'livemode' as access, invited_by, mail_status, expires_at, created_at`
/** Invitations that have not been accepted, including expired ones. */
export const listInvitations = (tx: TenantSql, filter: InvitationFilter) =>
  readCursorPage<Invitation>(
    tx,
    { columns: invitationColumns, from: sql`invitations`, where: sql`accepted_at is null` },
    filter,
  )

const OfferedRole = Type.Object({ id: Id, ...GivenRole.properties })

export const findOfferedRole = (tx: TenantTx, id: string) =>
  tx.maybe(OfferedRole)`
    select invitations.id, role, scopes from invitations left join roles on roles.id = custom_role_id
    where invitations.id = ${id} and accepted_at is null`

export const findInvitation = (tx: TenantSql, id: string) =>
  tx.maybe(Invitation)`select ${invitationColumns} from invitations where id = ${id} and accepted_at is null`

export const findInvitationOfEmail = (tx: TenantSql, email: string) =>
  tx.maybe(Invitation)`
    select ${invitationColumns} from invitations
    where lower(email) = lower(${email}) and accepted_at is null and expires_at > now()`

export const deleteExpiredInvitation = (tx: TenantTx, email: string) =>
  tx.run`delete from invitations where lower(email) = lower(${email}) and accepted_at is null and expires_at <= now()`

export const insertInvitation = (
  tx: TenantTx,
  invitation: Pick<Invitation, 'id' | 'email' | 'role' | 'access' | 'invited_by' | 'mail_status'> & {
    tokenHash: Buffer
    days: number
  },
) =>
  tx.one(Invitation)`
    insert into invitations (id, email, role, access, token_hash, invited_by, mail_status, expires_at)
    values (${invitation.id}, ${invitation.email}, ${invitation.role},
      ${invitation.access}::jsonb || jsonb_build_object('livemode', current_livemode()), ${invitation.tokenHash},
      ${invitation.invited_by}, ${invitation.mail_status}, now() + make_interval(days => ${invitation.days}))
    returning ${invitationColumns}`

const MailToSend = Type.Object({ email: Type.String(), organization_name: Type.String() })

/** Marks the mail as in flight; no row if another worker has sent it or the invitation is no longer open. */
export const claimInvitationMail = (tx: TenantTx, id: string) =>
  tx.maybe(MailToSend)`
    update invitations set mail_status = 'unknown' from organizations
    where invitations.id = ${id} and organizations.id = organization_id and mail_status in ('queued', 'failed')
      and accepted_at is null and expires_at > now()
    returning email, organizations.name as organization_name`

export const updateMailStatus = (tx: TenantTx, id: string, status: 'sent' | 'failed' | 'unknown') =>
  tx.run`update invitations set mail_status = ${status} where id = ${id}`

export const deleteInvitation = (tx: TenantTx, id: string) =>
  tx.run`delete from invitations where id = ${id} and accepted_at is null`

/** The roles that these members have open invitations to. */
export const rolesOfferedBy = (tx: TenantTx, userIds: readonly string[]) =>
  tx.all(GivenRole)`
    select distinct role, scopes from invitations left join roles on roles.id = custom_role_id
    where invited_by = any(${[...userIds]}::uuid[]) and accepted_at is null`

export const deleteInvitationsBy = (tx: TenantTx, userIds: readonly string[], roles: readonly Role[]) =>
  tx.run`
    delete from invitations
    where invited_by = any(${[...userIds]}::uuid[]) and accepted_at is null and role = any(${[...roles]}::text[])`

export const deleteAllInvitationsBy = (tx: TenantTx, userId: string) =>
  tx.run`delete from invitations where invited_by = ${userId} and accepted_at is null`

const Holder = Type.Object({ id: Id })

export const membersWithRole = (tx: TenantTx, roleId: string) =>
  tx.all(Holder)`select user_id as id from members where custom_role_id = ${roleId}`
