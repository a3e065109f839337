import { createHmac } from 'node:crypto'
import type { Log } from '../server/platform/log.ts'
import type { OutboundHttp } from '../server/platform/outbound-fetch.ts'
import { quoted } from './json-escapes.ts'
import type { KnobBoard } from './knobs.ts'
import type { Numbers, SimulatedNumber } from './numbers.ts'
import { createSchedule } from './schedule.ts'

/** One update, as it appears in a webhook. */
interface Update {
  /** `statuses` and `messages` are parts of the field `messages`; any other value is a field of its own. */
  part: string
  json: string
  /** The `contacts` entry of an inbound message. */
  contact?: string
  /** Unix seconds of an account's event. */
  time?: number
}

export interface Webhooks {
  push(number: SimulatedNumber, update: Update, delayMs?: number): void
  /** 0 when everything was accepted. */
  readonly waiting: number
  /** Ends it; returns the bodies that were not accepted, with the key of a number that knows their address. */
  drain(): { key: string; body: string }[]
  /** Continues with what an earlier run left. */
  resume(key: string, body: string): void
}

interface WebhookOptions {
  numbers: Numbers
  knobs: KnobBoard
  http: OutboundHttp
  log: Log
  /** Divides waits; 0 removes them. */
  speed: number
  /** The base of paths. Attempts count from 0, so that another listener can be tried. */
  callbackBase?: ((attempt: number) => Promise<string | undefined>) | undefined
}

interface Outbox {
  key: string
  updates: [SimulatedNumber, Update][]
  flushing: boolean
  inFlight: number
}

interface Delayed {
  at: number
  number: SimulatedNumber
  update: Update
}

interface Posting {
  at: number
  key: string
  body: string
  attempt: number
  firstAt: number
}

/** Enough to keep a fast receiver busy; a slow one gets larger batches instead of more of them. */
const mostInFlight = 4
/** The platform posts 3 MB at most. */
const largestBody = 2_500_000
const giveUpAfterMs = 7 * 24 * 3600 * 1000
const timeLimitMs = 10_000

