import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database, TenantScope } from '../../../platform/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { isUuid } from '../../../platform/ids.ts'
import { asLiveWork } from '../../../platform/live-work.ts'
import { hashToken, randomToken } from '../../../platform/secrets.ts'
import type { CarrierUpdate, HookAnswer } from '../../../providers/telephony/contract.ts'
import { findChannelScope } from '../../channels/find-voice-channel.ts'
import { type Addresses, hookPaths, toSocketUrl } from '../carriers/addresses.ts'
import type { Carriers, VoiceAccount } from '../carriers/carriers.ts'
import { recordCarrierStatus } from '../carriers/record-carrier-status.ts'
import { defaultPhrase } from '../conversation/default-phrases.ts'
import { issueTicket, lockProgress } from '../progress-queries.ts'
import { findIdByCarrierId } from '../queries.ts'
import { holdersChannel, toPayload } from '../signals.ts'
import { type ReceiveDependencies, receiveCall, ticketSeconds } from '../starting/receive-call.ts'
import { concludeTransfer } from '../transfers/conclude-transfer.ts'
import { findTransfer } from '../transfers/queries.ts'

export interface VoiceHookDependencies extends ReceiveDependencies {
  database: Database
  carriers: Carriers
  addresses: Addresses
}

const maxBytes = 64 * 1024
const noAgentMessage = 'We are unable to take your call right now. Please try again later. Goodbye.'

interface CarrierCallback {
  scope: TenantScope
  voice: VoiceAccount
  update: CarrierUpdate
  /** The base address that the carrier signed. The addresses of later callbacks use the same base. */
  base: string
  channelId: string
  /** Our id of the call; empty for an inbound call. */
  id: string
}

