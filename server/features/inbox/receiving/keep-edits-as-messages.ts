import type { TenantTx } from '../../../platform/database.ts'
import type { InboundEdit } from './inbound-edit.ts'
import type { Receiving } from './inbound-message.ts'
import { receiveMessages } from './receive-messages.ts'

const withoutText =
  'The customer edited a message, but WhatsApp delivered neither the new text nor which message it was.'

/**
 * Stores edits whose message is unknown or ambiguous as messages of their own, so that the new text is not lost. They
 * are stored under the id of the original message: if that arrives later, it counts as a duplicate.
 */
export async function keepEditsAsMessages(tx: TenantTx, edits: InboundEdit[], deps: Receiving): Promise<void> {
  const messages = edits.flatMap(({ kind, channelId, eventId, chatMessageId, sender, at, content, raw }) => {
    if (kind !== 'edit') return []
    const nothing = { type: 'text' as const, body: withoutText, media: null, payload: raw, contextMessageId: null }
    return [{ channelId, sender, at, ...(content ?? nothing), chatMessageId: chatMessageId ?? eventId }]
  })
  if (messages.length > 0) await receiveMessages(tx, messages, deps)
}
