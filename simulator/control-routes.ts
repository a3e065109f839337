import Type from 'typebox'
import { faultIn } from '../server/platform/check-schema.ts'
import { type BusinessApp, BusinessAppEvent } from './business-app.ts'
import type { Carrier } from './carrier/create-carrier.ts'
import { type Inbound, InboundMessage } from './inbound.ts'
import { escaped } from './json-escapes.ts'
import type { KnobBoard } from './knobs.ts'
import type { Ledger } from './ledger.ts'
import { HealthChange, type NumberHealth } from './number-health.ts'
import { NumberFacts, type Numbers, type SimulatedNumber } from './numbers.ts'
import { TemplateEvent, type TemplateEvents } from './template-events.ts'
import type { Templates } from './templates.ts'
import type { Transcript } from './transcript.ts'
import type { Webhooks } from './webhooks.ts'
import type { Windows } from './windows.ts'

/** A request to the simulator's control API, beyond what the platform offers. */
export interface ControlRequest {
  method: string
  /** The path after `/simulator`. */
  path: string
  query: URLSearchParams
  body(): Promise<Record<string, unknown>>
}

/** The control request is invalid. */
export class ControlFault {
  readonly status: number
  readonly detail: string
  constructor(status: number, detail: string) {
    this.status = status
    this.detail = detail
  }
}

interface ControlDependencies {
  numbers: Numbers
  inbound: Inbound
  knobs: KnobBoard
  ledger: Ledger
  templates: Templates
  templateEvents: TemplateEvents
  transcript: Transcript
  webhooks: Webhooks
  windows: Windows
  health: NumberHealth
  carrier: Carrier
  businessApp: Pick<BusinessApp, 'tell'>
  /** How much is still pending. */
  scheduled(): number
  instance: string
}

const RawWebhook = Type.Object({
  phone_number_id: Type.String(),
  field: Type.String({ pattern: '^[a-z_]{1,64}$' }),
  value: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
})

const shown = ({ access_token, app_secret, ...number }: SimulatedNumber) => number

