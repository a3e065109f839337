import { setTimeout as sleep } from 'node:timers/promises'
import type { TenantSql } from '../../platform/database.ts'
import type { Position } from '../../platform/events.ts'
import { lowestId } from '../../platform/ids.ts'
import type { Hint } from '../../platform/live-hints.ts'
import { findLastEvent, findPlace, idsAmong, idsBetween, readBacklog, type StreamedEvent } from './queries.ts'
import type { HintQueue } from './queue-hints.ts'
import { isBefore, positionOf, type Tail } from './tails.ts'

const readAtOnce = 200

interface StreamOptions {
  lastEventId: string | undefined
  /** The event types that the caller may see and asked for, as of now; undefined for all. */
  types(): ReadonlySet<string> | undefined
  hints: HintQueue
  heartbeatMs: number
  signal: AbortSignal
  /** Called around every chunk that is written: true while the client is not reading. */
  onWaiting(isWaiting: boolean): void
}

/**
 * The events as server-sent events, from where the caller stopped. It produces only what the client reads: a slow
 * client blocks this generator and no other, and is served from the database once it is too far behind for the tail.
 */
export async function* openStream(tail: Tail, tenant: TenantSql, options: StreamOptions): AsyncGenerator<string> {
  const { lastEventId, types, hints, heartbeatMs, signal, onWaiting } = options
  const known = lastEventId && (await placeOfId(tenant, lastEventId))
  const isCertain = known && !isBefore(tail.position, known)
  let position = isCertain ? known : tail.position
  // The caller has seen this event, which is not settled yet. An older transaction may still add events before it.
  const seenBefore = new Set(known && !isCertain ? await idsBetween(tenant, position, known) : [])
  // A new stream is told its position at once, so that a client cut off before the first event can resume from here.
  const begun = known ? undefined : ((await findLastEvent(tenant, position))?.id ?? lowestId)
  let piece = `${begun ? `id: ${begun}\n` : ''}retry: 2000\n\n`
  while (!signal.aborted) {
    if (piece) {
      onWaiting(true)
      yield piece
      onWaiting(false)
    }
    const { events, through } = await readOn(tail, tenant, position)
    position = through
    const seen = types()
    piece = ''
    for (const event of events)
      if (!seenBefore.delete(event.id) && (!seen || seen.has(event.type))) piece += messageOf(event)
    for (const hint of hints.take()) piece += hintMessageOf(hint)
    if (events.length > 0 || piece !== '' || signal.aborted) continue
    if (!(await movedWithin(tail, position, { hints, ms: heartbeatMs, signal }))) piece = ': still here\n\n'
  }
}

const placeOfId = async (tenant: TenantSql, id: string): Promise<Position | undefined> =>
  id === lowestId ? { transaction_id: '0', event_id: lowestId } : findPlace(tenant, id)

async function readOn(
  tail: Tail,
  tenant: TenantSql,
  after: Position,
): Promise<{ events: StreamedEvent[]; through: Position }> {
  const through = tail.position
  const remembered = tail.after(after)
  if (remembered) return { events: await seenBy(tenant, remembered), through }
  const events = await readBacklog(tenant, { after, through, most: readAtOnce })
  const last = events.at(-1)
  return { events, through: last && events.length === readAtOnce ? positionOf(last) : through }
}

/** The tail has the events of the whole organization; row-level security says which of them a limited member sees. */
async function seenBy(tenant: TenantSql, events: StreamedEvent[]): Promise<StreamedEvent[]> {
  if (!tenant.isLimited || events.length === 0) return events
  const seen = new Set(
    await idsAmong(
      tenant,
      events.map(({ id }) => id),
    ),
  )
  return events.filter(({ id }) => seen.has(id))
}

/** Whether an event or a hint arrives before the time is up. */
async function movedWithin(
  tail: Tail,
  from: Position,
  { hints, ms, signal }: { hints: HintQueue; ms: number; signal: AbortSignal },
): Promise<boolean> {
  const over = new AbortController()
  const either = AbortSignal.any([signal, over.signal])
  const timer = sleep(ms, 'over', { signal: either }).catch(() => 'woken')
  const isOver = (await Promise.race([timer, tail.moved(from, either), hints.arrived(either)])) === 'over'
  over.abort()
  return !isOver
}

const messageOf = ({ id, type, created_at, organization_id, livemode, data }: StreamedEvent): string =>
  `id: ${id}\ndata: {"id":"${id}","type":"${type}","created_at":"${created_at}",` +
  `"organization_id":"${organization_id}","livemode":${livemode},"data":${data}}\n\n`

const hintMessageOf = ({ type, organizationId, livemode, object }: Hint): string => {
  const hint = { type, organization_id: organizationId, livemode, data: { object } }
  return `data: ${JSON.stringify(hint)}\n\n`
}
