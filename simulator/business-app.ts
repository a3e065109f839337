import Type, { type Static } from 'typebox'
import type { SimulatedNumber } from './numbers.ts'
import { newMessageId } from './wamid.ts'

type Part = Record<string, unknown>

/** What the WhatsApp Business app on the same number does, in the platform's format. Missing members are filled in. */
export const BusinessAppEvent = Type.Object({
  field: Type.Enum(['smb_message_echoes', 'history', 'smb_app_state_sync']),
  value: Type.Unsafe<Part>({ type: 'object', additionalProperties: true }),
})
export type BusinessAppEvent = Static<typeof BusinessAppEvent>

const listOf = (value: unknown): Part[] => (Array.isArray(value) ? (value as Part[]) : [])

/** The value of the webhook. */
export function businessAppValue(number: SimulatedNumber, { value }: BusinessAppEvent): Part {
  const now = Date.now()
  const own = number.display_phone_number.replace(/\D/g, '')
  const timestamp = String(Math.floor(now / 1000))
  const sent = (message: Part) => ({
    from: own,
    id: newMessageId('outbound', number.phone_number_id, now),
    timestamp,
    type: 'text',
    ...message,
  })
  const inThread = (thread: Part) => (message: Part) =>
    sent({ ...((message.history_context as Part)?.from_me !== true && { from: thread.id }), ...message })
  const inChunk = (chunk: Part) => ({
    metadata: { phase: 0, chunk_order: 1, progress: 100 },
    ...chunk,
    threads: listOf(chunk.threads).map((thread) => ({
      ...thread,
      messages: listOf(thread.messages).map(inThread(thread)),
    })),
  })
  return {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: own, phone_number_id: number.phone_number_id },
    ...value,
    ...(value.message_echoes !== undefined && { message_echoes: listOf(value.message_echoes).map(sent) }),
    ...(value.history !== undefined && { history: listOf(value.history).map(inChunk) }),
    ...(value.state_sync !== undefined && {
      state_sync: listOf(value.state_sync).map((part) => ({
        type: 'contact',
        action: 'add',
        metadata: { timestamp },
        ...part,
      })),
    }),
  }
}
