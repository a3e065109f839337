import Type, { type Static } from 'typebox'
import { escaped } from './json-escapes.ts'
import type { Numbers, SimulatedNumber } from './numbers.ts'
import { Refusal, unknownObject } from './refusals.ts'
import type { SimulatorStore } from './store.ts'
import type { GraphCall } from './template-routes.ts'
import { newMessageId } from './wamid.ts'
import type { Webhooks } from './webhooks.ts'

type Part = Record<string, unknown>

/** What the WhatsApp Business app on the same number does, in the platform's format. Missing members are filled in. */
export const BusinessAppEvent = Type.Object({
  field: Type.Enum(['smb_message_echoes', 'history', 'smb_app_state_sync']),
  value: Type.Unsafe<Part>({ type: 'object', additionalProperties: true }),
})
export type BusinessAppEvent = Static<typeof BusinessAppEvent>

export interface BusinessApp {
  /** Posts the webhook of an event. */
  tell(number: SimulatedNumber, event: BusinessAppEvent): Promise<void>
  /** `/{phone number}/smb_app_data`: each kind of data can be requested once. */
  answer(id: string, call: GraphCall): Promise<unknown>
}

const said = (minutesAgo: number, body: string, more: Part = {}): Part => ({
  timestamp: String(Math.floor(Date.now() / 1000) - minutesAgo * 60),
  text: { body },
  ...more,
})

/** What the app of a simulated number holds. */
const samples: Record<string, () => Part> = {
  smb_app_state_sync: () => ({
    state_sync: [{ contact: { full_name: 'Ines Duarte', first_name: 'Ines', phone_number: '12025550142' } }],
  }),
  history: () => {
    const question = said(1500, 'Do you repair bikes?')
    const answer = said(1490, 'We do.', { history_context: { from_me: true, status: 'READ' } })
    return { history: [{ threads: [{ id: '12025550142', messages: [question, answer] }] }] }
  },
}

export function createBusinessApp({
  store,
  numbers,
  webhooks,
}: {
  store: SimulatorStore
  numbers: Numbers
  webhooks: Webhooks
}): BusinessApp {
  async function tell(number: SimulatedNumber, event: BusinessAppEvent): Promise<void> {
    await numbers.markOnApp(number)
    const json = escaped(JSON.stringify(businessAppValue(number, event)))
    webhooks.push(number, { part: event.field, json, time: Math.floor(Date.now() / 1000) })
  }
  return {
    tell,
    async answer(id, call) {
      const number = await numbers.authorize(call.token, id)
      if (call.method !== 'POST') throw unknownObject(id, call.method.toLowerCase())
      const { messaging_product, sync_type } = await call.body()
      const field = String(sync_type) as BusinessAppEvent['field']
      if (messaging_product !== 'whatsapp' || !Object.hasOwn(samples, field))
        throw new Refusal(100, 'The parameters messaging_product and sync_type are required.')
      const { key, account } = number
      if (!(await store.add({ kind: 'app data', id: `${key} ${field}`, account, data: {} })))
        throw new Refusal(4, '', { message: '(#4) Synchronization request limit exceeded' })
      await tell(number, { field, value: samples[field]?.() ?? {} })
      return { messaging_product: 'whatsapp', request_id: `request-${field}-${id}` }
    },
  }
}

const listOf = (value: unknown): Part[] => (Array.isArray(value) ? (value as Part[]) : [])

/** The value of the webhook. */
function businessAppValue(number: SimulatedNumber, { value }: BusinessAppEvent): Part {
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
