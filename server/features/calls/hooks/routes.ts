import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database, TenantScope } from '../../../platform/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { isUuid } from '../../../platform/ids.ts'
import { hashToken, randomToken } from '../../../platform/secrets.ts'
import type { CarrierNews, HookAnswer } from '../../../providers/telephony/contract.ts'
import { findChannelScope } from '../../channels/find-voice-channel.ts'
import { type Addresses, hookPaths, toSocketUrl } from '../addresses.ts'
import type { Carriers, VoiceLine } from '../carriers.ts'
import { giveTicket, lockProgress } from '../progress-queries.ts'
import { findIdByCarrierId } from '../queries.ts'
import { type ReceiveDependencies, receiveCall, ticketSeconds } from '../receive-call.ts'
import { recordNews } from '../record-news.ts'
import { holdersChannel, toPayload } from '../signals.ts'

export interface VoiceHookDependencies extends ReceiveDependencies {
  database: Database
  carriers: Carriers
  addresses: Addresses
}

const mostBytes = 64 * 1024
const sorry = 'Nobody can take your call right now. Please try again later. Goodbye.'

interface Told {
  scope: TenantScope
  line: VoiceLine
  news: CarrierNews
  /** Under which address the carrier called us: the next ones lead there too. */
  base: string
  channelId: string
  /** Our id of the call; empty for one that comes in. */
  id: string
}

/** Where the carrier asks what to do with a call and tells what became of it. Every request must be signed. */
export function voiceHookRoutes(server: FastifyInstance, deps: VoiceHookDependencies): void {
  const { database, carriers, addresses } = deps

  /** Nothing for what is not signed by the channel's own account, or names no channel: one answer for all of these. */
  async function listen(request: FastifyRequest): Promise<Told | undefined> {
    const { channel_id: channelId = '', id = '' } = request.params as { channel_id?: string; id?: string }
    if (!isUuid(channelId) || (id !== '' && !isUuid(id))) return undefined
    const scope = await findChannelScope(database.forSystem(), channelId)
    if (!scope) return undefined
    const line = await carriers.line(database.forTenant(scope), channelId).catch((error) => {
      if (error instanceof AppError) return undefined
      throw error
    })
    if (!line) return undefined
    const form = formOf(request.body)
    const { authToken } = line.account
    // Only the simulator may know us by where this very process listens.
    const bases = [addresses.publicUrl, scope.livemode ? undefined : addresses.own()].filter(
      (base) => base !== undefined,
    )
    const signature = request.headers['x-twilio-signature']
    const base = bases.find((each) => carriers.hooks.isSigned({ url: each + request.url, form, signature, authToken }))
    if (base === undefined) return undefined
    const news = carriers.hooks.read(form)
    return news.callId === '' ? undefined : { scope, line, news, base, channelId, id }
  }

  const connect = ({ base, channelId }: Told, id: string, ticket: string): HookAnswer =>
    carriers.hooks.connect({
      url: toSocketUrl(base) + hookPaths.media(channelId),
      parameters: { ticket },
      afterUrl: base + hookPaths.after(channelId, id),
    })

  async function inbound(told: Told): Promise<HookAnswer> {
    const reception = await receiveCall(told.scope, told.line, told.news, deps)
    if ('ticket' in reception) return connect(told, reception.id, reception.ticket)
    return reception.refused === 'no_agent' ? carriers.hooks.say(sorry) : carriers.hooks.refuse('busy')
  }

  /** Somebody answered a call of ours. One that has ended meanwhile, or is held already, has nothing more to say. */
  async function answered(told: Told): Promise<HookAnswer> {
    const { scope, id, news, channelId } = told
    const ticket = randomToken()
    const given = await database.inTenant(scope, async (tx) => {
      const call = await lockProgress(tx, id)
      if (!call || call.channel_id !== channelId || (call.call_id !== '' && call.call_id !== news.callId)) return 0
      return giveTicket(tx, id, { hash: hashToken(ticket), carrierCallId: news.callId, seconds: ticketSeconds })
    })
    return given === 1 ? connect(told, id, ticket) : carriers.hooks.hangUp()
  }

  async function machine({ scope, id, channelId, news }: Told): Promise<HookAnswer> {
    const isOurs = await recordNews(database, scope, { channelId, id, news: { ...news, status: null } })
    const by = news.answeredBy ?? ''
    if (isOurs && /^(machine|fax)/.test(by))
      await database.inTenant(scope, async (tx) =>
        tx.signal(holdersChannel, toPayload({ callId: id, news: 'machine', beep: by.startsWith('machine_end') })),
      )
    return nothing
  }

  /** A call that came in is known by the carrier's id alone. */
  async function status({ scope, id, channelId, news }: Told): Promise<HookAnswer> {
    const known = id === '' ? await findIdByCarrierId(database.forTenant(scope), news.callId) : { id }
    if (known) await recordNews(database, scope, { channelId, id: known.id, news })
    return nothing
  }

  void server.register(async (hooks) => {
    hooks.removeAllContentTypeParsers()
    hooks.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: mostBytes }, (_request, body, done) =>
      done(null, body),
    )
    const on = (path: string, answer: (told: Told) => Promise<HookAnswer>) =>
      hooks.post(`/hooks/voice/:channel_id${path}`, { bodyLimit: mostBytes }, async (request, reply: FastifyReply) => {
        const told = await listen(request)
        if (!told) return reply.code(403).send({ detail: 'Forbidden' })
        const { contentType, body } = await answer(told)
        return reply.type(contentType).send(body)
      })
    on('/inbound', inbound)
    on('/status', status)
    on('/calls/:id/answer', answered)
    on('/calls/:id/status', status)
    on('/calls/:id/machine', machine)
    on('/calls/:id/after', async () => carriers.hooks.hangUp())
  })
}

const nothing: HookAnswer = { contentType: 'text/plain; charset=utf-8', body: '' }

function formOf(body: unknown): Map<string, string[]> {
  const form = new Map<string, string[]>()
  if (!Buffer.isBuffer(body)) return form
  for (const [name, value] of new URLSearchParams(body.toString())) form.set(name, [...(form.get(name) ?? []), value])
  return form
}
