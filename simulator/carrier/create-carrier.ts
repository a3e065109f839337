import Type, { type Static } from 'typebox'
import { faultIn } from '../../server/platform/check-schema.ts'
import type { Log } from '../../server/platform/log.ts'
import type { OutboundHttp } from '../../server/platform/outbound-fetch.ts'
import { createCallbacks } from './callbacks.ts'
import { createCalls } from './calls.ts'
import { createCarrierRoutes } from './carrier-routes.ts'
import { createCarrierKnobs } from './knobs.ts'
import type { PersonSpeech } from './person.ts'
import type { SimulatedCall } from './simulated-call.ts'

interface CarrierOptions {
  http: OutboundHttp
  log: Log
  speech(): PersonSpeech
  wait(ms: number): number
}

/** A person calls a number of the service. */
const InboundCall = Type.Object({
  from: Type.String({ minLength: 1 }),
  to: Type.String({ minLength: 1 }),
  /** The service's address for inbound calls. */
  url: Type.String({ pattern: '^https?://' }),
  status_url: Type.Optional(Type.String({ pattern: '^https?://' })),
  account_sid: Type.String({ minLength: 1 }),
  auth_token: Type.String({ minLength: 1 }),
  script: Type.Optional(Type.Array(Type.String())),
  seed: Type.Optional(Type.String()),
})

type InboundCall = Static<typeof InboundCall>

export type Carrier = ReturnType<typeof createCarrier>

/** The telephone carrier's side over real HTTP and WebSocket, with simulated people who talk. */
export function createCarrier({ http, log, speech, wait }: CarrierOptions) {
  const knobs = createCarrierKnobs()
  const callbacks = createCallbacks({ http, log, knobs })
  const calls = createCalls({ callbacks, speech, wait, log })
  const answer = createCarrierRoutes({ calls, knobs })
  const show = ({ authToken, answeredAt, ...call }: SimulatedCall) => call
  return {
    answer,
    /**
     * Control operations beyond a carrier's API; returns nothing for other requests, and throws a text for invalid
     * ones.
     */
    control(method: string, path: string, body: Record<string, unknown>): unknown {
      if (method === 'GET' && path === '/calls') return { data: calls.all().map(show) }
      if (method === 'GET' && path === '/carrier/knobs') return knobs.current
      if (method === 'PATCH' && path === '/carrier/knobs') {
        const fault = knobs.turn(body)
        if (fault) throw fault
        return knobs.current
      }
      if (method !== 'POST' || path !== '/calls') return undefined
      const fault = faultIn(InboundCall, body)
      if (fault) throw fault
      const { from, to, url, status_url, account_sid, auth_token, script, seed } = body as InboundCall
      const call = calls.place({
        accountSid: account_sid,
        authToken: auth_token,
        from,
        to,
        direction: 'inbound',
        answerUrl: url,
        statusUrl: status_url,
        machineUrl: undefined,
        ...(script !== undefined && { script }),
        ...(seed !== undefined && { seed }),
      })
      return { sid: call.sid }
    },
    async close() {
      await calls.close()
      await callbacks.settled()
    },
  }
}
