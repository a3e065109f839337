import type { Database } from '../../platform/database.ts'
import { AppError, found } from '../../platform/errors.ts'
import { toCursorPage } from '../../platform/http/pagination.ts'
import type { Principal } from '../../platform/http/principal.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { OutboundHttp } from '../../platform/outbound-fetch.ts'
import { Deleted, deleted } from '../../platform/schemas.ts'
import type { PushSender } from '../../platform/web-push.ts'
import type { SessionLimits } from '../organizations/sessions/session-limits.ts'
import { changePreferences, readPreferences } from './change-preferences.ts'
import { isPushed } from './push/is-pushed.ts'
import { deleteSubscription } from './push/queries.ts'
import { subscribeToPush } from './push/subscribe-to-push.ts'
import { claimAlert, countUnread, listNotifications, markAllRead, markRead } from './queries.ts'
import {
  NewPushSubscription,
  Notification,
  NotificationFilter,
  NotificationPage,
  NotificationPath,
  PreferenceChanges,
  Preferences,
  PushSubscription,
  PushSubscriptionPath,
  ReadNotifications,
  Shown,
  ShowOptions,
  UnreadCount,
} from './schema.ts'

/** A person alone has notifications. */
function personOf({ person }: Principal) {
  if (!person) throw new AppError(403, 'Only people have notifications')
  return person
}

const common = { tag: 'Notifications', scope: 'inbox:read', peopleOnly: true } as const

interface Services {
  database: Database
  http: OutboundHttp
  sessionLimits: SessionLimits
  sendsMail: boolean
  pushSender(): Promise<PushSender | undefined>
}

export function notificationRoutes(routes: Routes, services: Services): void {
  const described = async (stored: Preferences) => ({
    ...stored,
    email_available: services.sendsMail,
    push_public_key: (await services.pushSender())?.publicKey ?? null,
  })

  routes.read({
    ...common,
    id: 'listNotifications',
    method: 'GET',
    url: '/notifications',
    summary: 'List your notifications',
    description:
      'Newest first. While you have not read a notification, the next one of the same kind and ticket replaces it. Kept for 30 days.',
    query: NotificationFilter,
    response: NotificationPage,
    handler: async (sql, { query, principal }) => {
      const rows = await listNotifications(sql, personOf(principal).userId, query)
      return { ...toCursorPage<Notification>(rows, query.limit), unread_count: rows[0]?.unread_count ?? 0 }
    },
  })

  routes.write({
    ...common,
    id: 'readNotifications',
    method: 'POST',
    url: '/notifications/read',
    summary: 'Mark your notifications as read',
    description: 'All of them, or those about one ticket.',
    body: ReadNotifications,
    response: UnreadCount,
    handler: async (tx, { body, principal }) => {
      const { userId } = personOf(principal)
      await markAllRead(tx, userId, body.ticket_id ?? null)
      return countUnread(tx, userId)
    },
  })

  routes.write({
    ...common,
    id: 'readNotification',
    method: 'POST',
    url: '/notifications/{notification_id}/read',
    summary: 'Mark a notification as read',
    params: NotificationPath,
    response: Notification,
    handler: async (tx, { params, principal }) =>
      found(await markRead(tx, personOf(principal).userId, params.notification_id), 'Notification'),
  })

  routes.callOut({
    ...common,
    id: 'showNotification',
    method: 'POST',
    url: '/notifications/{notification_id}/shown',
    summary: 'Claim to show a notification',
    description:
      'For an app that the member is using. The first one to call this alerts the member; no other device does, and nothing is pushed. One that was read or replaced meanwhile needs no alert. Call it within five seconds of the hint `notification.created` of the event stream. An app that is open but not in use waits two seconds and then calls it with `in_use=false`.',
    params: NotificationPath,
    query: ShowOptions,
    response: Shown,
    handler: async ({ params, query, principal }) => {
      const { userId } = personOf(principal)
      const { scope } = principal
      if (!query.in_use && (await isPushed(services, scope, userId))) return { alert: false }
      const { is_first, is_quiet } = await services.database.inTenant(scope, (tx) =>
        claimAlert(tx, userId, params.notification_id),
      )
      return { alert: is_first && !is_quiet }
    },
  })

  routes.read({
    ...common,
    id: 'getNotificationPreferences',
    method: 'GET',
    url: '/notifications/preferences',
    summary: 'Get your notification preferences',
    response: Preferences,
    handler: async (sql, { principal }) => described(await readPreferences(sql, personOf(principal).userId)),
  })

  routes.write({
    ...common,
    id: 'updateNotificationPreferences',
    method: 'PATCH',
    url: '/notifications/preferences',
    summary: 'Update your notification preferences',
    description: 'Of this organization, for both modes. Changes only the fields that you send.',
    body: PreferenceChanges,
    response: Preferences,
    handler: async (tx, { body, principal }) =>
      described(await changePreferences(tx, personOf(principal).userId, body)),
  })

  routes.stream({
    ...common,
    id: 'createPushSubscription',
    method: 'POST',
    url: '/push-subscriptions',
    summary: 'Receive push notifications in this browser',
    description:
      'Notifications of live mode that no app in use has shown are pushed to the browser, encrypted, until the session ends. Of all your organizations.',
    body: NewPushSubscription,
    response: PushSubscription,
    status: 201,
    handler: ({ body, principal }) => subscribeToPush(services, personOf(principal), body),
  })

  routes.stream({
    ...common,
    id: 'deletePushSubscription',
    method: 'DELETE',
    url: '/push-subscriptions/{subscription_id}',
    summary: 'Stop push notifications in a browser',
    params: PushSubscriptionPath,
    response: Deleted,
    handler: async ({ params, principal }) => {
      const { userId } = personOf(principal)
      found(
        await deleteSubscription(services.database.forSystem(), params.subscription_id, userId),
        'Push subscription',
      )
      return deleted('Push subscription')
    },
  })
}