export function createWebhooks({ numbers, knobs, http, log, speed, callbackBase }: WebhookOptions): Webhooks {
  const outboxes = new Map<string, Outbox>()
  const byNumber = new WeakMap<SimulatedNumber, Outbox>()
  const retries = createSchedule<Posting>((posting) => void post(posting))
  const delayed = createSchedule<Delayed>(({ number, update }) => enqueue(number, update))
  const posting = new Set<Posting>()
  let waiting = 0
  let closed = false
  knobs.onChange(() => {
    for (const outbox of outboxes.values()) flushSoon(outbox)
  })

  function outboxOf(number: SimulatedNumber): Outbox {
    const known = byNumber.get(number)
    if (known) return known
    const id = `${number.owner} ${number.callback_url} ${number.app_secret}`
    const outbox = outboxes.get(id) ?? { key: number.key, updates: [], flushing: false, inFlight: 0 }
    outboxes.set(id, outbox)
    byNumber.set(number, outbox)
    // The most recent listener is certainly still registered.
    outbox.key = number.key
    return outbox
  }

  function enqueue(number: SimulatedNumber, update: Update): void {
    waiting++
    const outbox = outboxOf(number)
    outbox.updates.push([number, update])
    flushSoon(outbox)
  }

  function flushSoon(outbox: Outbox): void {
    if (outbox.flushing || outbox.updates.length === 0 || closed) return
    outbox.flushing = true
    setTimeout(() => {
      outbox.flushing = false
      flush(outbox)
    }, knobs.of(outbox.updates[0]?.[0].phone_number_id).batch_wait_ms)
  }

  function flush(outbox: Outbox): void {
    while (outbox.updates.length > 0 && outbox.inFlight < mostInFlight && !closed) {
      const { batch_size, webhooks, order } = knobs.of(outbox.updates[0]?.[0].phone_number_id)
      if (!webhooks) return
      if (order === 'shuffled') shuffle(outbox.updates)
      const batch = outbox.updates.splice(0, fitting(outbox.updates, batch_size))
      outbox.inFlight++
      const now = Date.now()
      void post({ at: now, key: outbox.key, body: bodyOf(batch), attempt: 0, firstAt: now }).finally(() => {
        outbox.inFlight--
        waiting -= batch.length
        flushSoon(outbox)
      })
    }
  }

  async function post(sending: Posting): Promise<void> {
    posting.add(sending)
    const taken = await deliver(sending)
    // A request in flight when the simulator ends counts as not accepted: a duplicate does no harm, a loss does.
    if (closed) return
    posting.delete(sending)
    if (taken) return
    if (Date.now() - sending.firstAt > giveUpAfterMs) {
      log.warn('simulator: webhook dropped, not accepted for seven days')
      return
    }
    const { attempt } = sending
    const wait = Math.max(
      Math.min(3_600_000, 1000 * 2 ** attempt) / (speed || Infinity),
      Math.min(1000, 20 * 2 ** attempt),
    )
    retries.add({ ...sending, attempt: attempt + 1, at: Date.now() + wait })
  }

  async function deliver({ key, body, attempt }: Posting): Promise<boolean> {
    try {
      const number = numbers.known(key) ?? (await numbers.find(key))
      if (!number) return true
      const base = number.callback_url.startsWith('/') ? await callbackBase?.(attempt) : ''
      if (base === undefined) return false
      const signature = createHmac('sha256', number.app_secret).update(body).digest('hex')
      const request = {
        url: base + number.callback_url,
        method: 'POST' as const,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'facebookexternalua',
          'x-hub-signature-256': `sha256=${signature}`,
        },
        body,
        timeLimitMs,
        maxBytes: 64 * 1024,
      }
      const { status } = await http.fetch(request)
      if (status !== 200) log.debug({ status, url: request.url }, 'simulator: webhook not accepted')
      for (let copy = knobs.of(number.phone_number_id).duplicates; copy > 0 && status === 200; copy--)
        await http.fetch(request)
      return status === 200
    } catch (error) {
      log.debug({ err: error }, 'simulator: posting a webhook failed')
      return false
    }
  }

  return {
    push(number, update, delayMs = 0) {
      if (delayMs > 0) delayed.add({ at: Date.now() + delayMs, number, update })
      else enqueue(number, update)
    },
    get waiting() {
      return waiting + delayed.size + retries.size + posting.size
    },
    drain() {
      closed = true
      for (const { number, update } of delayed.drain()) outboxOf(number).updates.push([number, update])
      const left = [...posting, ...retries.drain()].map(({ key, body }) => ({ key, body }))
      for (const { key, updates } of outboxes.values())
        while (updates.length > 0) left.push({ key, body: bodyOf(updates.splice(0, fitting(updates, 1000))) })
      return left
    },
    resume(key, body) {
      const now = Date.now()
      void post({ at: now, key, body, attempt: 0, firstAt: now })
    },
  }
}

/** How many updates go into one POST. */
function fitting(updates: [SimulatedNumber, Update][], most: number): number {
  let length = 0
  for (let n = 0; n < updates.length && n < most; n++) {
    length += (updates[n] as [SimulatedNumber, Update])[1].json.length
    if (n > 0 && length > largestBody) return n
  }
  return most
}

/** Consecutive updates of one number and kind share an entry. */
function bodyOf(updates: [SimulatedNumber, Update][]): string {
  const entries: string[] = []
  for (let i = 0; i < updates.length; ) {
    const [number, { part, time, json }] = updates[i] as [SimulatedNumber, Update]
    if (part !== 'statuses' && part !== 'messages') {
      const change = `{"value":${json},"field":${quoted(part)}}`
      entries.push(`{"id":${quoted(number.business_account_id)},"time":${time},"changes":[${change}]}`)
      i++
      continue
    }
    const items: string[] = []
    const contacts = new Set<string>()
    for (; i < updates.length; i++) {
      const [nextNumber, next] = updates[i] as [SimulatedNumber, Update]
      if (nextNumber !== number || next.part !== part) break
      items.push(next.json)
      if (next.contact !== undefined) contacts.add(next.contact)
    }
    entries.push(
      `{"id":${quoted(number.business_account_id)},"changes":[{"value":{"messaging_product":"whatsapp","metadata":` +
        `{"display_phone_number":"${number.display_phone_number.replace(/\D/g, '')}","phone_number_id":` +
        `${quoted(number.phone_number_id)}},${contacts.size > 0 ? `"contacts":[${[...contacts].join()}],` : ''}` +
        `"${part}":[${items.join()}]},"field":"messages"}]}`,
    )
  }
  return `{"object":"whatsapp_business_account","entry":[${entries.join()}]}`
}

function shuffle(items: unknown[]): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1))
    ;[items[i], items[j]] = [items[j], items[i]]
  }
}