/** Callbacks of the carrier: what to do with a call, and status updates. Every request must be signed. */
export function voiceHookRoutes(server: FastifyInstance, deps: VoiceHookDependencies): void {
  const { database, carriers, addresses } = deps

  /**
   * Undefined if the request is not signed by the channel's account or the channel does not exist. All cases get the
   * same 403, so that a client cannot probe for channels.
   */
  async function authenticate(request: FastifyRequest): Promise<CarrierCallback | undefined> {
    const { channel_id: channelId = '', id = '' } = request.params as { channel_id?: string; id?: string }
    if (!isUuid(channelId) || (id !== '' && !isUuid(id))) return undefined
    const scope = await findChannelScope(database.forSystem(), channelId)
    if (!scope) return undefined
    const voice = await carriers.findVoiceAccount(database.forTenant(scope), channelId).catch((error) => {
      if (error instanceof AppError) return undefined
      throw error
    })
    if (!voice) return undefined
    const form = formOf(request.body)
    const { authToken } = voice.account
    // The simulator may also sign the local address of this process; live carriers only the public one.
    const bases = [addresses.publicUrl, scope.livemode ? undefined : addresses.own()].filter(
      (base) => base !== undefined,
    )
    const signature = request.headers['x-twilio-signature']
    const base = bases.find((each) => carriers.hooks.isSigned({ url: each + request.url, form, signature, authToken }))
    if (base === undefined) return undefined
    const update = carriers.hooks.read(form)
    return update.callId === '' ? undefined : { scope, voice, update, base, channelId, id }
  }

  const connect = ({ base, channelId }: CarrierCallback, id: string, ticket: string): HookAnswer =>
    carriers.hooks.connect({
      url: toSocketUrl(base) + hookPaths.media(channelId),
      parameters: { ticket },
      afterUrl: base + hookPaths.after(channelId, id),
    })

  async function inbound(callback: CarrierCallback): Promise<HookAnswer> {
    const reception = await receiveCall(callback.scope, callback.voice, callback.update, deps)
    if ('ticket' in reception) return connect(callback, reception.id, reception.ticket)
    return reception.refused === 'no_agent' ? carriers.hooks.say(noAgentMessage) : carriers.hooks.refuse('busy')
  }

  /** An outbound call was answered. Hangs up if the call has ended or a process already holds it. */
  async function answered(callback: CarrierCallback): Promise<HookAnswer> {
    const { scope, id, update, channelId } = callback
    const ticket = randomToken()
    const given = await database.inTenant(scope, async (tx) => {
      const call = await lockProgress(tx, id)
      if (!call || call.channel_id !== channelId || (call.call_id !== '' && call.call_id !== update.callId)) return 0
      return issueTicket(tx, id, { hash: hashToken(ticket), carrierCallId: update.callId, seconds: ticketSeconds })
    })
    return given === 1 ? connect(callback, id, ticket) : carriers.hooks.hangUp()
  }

  async function machine({ scope, id, channelId, update }: CarrierCallback): Promise<HookAnswer> {
    const isOurs = await recordCarrierStatus(database, scope, { channelId, id, update: { ...update, status: null } })
    const by = update.answeredBy ?? ''
    if (isOurs && /^(machine|fax)/.test(by))
      await database.inTenant(scope, async (tx) =>
        tx.signal(holdersChannel, toPayload({ callId: id, news: 'machine', beep: by.startsWith('machine_end') })),
      )
    return emptyAnswer
  }

  /** Inbound calls are identified by the carrier's id only. */
  async function status({ scope, id, channelId, update }: CarrierCallback): Promise<HookAnswer> {
    const known = id === '' ? await findIdByCarrierId(database.forTenant(scope), update.callId) : { id }
    if (known) await recordCarrierStatus(database, scope, { channelId, id: known.id, update })
    return emptyAnswer
  }

  /** The transfer of this call at this channel; undefined if there is none. */
  async function transferOf({ scope, id, channelId }: CarrierCallback) {
    const call = await findTransfer(database.forTenant(scope), id)
    return call?.channel_id === channelId ? (call.transfer ?? undefined) : undefined
  }

  /** The target of a transfer answered: it hears who is calling, and why, before the caller is connected. */
  async function briefing(callback: CarrierCallback): Promise<HookAnswer> {
    const { base, channelId, id } = callback
    const transfer = await transferOf(callback)
    if (!transfer?.briefing) return carriers.hooks.hangUp()
    const acceptUrl = base + hookPaths.accepted(channelId, id)
    return carriers.hooks.brief({ text: transfer.briefing, language: transfer.language, acceptUrl })
  }

  /** The caller is told if no one took the call, and the contact is called back. */
  async function transferred(callback: CarrierCallback): Promise<HookAnswer> {
    const { scope, id, update } = callback
    const transfer = await transferOf(callback)
    if (!transfer || update.isConnected === null) return carriers.hooks.hangUp()
    await database.inTenant(scope, (tx) => concludeTransfer(tx, id, update.isConnected === true))
    if (update.isConnected) return carriers.hooks.hangUp()
    const { language } = transfer
    const said = transfer.not_taken ?? { text: defaultPhrase('handoff', language), language }
    return carriers.hooks.say(said.text, said.language)
  }

  void server.register(async (hooks) => {
    // Reading the body would lose it.
    hooks.addHook('preHandler', (_request, _reply, done) => asLiveWork(done))
    hooks.removeAllContentTypeParsers()
    hooks.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, done) =>
      done(null, body),
    )
    const on = (path: string, answer: (callback: CarrierCallback) => Promise<HookAnswer>) =>
      hooks.post(`/hooks/voice/:channel_id${path}`, { bodyLimit: maxBytes }, async (request, reply: FastifyReply) => {
        const callback = await authenticate(request)
        if (!callback) return reply.code(403).send({ detail: 'Forbidden' })
        const { contentType, body } = await answer(callback)
        return reply.type(contentType).send(body)
      })
    on('/inbound', inbound)
    on('/status', status)
    on('/calls/:id/answer', answered)
    on('/calls/:id/status', status)
    on('/calls/:id/machine', machine)
    on('/calls/:id/briefing', briefing)
    on('/calls/:id/accepted', async () => carriers.hooks.proceed())
    on('/calls/:id/transferred', transferred)
    on('/calls/:id/after', async () => carriers.hooks.hangUp())
  })
}

const emptyAnswer: HookAnswer = { contentType: 'text/plain; charset=utf-8', body: '' }

function formOf(body: unknown): Map<string, string[]> {
  const form = new Map<string, string[]>()
  if (!Buffer.isBuffer(body)) return form
  for (const [name, value] of new URLSearchParams(body.toString())) form.set(name, [...(form.get(name) ?? []), value])
  return form
}
