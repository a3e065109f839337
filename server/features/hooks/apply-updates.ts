import type { TenantScope, TenantTx } from '../../platform/database.ts'
import { recordDeliveryStatuses } from '../campaigns/deliveries/record-delivery-statuses.ts'
import { recordReplies } from '../campaigns/deliveries/record-replies.ts'
import {
  type AccountHealthUpdate,
  recordAccountHealth,
  type ShowingChannels,
} from '../channels/health/record-health.ts'
import { markCoexistence } from '../channels/hooks/mark-coexistence.ts'
import type { IdentityChange } from '../contacts/senders/change-identities.ts'
import { type AppContact, addAppContacts } from '../inbox/business-app/add-app-contacts.ts'
import type { AppMessage } from '../inbox/business-app/app-message.ts'
import { copyHistory } from '../inbox/business-app/copy-history.ts'
import type { InboundReaction } from '../inbox/messages/record-reactions.ts'
import type { InboundEdit } from '../inbox/receiving/inbound-edit.ts'
import type { InboundMessage, Receiving } from '../inbox/receiving/inbound-message.ts'
import { receiveMessages } from '../inbox/receiving/receive-messages.ts'
import type { MessageStatus } from '../inbox/receiving/record-statuses.ts'
import { recordTemplateUpdates, type TemplateUpdate } from '../templates/syncing/record-template-updates.ts'
import { applyOrKeep, changeOrKeep, preferOrKeep } from './early-updates.ts'
import { findUnlinked, linkRecipients } from './link-recipients.ts'
import { lockEveryone } from './lock-everyone.ts'
import { type Change, noUpdates, type Preference } from './payloads/read-payload.ts'

/** The updates of webhooks for one organization and mode, applied in one transaction. */
export interface Bundle {
  scope: TenantScope
  messages: InboundMessage[]
  reactions: InboundReaction[]
  edits: InboundEdit[]
  statuses: MessageStatus[]
  identities: IdentityChange[]
  preferences: Preference[]
  templates: TemplateUpdate[]
  health: AccountHealthUpdate[]
  echoes: AppMessage[]
  history: AppMessage[]
  appContacts: (AppContact & { channelId: string })[]
}

export const emptyBundle = (scope: TenantScope): Bundle => ({ scope, ...noUpdates() })

/** The number of updates. */
export const sizeOf = ({
  messages,
  reactions,
  edits,
  statuses,
  identities,
  preferences,
  templates,
  health,
  echoes,
  history,
  appContacts,
}: Omit<Bundle | Change, 'scope'>) =>
  messages.length +
  reactions.length +
  edits.length +
  statuses.length +
  identities.length +
  preferences.length +
  templates.length +
  health.length +
  echoes.length +
  history.length +
  appContacts.length

export function addToBundle(bundle: Bundle, change: Change, channelId: string): void {
  for (const message of change.messages) bundle.messages.push({ ...message, channelId })
  for (const reaction of change.reactions) bundle.reactions.push({ ...reaction, channelId })
  for (const edit of change.edits) bundle.edits.push({ ...edit, channelId })
  for (const status of change.statuses) bundle.statuses.push({ ...status, channelId })
  bundle.identities.push(...change.identities)
  bundle.preferences.push(...change.preferences)
  bundle.templates.push(...change.templates)
  bundle.health.push(...change.health)
  for (const echo of change.echoes) bundle.echoes.push({ ...echo, channelId })
  for (const message of change.history) bundle.history.push({ ...message, channelId })
  for (const contact of change.appContacts) bundle.appContacts.push({ ...contact, channelId })
}

/** All or nothing, and idempotent: updates that were applied before change nothing. */
export async function applyUpdates(tx: TenantTx, bundle: Bundle, deps: Receiving & ShowingChannels): Promise<void> {
  const recipients = await findUnlinked(tx, bundle.statuses)
  await lockEveryone(tx, { ...bundle, recipients })
  await changeOrKeep(tx, bundle.identities, deps)
  await linkRecipients(tx, recipients, deps)
  await applyBusinessApp(tx, bundle, deps)
  const replies = bundle.messages.length > 0 ? await receiveMessages(tx, bundle.messages, deps) : []
  await preferOrKeep(tx, bundle.preferences)
  // First: a status can arrive before the platform's response, and this step creates the message that it refers to.
  await recordDeliveryStatuses(tx, bundle.statuses)
  await applyOrKeep(tx, bundle, deps)
  if (bundle.templates.length > 0) await recordTemplateUpdates(tx, bundle.templates)
  if (bundle.health.length > 0) await recordAccountHealth(tx, bundle.health, deps)
  // Last: it locks deliveries, and every transaction locks contacts before deliveries.
  await recordReplies(tx, replies)
}

/** First the people, then what they wrote: a contact has its name from the address book. */
async function applyBusinessApp(
  tx: TenantTx,
  { appContacts, history, echoes }: Bundle,
  deps: Receiving,
): Promise<void> {
  const channelIds = new Set([...appContacts, ...history, ...echoes].map(({ channelId }) => channelId))
  if (channelIds.size === 0) return
  await markCoexistence(tx, [...channelIds])
  await addAppContacts(tx, appContacts, deps)
  await copyHistory(tx, history, deps)
}
