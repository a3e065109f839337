import type { EventKind } from '../../platform/events.ts'
import type { WebhookRow } from './queries.ts'
import { receivedTypes } from './receivable-types.ts'
import type { Webhook } from './schema.ts'

export const describeWebhook = ({ scopes, ...webhook }: WebhookRow, kinds: readonly EventKind[]): Webhook => ({
  ...webhook,
  event_types: receivedTypes({ events: webhook.events, scopes }, kinds),
})
