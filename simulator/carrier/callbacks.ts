import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../server/platform/log.ts'
import type { OutboundHttp } from '../../server/platform/outbound-fetch.ts'
import type { CarrierKnobs } from './knobs.ts'

export interface Callbacks {
  /** Asks what to do: the document in the answer, or nothing without an answer. */
  ask(url: string, form: Record<string, string>, authToken: string): Promise<string | undefined>
  /** Sends a callback without waiting; the knobs say how unreliably. */
  tell(url: string, form: Record<string, string>, authToken: string): void
  /** Resolves when every callback has arrived or was given up. */
  settled(): Promise<void>
}

const attempts = 3

/** The carrier's signature: the address, then each parameter's name and value in the order of the names. */
export function sign(url: string, form: Record<string, string>, authToken: string): string {
  const names = Object.keys(form).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  const text = names.reduce((sum, name) => sum + name + form[name], url)
  return createHmac('sha1', authToken).update(text, 'utf8').digest('base64')
}

export function createCallbacks({
  http,
  log,
  knobs,
}: {
  http: OutboundHttp
  log: Log
  knobs: CarrierKnobs
}): Callbacks {
  const running = new Set<Promise<unknown>>()

  async function post(url: string, form: Record<string, string>, authToken: string): Promise<string | undefined> {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      try {
        const { status, body } = await http.fetch({
          url,
          method: 'POST',
          headers: {
            'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
            'x-twilio-signature': sign(url, form, authToken),
          },
          body: new URLSearchParams(form).toString(),
          timeLimitMs: 15_000,
          maxBytes: 64 * 1024,
        })
        if (status < 300) return body.toString()
        if (status < 500) {
          log.warn({ url, status }, 'simulated carrier: callback refused')
          return undefined
        }
      } catch (error) {
        if (attempt === attempts) log.info({ err: error, url }, 'simulated carrier: callback could not be delivered')
      }
      await sleep(200 * attempt)
    }
    return undefined
  }

  /** Callbacks of one call go out one after the other, unless the knobs let them overtake. */
  const lines = new Map<string, Promise<unknown>>()
  return {
    ask: post,
    tell(url, form, authToken) {
      if (Math.random() < knobs.current.drop_callbacks) return
      const times = knobs.current.duplicate_callbacks ? 2 : 1
      for (let i = 0; i < times; i++) {
        const before = knobs.current.shuffle_callbacks
          ? sleep(Math.random() * 200)
          : (lines.get(url) ?? Promise.resolve())
        const told = before.then(() => post(url, form, authToken)).finally(() => running.delete(told))
        running.add(told)
        lines.set(url, told)
        void told.then(() => {
          if (lines.get(url) === told) lines.delete(url)
        })
      }
    },
    async settled() {
      await Promise.all(running)
    },
  }
}
