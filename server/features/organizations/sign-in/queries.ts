import Type, { type Static } from 'typebox'
import type { SystemSql, SystemTx } from '../../../platform/database.ts'
import { newId } from '../../../platform/ids.ts'
import { Id, Instant, Nullable } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import { Membership, Role } from '../schema.ts'
import type { Session } from '../sessions/schema.ts'
import { type SessionLimits, sessionEnd } from '../sessions/session-limits.ts'

/** When signing in no organization is known yet, so these statements see all of them. */

const Linked = Type.Object({ user_id: Id })

export const findIdentity = (tx: SystemTx, issuer: string, subject: string) =>
  tx.maybe(Linked)`select user_id from user_identities where issuer = ${issuer} and subject = ${subject}`

export const lockIdentity = (tx: SystemTx, issuer: string, subject: string) =>
  tx.run`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify([issuer, subject])}, 0))`

export const insertIdentity = (tx: SystemTx, issuer: string, subject: string, userId: string) =>
  tx.run`insert into user_identities (issuer, subject, user_id) values (${issuer}, ${subject}, ${userId})`

const UserRow = Type.Object({
  id: Id,
  email: Type.String(),
  name: Type.String(),
  password_hash: Nullable(Type.String()),
  is_member: Type.Boolean(),
})

const userColumns = sql`id, email, name, password_hash,
  exists (select from members where members.user_id = users.id) as is_member`

export const findUserByEmail = (tx: SystemSql, email: string) =>
  tx.maybe(UserRow)`select ${userColumns} from users where lower(email) = lower(${email})`

const UserToCheck = Type.Object({ ...UserRow.properties, knows_device: Type.Boolean() })

/** One statement whether the account exists or not, so that the timing reveals nothing. */
export const findUserToCheck = (tx: SystemSql, email: string, deviceHash: Buffer | null) =>
  tx.maybe(UserToCheck)`
    select ${userColumns}, exists (
      select from known_devices where user_id = users.id and token_hash = ${deviceHash}::bytea) as knows_device
    from users where lower(email) = lower(${email})`

/** Also deletes devices that were not used for that many days or are not among the most recent. */
export const keepDevice = (
  tx: SystemSql,
  { userId, tokenHash, days, most }: { userId: string; tokenHash: Buffer; days: number; most: number },
) =>
  tx.run`
    with swept as (
      delete from known_devices d where user_id = ${userId} and token_hash <> ${tokenHash} and (
        last_used_at < now() - make_interval(days => ${days}) or token_hash not in (
          select token_hash from known_devices where user_id = ${userId} order by last_used_at desc limit ${most}))
    )
    insert into known_devices (user_id, token_hash) values (${userId}, ${tokenHash})
    on conflict (user_id, token_hash) do update set last_used_at = now()`

export const findUser = (tx: SystemSql, id: string) =>
  tx.maybe(UserRow)`select ${userColumns} from users where id = ${id}`

const NewUser = Type.Object({ id: Id })

/** No row when the email has an account already. */
export const insertUser = (tx: SystemTx, user: { email: string; name: string; passwordHash: string | null }) =>
  tx.maybe(NewUser)`
    insert into users (id, email, name, password_hash)
    values (${newId()}, ${user.email}, ${user.name}, ${user.passwordHash})
    on conflict (lower(email)) do nothing
    returning id`

const Held = Type.Object({ id: Id })

/** Whether the password is still the one that was checked; locks it until the transaction ends. */
export const holdPassword = (tx: SystemTx, userId: string, passwordHash: string | null) =>
  tx.maybe(Held)`
    select id from users where id = ${userId} and password_hash = ${passwordHash}::text for share`

/** Changes the password if it is still the one that was checked; returns the number of rows. */
export const updatePassword = (tx: SystemTx, userId: string, from: string | null, to: string) =>
  tx.run`
    update users set password_hash = ${to}, updated_at = now()
    where id = ${userId} and password_hash is not distinct from ${from}::text`

/** Into the audit log of each organization of the person. */
export const insertPasswordChange = (tx: SystemTx, userId: string) =>
  tx.run`select audit_account(${userId}::uuid, 'password.changed', null, ${userId}::uuid)`

export const clearPassword = (tx: SystemTx, userId: string) =>
  tx.run`update users set password_hash = null, updated_at = now() where id = ${userId}`

export const organizationsOfUser = (tx: SystemSql, userId: string) =>
  tx.all(Membership)`
    select organizations.id, organizations.name, members.role from members
      join organizations on organizations.id = members.organization_id
    where members.user_id = ${userId}
    order by organizations.name, organizations.id`

