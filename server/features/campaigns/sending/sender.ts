import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, SystemSql, TenantScope } from '../../../platform/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import { lookUpOnly } from '../../../platform/look-up-only.ts'
import { startLoop } from '../../../platform/loop.ts'
import type { OutgoingMessage } from '../../../providers/chat/contract.ts'
import type { ChatLine, ChatLines } from '../../channels/chat-lines.ts'
import { type FrozenTemplate, parametersOf, recipientOf } from '../../templates/render-message.ts'
import { judgeFailure, type Outcome } from '../judge-failure.ts'
import { findSendingCampaigns } from '../move-queries.ts'
import { pauseChannel } from '../pause-campaign.ts'
import { createLanes, type InHand, type Lane } from './lanes.ts'
import { onFault } from './on-fault.ts'
import {
  type Claimed,
  type ClaimSize,
  claimDeliveries,
  handOver,
  releaseDeliveries,
  releaseForgotten,
  untilNextDue,
} from './queries.ts'
import { createRecorder } from './recorder.ts'
import type { Worker } from './worker.ts'

/** A channel's next second, or as much of it as one statement should carry, claimed while the last one is still going out. */
const claim: ClaimSize = { most: 500, least: 20, round: 5_000, seconds: 1, leadSeconds: 0.7 }
/** What a worker holds at most: a slow one must not keep from the others what they could send. */
const mostInHand = 2_000
/** Handed over and not recorded: what is left in doubt when the process is killed. */
const mostOut = 2_048
const mostHandedOver = 512
/** Handed over in strokes: a statement for each message would cost more than the message. */
const strokeMs = 50
const lookEveryMs = 500
/** While no campaign is sending: whoever starts one wakes everybody. */
const lookWhenIdleEveryMs = 1_000
/** Less than the ten seconds in which a process has to end. */
const farewellMs = 6_000

export interface SenderDependencies {
  database: Database
  lines: ChatLines
  log: Log
}

export interface Sender {
  /** Look for something to send at once. */
  wake(): void
  close(): Promise<void>
}

/**
 * Claims deliveries of whichever channel has waited longest, hands them to the platform at the channel's pace and records
 * what came of it. Everything it knows is in the books too, so it may be killed at any point.
 */
