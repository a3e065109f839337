import Type, { type Static } from 'typebox'
import type { SystemSql, SystemTx } from '../../../platform/database.ts'
import { Id, Nullable } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import type { PushKeys } from '../../../platform/web-push.ts'
import { Role, Scope } from '../../organizations/schema.ts'
import { type SessionLimits, sessionEnd } from '../../organizations/sessions/session-limits.ts'
import { nameAndPreview } from '../queries.ts'
import { isQuiet } from '../quiet-hours.ts'
import { Notification, PushSubscription } from '../schema.ts'

const isSignedIn = (limits: SessionLimits) => sql`sessions.revoked_at is null and ${sessionEnd(limits)} > now()`

const Device = Type.Object({ id: Id, user_id: Id })

/** Of all sessions: whether one is still open is checked when a push is sent. */
export const findDevices = (tx: SystemTx, userIds: string[]) =>
  tx.all(Device)`select id, user_id from push_subscriptions where user_id = any(${userIds}::uuid[]) order by id`

const DeviceState = Type.Object({ has_device: Type.Boolean() })

export const hasDevice = (tx: SystemSql, limits: SessionLimits, userId: string) =>
  tx.one(DeviceState)`
    select exists (
      select from push_subscriptions s join sessions on sessions.id = s.session_id
      where s.user_id = ${userId} and ${isSignedIn(limits)}) as has_device`

const Bytes = Type.Unsafe<Buffer>({})
const { kind, ticket_id, count, contact_name, preview } = Notification.properties
const Push = Type.Object({
  endpoint: Type.String(),
  p256dh: Bytes,
  auth: Bytes,
  is_signed_in: Type.Boolean(),
  organization_name: Type.String(),
  role: Role,
  scopes: Nullable(Type.Array(Scope)),
  ...{ kind, ticket_id, count, contact_name, preview },
})
export type Push = Static<typeof Push>

/** No row if it was shown, read or replaced meanwhile, if it is quiet now, or if the browser is no longer subscribed. */
export const findPush = (
  tx: SystemSql,
  limits: SessionLimits,
  given: { organizationId: string; livemode: boolean; notificationId: string; subscriptionId: string },
) =>
  tx.maybe(Push)`
    select s.endpoint, s.p256dh, s.auth, ${isSignedIn(limits)} as is_signed_in, organization.name as organization_name,
      m.role, roles.scopes,
      n.kind, n.ticket_id, n.count, ${nameAndPreview}
    from notifications n
      join organizations organization on organization.id = n.organization_id and organization.suspended_at is null
      join push_subscriptions s on s.id = ${given.subscriptionId} and s.user_id = n.user_id
      join sessions on sessions.id = s.session_id
      join members m on m.organization_id = n.organization_id and m.user_id = n.user_id
      left join roles on roles.organization_id = m.organization_id and roles.id = m.custom_role_id
      left join notification_preferences p on p.organization_id = n.organization_id and p.user_id = n.user_id
    where n.organization_id = ${given.organizationId} and n.livemode = ${given.livemode}
      and n.id = ${given.notificationId} and n.shown_at is null and n.read_at is null and not ${isQuiet}
      and sees_ticket(n.organization_id, n.livemode, n.ticket_id, n.user_id)`

/** A browser has one subscription: of the person who signed in there last. */
export const saveSubscription = (
  tx: SystemTx,
  {
    id,
    userId,
    sessionId,
    endpoint,
    p256dh,
    auth,
  }: PushKeys & Record<'id' | 'userId' | 'sessionId' | 'endpoint', string>,
) =>
  tx.one(PushSubscription)`
    insert into push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth)
    values (${id}, ${userId}, ${sessionId}, ${endpoint}, ${p256dh}, ${auth})
    on conflict (endpoint) do update set user_id = excluded.user_id, session_id = excluded.session_id,
      p256dh = excluded.p256dh, auth = excluded.auth
    returning id, created_at`

export const dropExcess = (tx: SystemTx, userId: string, most: number) =>
  tx.run`
    delete from push_subscriptions where id in (
      select id from push_subscriptions where user_id = ${userId} order by id desc offset ${most})`

export const deleteSubscription = (tx: SystemSql, id: string, userId: string) =>
  tx.run`delete from push_subscriptions where id = ${id} and user_id = ${userId}`

export const dropSubscription = (tx: SystemSql, id: string) => tx.run`delete from push_subscriptions where id = ${id}`
