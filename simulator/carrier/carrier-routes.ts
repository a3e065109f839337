import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SimulatedCalls } from './calls.ts'
import type { CarrierKnobs } from './knobs.ts'
import type { SimulatedCall } from './simulated-call.ts'

const path = /^\/2010-04-01\/Accounts\/([^/]+)\/Calls(?:\/([^/]+))?\.json$/

/** Whether a request is for the carrier's REST API. */
export const isCarrierPath = (url: string): boolean => url.startsWith('/2010-04-01/')

const refusedByKnob = 'Refused, because refuse_with is set'
const e164 = /^\+[1-9]\d{6,14}$/

/** The part of the carrier's REST API that a calling service needs. It accepts any account. */
export function createCarrierRoutes({ calls, knobs }: { calls: SimulatedCalls; knobs: CarrierKnobs }) {
  return async (request: IncomingMessage, response: ServerResponse, url: string, body: () => Promise<string>) => {
    const [, account, sid] = path.exec(url.split('?', 1)[0] as string) ?? []
    const refuse = (status: number, code: number, message: string) =>
      send(response, status, { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status })
    if (account === undefined) return refuse(404, 20404, 'The requested resource was not found')
    const credentials = credentialsOf(request)
    if (!credentials || credentials.sid !== account) return refuse(401, 20003, 'Authenticate')
    const form = new URLSearchParams(request.method === 'POST' ? await body() : '')
    if (sid === undefined) {
      if (request.method !== 'POST') return refuse(405, 20004, 'Method not allowed')
      const { refuse_with: code, lose_answers } = knobs.current
      if (code === 429 || code === 503) return refuse(code, code === 429 ? 20429 : 20503, refusedByKnob)
      if (code > 0) return refuse(400, code, refusedByKnob)
      if (!e164.test(form.get('To') ?? '')) return refuse(400, 21211, `Invalid 'To' Phone Number: ${form.get('To')}`)
      if (!e164.test(form.get('From') ?? ''))
        return refuse(400, 21212, `Invalid 'From' Phone Number: ${form.get('From')}`)
      if (!form.get('Url')) return refuse(400, 21205, 'Url is not valid')
      const call = calls.place(planOf(form, credentials))
      if (lose_answers) return void request.socket.destroy()
      return send(response, 201, shown(call))
    }
    const call = calls.find(sid)
    if (call?.accountSid !== account || !call) return refuse(404, 20404, 'The requested resource was not found')
    if (request.method === 'POST') {
      const twiml = form.get('Twiml')
      if (twiml ? !calls.instruct(sid, twiml) : !calls.end(sid))
        return refuse(400, 21220, 'Call is not in-progress. Cannot redirect.')
    }
    send(response, 200, shown(call))
  }
}

function planOf(form: URLSearchParams, { sid, token }: { sid: string; token: string }) {
  const text = (name: string) => form.get(name) ?? undefined
  const script = text('SimulationScript')
  const seed = text('SimulationSeed')
  return {
    accountSid: sid,
    authToken: token,
    from: form.get('From') as string,
    to: form.get('To') as string,
    direction: 'outbound-api' as const,
    answerUrl: form.get('Url') as string,
    statusUrl: text('StatusCallback'),
    machineUrl: form.get('MachineDetection') ? text('AsyncAmdStatusCallback') : undefined,
    waitsForGreeting: form.get('MachineDetection') === 'DetectMessageEnd',
    ringSeconds: Number(form.get('Timeout') ?? 60),
    ...(script && { script: JSON.parse(script) as string[] }),
    ...(seed && { seed }),
  }
}

function credentialsOf({ headers }: IncomingMessage): { sid: string; token: string } | undefined {
  const [kind, given = ''] = (headers.authorization ?? '').split(' ')
  const [sid, token] = Buffer.from(given, 'base64').toString().split(':')
  return kind === 'Basic' && sid && token ? { sid, token } : undefined
}

const rfc2822 = (at: number | undefined) =>
  at === undefined ? null : new Date(at).toUTCString().replace('GMT', '+0000')

function shown(call: SimulatedCall): object {
  const { sid, accountSid, createdAt, answeredAt, endedAt } = call
  return {
    sid,
    account_sid: accountSid,
    to: call.to,
    from: call.from,
    status: call.status,
    direction: call.direction,
    start_time: rfc2822(answeredAt),
    end_time: rfc2822(endedAt),
    duration: endedAt && answeredAt ? String(Math.round((endedAt - answeredAt) / 1000)) : null,
    price: null,
    price_unit: 'USD',
    answered_by: null,
    parent_call_sid: null,
    queue_time: '0',
    api_version: '2010-04-01',
    date_created: rfc2822(createdAt),
    date_updated: rfc2822(endedAt ?? answeredAt ?? createdAt),
    uri: `/2010-04-01/Accounts/${accountSid}/Calls/${sid}.json`,
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body)
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text)
}