export function startSender(
  { database, lines, log }: SenderDependencies,
  worker: Worker,
  { onIdle }: { onIdle(): void },
): Sender {
  const system = database.forSystem()
  const lanes = createLanes(mostOut)
  /** Everything that was claimed and is not recorded yet. */
  const mine = new Set<string>()
  const templates = new Map<string, FrozenTemplate>()
  /** A statement failed, and nobody knows what it did before. */
  let isDoubtful = false
  let lastStroke = 0

  const recorder = createRecorder({
    database,
    log,
    recorded(lane, ids) {
      for (const id of ids) {
        mine.delete(id)
        lanes.isBack(lane)
      }
      strokes.wake()
      if (lane.waiting.length + lane.out === 0) onIdle()
    },
    held: (lane) => release(lane.waiting.splice(0)),
  })

  async function inBooks<T>(work: (tx: SystemSql) => Promise<T>): Promise<T> {
    return database.inSystem(async (tx) => (await Promise.all([lookUpOnly(tx), work(tx)]))[1])
  }

  async function release(rows: InHand[]): Promise<void> {
    for (const [workerId, own] of Map.groupBy(rows, (row) => row.workerId)) {
      const ids = own.map(({ id }) => id)
      for (const id of ids) mine.delete(id)
      await inBooks((tx) => releaseDeliveries(tx, workerId, ids)).catch((error) => {
        isDoubtful = true
        throw error
      })
    }
  }

  async function claimSome(): Promise<number> {
    if (lanes.waiting >= mostInHand) return strokeMs
    const workerId = worker.id
    let rows: Claimed[]
    try {
      if (isDoubtful) {
        await inBooks((tx) => releaseForgotten(tx, workerId, [...mine]))
        isDoubtful = false
      }
      rows = await inBooks((tx) => claimDeliveries(tx, workerId, { ...claim, except: lanes.late(performance.now()) }))
    } catch (error) {
      isDoubtful = true
      throw error
    }
    const [first] = rows
    if (!first) {
      const { ms } = await untilNextDue(system)
      return ms === null ? lookWhenIdleEveryMs : Math.min(lookEveryMs, Math.max(strokeMs, ms))
    }
    const claimed = rows.filter(({ id }) => id !== null)
    for (const { id } of claimed) mine.add(id as string)
    if (claimed.length > 0) await takeUp(first, claimed, workerId)
    return 0
  }

  /** Puts what was claimed on its channel's lane, one after the other, each campaign in its turn. */
  async function takeUp(channel: Claimed, claimed: Claimed[], workerId: string): Promise<void> {
    const startsAt = performance.now() + channel.starts_in_ms
    const scope = { organizationId: channel.organization_id, livemode: channel.livemode }
    const rows = inTurns(claimed).map((row, i) => toHand(row, workerId, startsAt + (i * 1000) / channel.rate))
    try {
      const line = await openLine(scope, channel.channel_id)
      if (!line) return await release(rows)
      await learnTemplates(
        scope,
        rows.map(({ campaignId }) => campaignId),
      )
      const key = `${scope.organizationId} ${scope.livemode} ${channel.channel_id}`
      const lane = lanes.get(key) ?? newLane(key, scope, line)
      lanes.add(lane)
      lane.line = line
      lane.intervalMs = 1000 / channel.rate
      lane.refusals = Math.max(lane.refusals, channel.refusals)
      lane.waiting.push(...rows)
      strokes.wake()
    } catch (error) {
      await release(rows)
      throw error
    }
  }

  /** Nothing where the channel cannot send any more: its campaigns are paused then. */
  async function openLine(scope: TenantScope, channelId: string): Promise<ChatLine | undefined> {
    try {
      return await lines.open(database.forTenant(scope), channelId)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const reason = error.status === 404 ? 'channel_deleted' : 'channel_not_ready'
      const detail = error.status === 404 ? 'The channel was deleted' : error.message
      await database.inTenant(scope, (tx) => pauseChannel(tx, channelId, ['sending'], { reason, detail }))
      return undefined
    }
  }

  async function learnTemplates(scope: TenantScope, campaignIds: string[]): Promise<void> {
    const unknown = [...new Set(campaignIds)].filter((id) => !templates.has(id))
    if (unknown.length === 0) return
    if (templates.size > 1_000) templates.clear()
    for (const campaign of await findSendingCampaigns(database.forTenant(scope), unknown))
      templates.set(campaign.id, {
        name: campaign.template_name ?? '',
        language: campaign.template_language ?? '',
        components: campaign.template_components ?? [],
      })
  }

  /** Hands over what is about to be due; answers how long until the next is. */
  async function stroke(): Promise<number> {
    const sinceLast = performance.now() - lastStroke
    if (sinceLast < strokeMs) await sleep(strokeMs - sinceLast)
    lastStroke = performance.now()
    const ready = lanes.takeReady(lastStroke, mostHandedOver)
    if (ready.length === 0) {
      lanes.sweep()
      return Math.min(lookEveryMs, lanes.nextDueAt() - performance.now())
    }
    const handed = new Set<string>()
    try {
      for (const [workerId, own] of Map.groupBy(ready, ({ row }) => row.workerId)) {
        const rows = own.map(({ lane: { scope }, row: { id } }) => ({ scope, id }))
        const answered = await inBooks((tx) => handOver(tx, workerId, rows))
        isDoubtful ||= answered.length < rows.length
        for (const { id, handed_over } of answered) if (handed_over) handed.add(id)
      }
    } catch (error) {
      // Whether they count as handed over or not, they were not: they go back.
      isDoubtful = true
      throw error
    } finally {
      for (const { lane, row } of ready) {
        if (handed.has(row.id)) void send(lane, row)
        else {
          mine.delete(row.id)
          lanes.isBack(lane)
        }
      }
    }
    return 0
  }

  async function send(lane: Lane, row: InHand): Promise<void> {
    const now = performance.now()
    await sleep(lanes.goesAt(lane, row, now) - now)
    const began = performance.now()
    const outcome = await attempt(lane, row)
    const ended = performance.now()
    lanes.heard(ended - began, ended)
    const { id: deliveryId, campaignId, contactId, workerId } = row
    recorder.record(lane, workerId, { deliveryId, campaignId, contactId, channelId: lane.channelId, outcome })
  }

  async function attempt({ line }: Lane, row: InHand): Promise<Outcome> {
    let message: OutgoingMessage
    try {
      message = messageOf(row)
    } catch (error) {
      return { kind: 'failed', code: 'not_sendable', reason: (error as Error).message, optsOut: false }
    }
    try {
      const { id } = await line.platform.send(message)
      return { kind: 'accepted', chatMessageId: id }
    } catch (error) {
      return judgeFailure(error, row.attempts + 1)
    }
  }

  function messageOf(row: InHand): OutgoingMessage {
    const template = templates.get(row.campaignId)
    if (!template) throw new Error('its campaign is gone')
    const { name, language } = template
    const components = parametersOf(template, row.variables)
    // It comes back with every status: how a lost answer is matched to what was sent.
    return { type: 'template', to: recipientOf(row), callbackData: row.id, name, language, components }
  }

  const claims = startLoop(log, onFault, claimSome)
  const strokes = startLoop(log, onFault, stroke)

  return {
    wake: claims.wake,
    async close() {
      await claims.close()
      const waiting = lanes.all().flatMap((lane) => lane.waiting.splice(0))
      await strokes.close()
      await release(waiting).catch((error) => log.warn({ err: error }, 'some messages could not be handed back'))
      const end = performance.now() + farewellMs
      while ((lanes.out > 0 || recorder.isBusy) && performance.now() < end) await sleep(20)
      recorder.giveUp()
    },
  }
}

const newLane = (key: string, scope: TenantScope, line: ChatLine): Lane => ({
  key,
  scope,
  channelId: line.channelId,
  line,
  waiting: [],
  intervalMs: 0,
  nextAt: 0,
  lastAt: 0,
  out: 0,
  refusals: 0,
})

const toHand = (row: Claimed, workerId: string, dueAt: number): InHand => ({
  id: row.id as string,
  workerId,
  campaignId: row.campaign_id as string,
  contactId: row.contact_id ?? '',
  phone_number: row.phone_number ?? '',
  whatsapp_user_id: row.whatsapp_user_id,
  variables: row.variables ?? {},
  attempts: row.attempts ?? 0,
  dueAt,
})

/** One of each campaign, then the next of each. */
function inTurns(claimed: Claimed[]): Claimed[] {
  const queues = [...Map.groupBy(claimed, ({ campaign_id }) => campaign_id).values()]
  if (queues.length === 1) return claimed
  const rows: Claimed[] = []
  for (let i = 0; rows.length < claimed.length; i++)
    for (const queue of queues) if (queue[i]) rows.push(queue[i] as Claimed)
  return rows
}
