import { ChatError, type ChatPlatform, type OutgoingMessage } from './contract.ts'
import { asId, asObjects, asText, badAnswer, type GraphClient, type Json } from './graph-api-client.ts'

export function messageCalls(client: GraphClient, phoneNumberId: string): Pick<ChatPlatform, 'send' | 'markRead'> {
  return {
    async send(message) {
      // The platform has no idempotency key: resending after a missing response may send twice.
      const edge = message.type === 'template' && message.asMarketing ? 'marketing_messages' : 'messages'
      const json = messageBody(message)
      const answer = await client
        .call({ method: 'POST', path: [phoneNumberId, edge], json, repeatable: false })
        .catch((error) => Promise.reject(doubtUnlessUnsent(error)))
      const accepted = asObjects(answer.messages)[0]
      const id = asId(accepted?.id)
      if (!id) throw badAnswer(false, 'an accepted message without an id')
      const contact = asObjects(answer.contacts)[0]
      return {
        id,
        recipientId: asId(contact?.wa_id) ?? asId(contact?.user_id) ?? null,
        status: asText(accepted?.message_status).toLowerCase() || null,
      }
    },
    async markRead(chatMessageId) {
      const json = { messaging_product: 'whatsapp', status: 'read', message_id: chatMessageId }
      await client.call({ method: 'POST', path: [phoneNumberId, 'messages'], json, repeatable: true })
    },
  }
}

/**
 * The only failures after which a message may be sent again: limits and maintenance that refuse it before it is
 * executed, and requests that were never written. Other call limits (17, 613, 80008, a bare 429) prove nothing here.
 */
const provesUnsent = new Set(['4', '80007', '130429', '131056', '131057', 'unreachable', 'closing'])

function doubtUnlessUnsent(error: unknown): unknown {
  if (!(error instanceof ChatError) || error.verdict !== 'retry' || provesUnsent.has(error.code)) return error
  const { scope, code, subcode, message } = error
  return new ChatError({ verdict: 'unknown', scope, code, subcode, message, retryAfterMs: null }, error)
}

function messageBody(message: OutgoingMessage): Json {
  const { to, replyTo, callbackData } = message
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    // A user without a number is addressed by the id that is specific to this business, in its own member.
    ...('phoneNumber' in to ? { to: to.phoneNumber } : { recipient: to.userId }),
    ...(replyTo !== undefined && { context: { message_id: replyTo } }),
    ...(callbackData !== undefined && { biz_opaque_callback_data: callbackData }),
    type: message.type,
    [message.type]: content(message),
  }
}

function content(message: OutgoingMessage): Json {
  switch (message.type) {
    case 'text':
      return { body: message.body, ...(message.previewUrl !== undefined && { preview_url: message.previewUrl }) }
    case 'image':
    case 'video':
      return { ...message.media, ...caption(message.caption) }
    case 'document':
      return {
        ...message.media,
        ...caption(message.caption),
        ...(message.fileName !== undefined && { filename: message.fileName }),
      }
    case 'audio':
      return { ...message.media }
    case 'reaction':
      return { message_id: message.messageId, emoji: message.emoji }
    case 'template':
      return {
        name: message.name,
        language: { code: message.language },
        ...(message.components.length > 0 && { components: message.components }),
      }
  }
}

const caption = (text: string | undefined) => (text ? { caption: text } : {})