/** Also forgets that the person was removed from the organization. */
/** With the access that the invitation names, without channels and teams that were deleted meanwhile. */
export const insertMember = (tx: SystemTx, userId: string, { organization_id, role, access }: AcceptedInvitation) =>
  tx.run`
    with forgotten as (delete from removed_members where organization_id = ${organization_id} and user_id = ${userId}),
    member as (
      insert into members (organization_id, user_id, role, is_limited)
      values (${organization_id}, ${userId}, ${role}, ${access !== null}) on conflict do nothing
      returning organization_id, user_id
    ),
    channel as (
      insert into member_channels (organization_id, livemode, user_id, channel_id)
      select c.organization_id, c.livemode, member.user_id, c.id from member join channels c using (organization_id)
      where c.livemode = ${access?.livemode ?? false} and c.id = any(${access?.channel_ids ?? []}::uuid[])
    )
    insert into member_teams (organization_id, user_id, team_id)
    select t.organization_id, member.user_id, t.id from member join teams t using (organization_id)
    where t.id = any(${access?.team_ids ?? []}::uuid[])`

/** The time of the database, which all nodes share, in seconds since 1970. */
const clock = sql`extract(epoch from now())::float8`
const Inserted = Type.Object({ opened_at: Type.Number() })

/** Also deletes old sessions of the same person. */
export const insertSession = (
  tx: SystemSql,
  session: {
    id: string
    userId: string
    secretHash: Buffer
    signedInBy: Session['signed_in_by']
    userAgent: string
    address: string
    hours: number
  },
) =>
  tx.one(Inserted)`
    with swept as (delete from sessions where user_id = ${session.userId} and expires_at < now())
    insert into sessions (id, user_id, secret_hash, signed_in_by, user_agent, ip_address, expires_at)
    values (${session.id}, ${session.userId}, ${session.secretHash}, ${session.signedInBy}, ${session.userAgent},
      ${session.address}, now() + make_interval(hours => ${session.hours}))
    returning ${clock} as opened_at`

const OpenSession = Type.Object({
  id: Id,
  user_id: Id,
  is_member: Type.Boolean(),
  seconds_left: Type.Integer(),
  opened_at: Type.Number(),
})
export type OpenSession = Static<typeof OpenSession>

const openSession = sql`sessions.id, user_id,
  exists (select from members where members.user_id = sessions.user_id) as is_member,
  extract(epoch from expires_at - now())::integer as seconds_left, ${clock} as opened_at`
const isOpen = (limits: SessionLimits) => sql`revoked_at is null and ${sessionEnd(limits)} > now()`

/**
 * The open session whose newest token this is. Of two concurrent requests, the second waits and finds the token used.
 */
export const lockSession = (tx: SystemTx, limits: SessionLimits, tokenHash: Buffer) =>
  tx.maybe(OpenSession)`
    select ${openSession} from sessions where secret_hash = ${tokenHash} and ${isOpen(limits)} for update`

const SpentToken = Type.Object({
  ...OpenSession.properties,
  seed: Type.Unsafe<Buffer>({}),
  secret_hash: Type.Unsafe<Buffer>({}),
  in_grace: Type.Boolean(),
})

/** The open session that this token once belonged to. */
export const findSpentToken = (tx: SystemTx, limits: SessionLimits, tokenHash: Buffer, graceSeconds: number) =>
  tx.maybe(SpentToken)`
    select ${openSession}, seed, secret_hash, spent_at > now() - make_interval(secs => ${graceSeconds}) as in_grace
    from spent_refresh_tokens join sessions on sessions.id = session_id
    where token_hash = ${tokenHash} and ${isOpen(limits)} for update of sessions`

export const replaceToken = (
  tx: SystemTx,
  {
    sessionId,
    tokenHash,
    seed,
    nextHash,
    address,
  }: { sessionId: string; tokenHash: Buffer; seed: Buffer; nextHash: Buffer; address: string },
) =>
  tx.run`
    with spent as (
      insert into spent_refresh_tokens (token_hash, session_id, seed) values (${tokenHash}, ${sessionId}, ${seed})
    )
    update sessions set secret_hash = ${nextHash}, ip_address = ${address}, last_used_at = now() where id = ${sessionId}`

const Fresh = Type.Object({ fresh: Type.Boolean() })

/** Whether the session was opened just now, and in this way. */
export const isFreshBy = (tx: SystemSql, sessionId: string, signedInBy: Session['signed_in_by']) =>
  tx.maybe(Fresh)`
    select signed_in_by = ${signedInBy} and created_at > now() - interval '15 minutes' as fresh
    from sessions where id = ${sessionId}`

/** Changes of one person’s account wait for each other. */
export const lockUser = (tx: SystemTx, userId: string) => tx.run`select from users where id = ${userId} for update`

export const closeSessionById = (tx: SystemSql, id: string) =>
  tx.run`update sessions set revoked_at = now() where id = ${id} and revoked_at is null`

