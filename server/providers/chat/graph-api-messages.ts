import { ChatError, type ChatPlatform, type OutgoingMessage } from './contract.ts'
import { asId, asObjects, asText, badAnswer, type GraphClient, type Json } from './graph-api-client.ts'
import { interactiveJson } from './graph-api-interactive.ts'

/** An agent waits for its typing indicator before it answers. */
const typingTimeLimitMs = 5_000

export function messageCalls(client: GraphClient, phoneNumberId: string): Pick<ChatPlatform, 'send' | 'markRead'> {
  return {
    async send(message, onWritten) {
      // The platform has no idempotency key: resending after a missing response may send twice.
      const path = [phoneNumberId, isMarketing(message) ? 'marketing_messages' : 'messages']
      const request = { method: 'POST', path, json: messageBody(message), repeatable: false, onWritten } as const
      const answer = await client.call(request).catch((error) => Promise.reject(doubtUnlessUnsent(error)))
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
    async markRead(chatMessageId, { isTyping = false } = {}) {
      const json = { messaging_product: 'whatsapp', status: 'read', message_id: chatMessageId }
      const typing = { ...json, typing_indicator: { type: 'text' } }
      await client.call({
        method: 'POST',
        path: [phoneNumberId, 'messages'],
        repeatable: true,
        ...(isTyping ? { json: typing, timeLimitMs: typingTimeLimitMs } : { json }),
      })
    },
  }
}

const isMarketing = (message: OutgoingMessage) => message.type === 'template' && message.asMarketing === true

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
    // `marketing_messages` documents no `context`, and WhatsApp shows no quote above a template.
    ...(replyTo !== undefined && !isMarketing(message) && { context: { message_id: replyTo } }),
    ...(callbackData !== undefined && { biz_opaque_callback_data: callbackData }),
    type: message.type,
    [message.type]: content(message),
  }
}

function content(message: OutgoingMessage): Json | Json[] {
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
    case 'sticker':
      return { ...message.media }
    case 'interactive':
      return interactiveJson(message.interactive)
    case 'location':
      return { ...message.location }
    case 'contacts':
      return message.contacts.map(namedTwice)
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

/** The platform's reference asks for one more part of the name besides the formatted one. */
function namedTwice(card: Json): Json {
  const name = card.name as Json
  return Object.keys(name).length > 1 ? card : { ...card, name: { ...name, first_name: name.formatted_name } }
}

const caption = (text: string | undefined) => (text ? { caption: text } : {})
