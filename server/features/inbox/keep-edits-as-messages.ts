import type { TenantTx } from '../../platform/database.ts'
import type { InboundEdit } from './inbound-edit.ts'
import { receiveMessages } from './receive-messages.ts'

const withoutText =
  'The customer edited a message, but WhatsApp delivered neither the new text nor which message it was.'

/**
 * Edits whose message never came here, or could be any of several: what the contact says now must not be lost. They are
 * stored under the id of the message that they are about, so that it cannot come in beside them later.
 */
export async function keepEditsAsMessages(
  tx: TenantTx,
  edits: InboundEdit[],
  deps: { mediaAddress: string },
): Promise<void> {
  const messages = edits.flatMap(({ kind, channelId, eventId, chatMessageId, sender, at, content, raw }) => {
    if (kind !== 'edit') return []
    const nothing = { type: 'text' as const, body: withoutText, media: null, payload: raw, contextMessageId: null }
    return [{ channelId, sender, at, ...(content ?? nothing), chatMessageId: chatMessageId ?? eventId }]
  })
  if (messages.length > 0) await receiveMessages(tx, messages, deps)
}