/** By its newest refresh token or one that was used before. */
export const closeSessionByToken = (tx: SystemSql, tokenHash: Buffer) =>
  tx.run`
    update sessions set revoked_at = now()
    where revoked_at is null and id in (
      select id from sessions where secret_hash = ${tokenHash}
      union all select session_id from spent_refresh_tokens where token_hash = ${tokenHash})`

export const closeOtherSessions = (tx: SystemTx, userId: string, except: string | null) =>
  tx.run`
    update sessions set revoked_at = now()
    where user_id = ${userId} and id is distinct from ${except}::uuid and revoked_at is null`

/** For a person's first second factor: ends the other sessions and forgets devices, which were known by a password alone. */
export const endAccessWithoutFactor = async (tx: SystemTx, userId: string, sessionId: string | null) => {
  await closeOtherSessions(tx, userId, sessionId)
  await tx.run`delete from known_devices where user_id = ${userId}`
}

/** Also deletes expired links. */
export const insertSignInLink = (tx: SystemTx, tokenHash: Buffer, userId: string, minutes: number) =>
  tx.run`
    with swept as (delete from sign_in_links where expires_at < now())
    insert into sign_in_links (token_hash, user_id, expires_at)
    values (${tokenHash}, ${userId}, now() + make_interval(mins => ${minutes}))`

/** Writes nothing for a person of no organization. */
export const insertFailedSignIn = (tx: SystemTx, userId: string | null, details: object) =>
  tx.run`select audit_failed_sign_in(${userId}::uuid, ${details})`

const LinkRow = Type.Object({ user_id: Id })

export const findSignInLink = (tx: SystemSql, tokenHash: Buffer) =>
  tx.maybe(LinkRow)`
    select user_id from sign_in_links where token_hash = ${tokenHash} and used_at is null and expires_at > now()`

/** One statement, so that of many concurrent requests only one gets the row. */
export const spendSignInLink = (tx: SystemTx, tokenHash: Buffer) =>
  tx.maybe(LinkRow)`
    update sign_in_links set used_at = now()
    where token_hash = ${tokenHash} and used_at is null and expires_at > now()
    returning user_id`

export const deleteSignInLink = (tx: SystemTx, tokenHash: Buffer) =>
  tx.run`delete from sign_in_links where token_hash = ${tokenHash}`

const Email = Type.Object({ email: Type.String() })

export const findEmail = (tx: SystemSql, userId: string) =>
  tx.maybe(Email)`select email from users where id = ${userId}`

const PasswordOwner = Type.Object({ id: Id, email: Type.String() })

/** The member with this email, unless they sign in with single sign-on. Locked, so that their links can be counted. */
export const lockPasswordOwner = (tx: SystemTx, email: string) =>
  tx.maybe(PasswordOwner)`
    select id, email from users where lower(email) = lower(${email})
      and exists (select from members where members.user_id = users.id)
      and not exists (select from user_identities where user_identities.user_id = users.id)
    for update`

const Count = Type.Object({ n: Type.Integer() })

/** Used ones too, until they expire. */
export const countSignInLinks = (tx: SystemTx, userId: string) =>
  tx.one(Count)`
    select count(*)::integer as n from sign_in_links where user_id = ${userId} and expires_at > now()`

export const deleteSignInLinks = (tx: SystemTx, userId: string) =>
  tx.run`delete from sign_in_links where user_id = ${userId}`

const OpenInvitation = Type.Object({
  organization_id: Id,
  organization_name: Type.String(),
  email: Type.String(),
  role: Role,
  expires_at: Instant,
})
export type OpenInvitation = Static<typeof OpenInvitation>

export const findOpenInvitation = (tx: SystemSql, tokenHash: Buffer) =>
  tx.maybe(OpenInvitation)`
    select organization_id, organizations.name as organization_name, email, role, expires_at
    from invitations join organizations on organizations.id = invitations.organization_id
    where token_hash = ${tokenHash} and accepted_at is null and expires_at > now()`

const AcceptedInvitation = Type.Object({
  organization_id: Id,
  role: Role,
  access: Nullable(Type.Object({ livemode: Type.Boolean(), channel_ids: Type.Array(Id), team_ids: Type.Array(Id) })),
})
type AcceptedInvitation = Static<typeof AcceptedInvitation>

/** One statement, so that of two concurrent requests only one gets the row. */
export const takeInvitation = (tx: SystemTx, tokenHash: Buffer) =>
  tx.maybe(AcceptedInvitation)`
    update invitations set accepted_at = now()
    where token_hash = ${tokenHash} and accepted_at is null and expires_at > now()
    returning organization_id, role, access`

export const takeInvitationsOfEmail = (tx: SystemTx, email: string) =>
  tx.all(AcceptedInvitation)`
    update invitations set accepted_at = now()
    where lower(email) = lower(${email}) and accepted_at is null and expires_at > now()
    returning organization_id, role, access`