export function createControl(deps: ControlDependencies): (request: ControlRequest) => Promise<unknown> {
  const { numbers, inbound, knobs, ledger, templates, templateEvents, transcript, webhooks, windows, health, carrier } =
    deps

  const refuse = (fault: string | undefined) => {
    if (fault) throw new ControlFault(422, fault)
  }
  async function numberNamed(id: unknown): Promise<SimulatedNumber> {
    const number = typeof id === 'string' && id !== '' ? await numbers.named(id) : undefined
    const known = number ?? (id === undefined ? (await numbers.all())[0] : undefined)
    if (!known)
      throw new ControlFault(404, 'No such number is registered: PUT /simulator/numbers/{phone_number_id} first')
    return known
  }

  async function numberOf(id: unknown, owner: unknown): Promise<SimulatedNumber> {
    if (typeof owner !== 'string') return numberNamed(id)
    const number = await numbers.find(`${owner}/${String(id)}`)
    if (!number) throw new ControlFault(404, 'No such number is registered')
    return number
  }

  async function receive({ phone_number_id, owner, ...body }: Record<string, unknown>) {
    refuse(faultIn(InboundMessage, body))
    if (!body.from && !body.user_id) throw new ControlFault(422, 'from or user_id is needed')
    const number = await numberOf(phone_number_id, owner)
    return { messages: [{ id: await inbound.receive(number, body as never) }] }
  }

  async function tellOfApp({ phone_number_id, owner, ...event }: Record<string, unknown>) {
    refuse(faultIn(BusinessAppEvent, event))
    const number = await numberOf(phone_number_id, owner)
    await deps.businessApp.tell(number, event as BusinessAppEvent)
    return { ok: true }
  }

  async function post(path: string, body: Record<string, unknown>): Promise<unknown> {
    const [, templateId] = /^\/templates\/([^/]+)\/events$/.exec(path) ?? []
    if (templateId !== undefined) {
      refuse(faultIn(TemplateEvent, body))
      const { id, name, status, category, quality, rejected_reason } = await templateEvents.act(
        templateId,
        body as never,
      )
      return { id, name, status, category, quality_score: quality.score, rejected_reason }
    }
    switch (path) {
      case '/health': {
        const { phone_number_id, owner, ...change } = body
        refuse(faultIn(HealthChange, change))
        return health.change(await numberOf(phone_number_id, owner), change as HealthChange)
      }
      case '/inbound':
        return receive(body)
      case '/business-app':
        return tellOfApp(body)
      case '/outage':
        refuse(knobs.breakDown(body))
        return { ok: true }
      case '/windows/shut':
        await windows.shut(await numberNamed(body.phone_number_id), String(body.person ?? '').replace(/\D/g, ''))
        return { ok: true }
      case '/webhooks': {
        refuse(faultIn(RawWebhook, body))
        const number = await numberNamed(body.phone_number_id)
        const time = Math.floor(Date.now() / 1000)
        webhooks.push(number, { part: String(body.field), json: escaped(JSON.stringify(body.value)), time })
        return { ok: true }
      }
      default:
        throw new ControlFault(404, 'Not Found')
    }
  }

  async function get(path: string, query: URLSearchParams): Promise<unknown> {
    const number = query.get('phone_number_id') ?? undefined
    switch (path) {
      case '':
        return { simulator: true, instance: deps.instance }
      case '/numbers':
        return { data: (await numbers.all()).map(shown) }
      case '/knobs':
        return knobs.of(number)
      case '/ledger':
        return ledger.read({
          ...Object.fromEntries(
            ['phone_number_id', 'to', 'callback_data'].flatMap((name) =>
              query.has(name) ? [[name, query.get(name)]] : [],
            ),
          ),
          repeated: query.get('repeated') === 'true',
          offset: Number(query.get('offset') ?? 0),
          limit: Number(query.get('limit') ?? 1000),
        })
      case '/transcript':
        return { data: transcript.after(Number(query.get('after') ?? 0)) }
      case '/templates': {
        const { account } = await numberNamed(number)
        return { data: (await templates.ofAccount(account)).map(({ account: _, ...template }) => template) }
      }
      case '/pending':
        return { scheduled: deps.scheduled(), webhooks: webhooks.waiting }
      default:
        throw new ControlFault(404, 'Not Found')
    }
  }

  async function controlCarrier({ method, path, body }: ControlRequest): Promise<unknown> {
    try {
      return carrier.control(method, path, method === 'GET' ? {} : await body())
    } catch (fault) {
      if (typeof fault === 'string') throw new ControlFault(422, fault)
      throw fault
    }
  }

  return async (request) => {
    const { method, path, query, body } = request
    if (path === '/calls' || path.startsWith('/carrier/')) {
      const answered = await controlCarrier(request)
      if (answered === undefined) throw new ControlFault(404, 'Not Found')
      return answered
    }
    const [, phoneNumberId] = /^\/numbers\/([^/]+)$/.exec(path) ?? []
    if (method === 'GET' && phoneNumberId === undefined) return get(path, query)
    if (phoneNumberId !== undefined) {
      const id = decodeURIComponent(phoneNumberId)
      if (method === 'GET') return shown(await numberNamed(id))
      if (method === 'DELETE') {
        await numbers.remove(id)
        return { ok: true }
      }
      if (method !== 'PUT') throw new ControlFault(405, 'Method Not Allowed')
      const facts = await body()
      refuse(faultIn(NumberFacts, facts))
      return { ...shown(await numbers.register(id, facts as never)), instance: deps.instance }
    }
    if (method === 'PATCH' && path === '/knobs') {
      const phone = query.get('phone_number_id') ?? undefined
      refuse(knobs.turn(await body(), phone))
      return knobs.of(phone)
    }
    if (method === 'DELETE' && path === '/knobs') {
      knobs.reset()
      return knobs.of()
    }
    if (method === 'DELETE' && path === '/ledger') {
      ledger.clear()
      return { ok: true }
    }
    if (method === 'POST') return post(path, await body())
    throw new ControlFault(405, 'Method Not Allowed')
  }
}
