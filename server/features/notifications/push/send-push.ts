import type { Database } from '../../../platform/database.ts'
import { covers } from '../../../platform/http/principal.ts'
import type { Log } from '../../../platform/log.ts'
import type { OutboundHttp } from '../../../platform/outbound-fetch.ts'
import { encryptPush, type PushSender } from '../../../platform/web-push.ts'
import { scopesGranted } from '../../organizations/roles/scopes-granted.ts'
import type { SessionLimits } from '../../organizations/sessions/session-limits.ts'
import { notificationTitle } from '../texts.ts'
import { dropSubscription, findPush, type Push } from './queries.ts'

export interface Pushing {
  database: Database
  http: OutboundHttp
  log: Log
  sessionLimits: SessionLimits
  /** Undefined if the stored key cannot be opened. */
  pushSender(): Promise<PushSender | undefined>
}

interface Given {
  organizationId: string
  livemode: boolean
  notificationId: string
  subscriptionId: string
}

/** A push service keeps the message for this long if the device is offline. */
const keptForSeconds = 4 * 3600
const timeLimitMs = 15_000
const maxAnswerBytes = 4096

/**
 * Sends a notification to one browser, unless a tab in use has shown it meanwhile. If the worker dies after the push
 * service accepted it, the retry sends it again; its topic and tag replace the first one without a second alert.
 */
export async function sendPush(deps: Pushing, given: Given): Promise<void> {
  const { database, http, log } = deps
  const [push, sender] = await Promise.all([
    findPush(database.forSystem(), deps.sessionLimits, given),
    deps.pushSender(),
  ])
  if (!push || !sender || !covers(scopesGranted(push.role, push.scopes), 'inbox:read')) return
  const { subscriptionId } = given
  if (!push.is_signed_in) return void (await dropSubscription(database.forSystem(), subscriptionId))
  const { status } = await http.fetch({
    url: push.endpoint,
    method: 'POST',
    headers: {
      authorization: await sender.authorize(new URL(push.endpoint).origin),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(keptForSeconds),
      urgency: 'high',
      topic: push.ticket_id.replaceAll('-', ''),
    },
    body: encryptPush(Buffer.from(JSON.stringify(messageOf(push, given))), push),
    timeLimitMs,
    maxBytes: maxAnswerBytes,
    cutOff: true,
    guarded: true,
  })
  if (status === 404 || status === 410) await dropSubscription(database.forSystem(), subscriptionId)
  else if (status === 429 || status >= 500) throw new Error(`the push service returned status ${status}`)
  else if (status >= 300) log.warn({ subscriptionId, status }, 'web push: refused')
}

/** What the service worker of the console shows; at most some 1,500 bytes. */
const messageOf = (push: Push, { notificationId: id, organizationId }: Given) => ({
  id,
  title: notificationTitle(push),
  body: push.preview,
  organization: push.organization_name,
  tag: `ticket ${push.ticket_id}`,
  url: `/inbox/${push.ticket_id}?organization=${organizationId}`,
})
