import { setTimeout as sleep } from 'node:timers/promises'
import type { TenantSql } from '../../platform/database.ts'
import type { Position } from '../../platform/events.ts'
import { findLastEvent, findPlace, idsBetween, readBacklog, type StreamedEvent } from './queries.ts'
import { isBefore, placeOf, type Tail } from './tails.ts'

const readAtOnce = 200

/** Stands before all events: where somebody goes on who was cut off before there was any. */
const beforeAll = '00000000-0000-0000-0000-000000000000'

export interface StreamOptions {
  lastEventId: string | undefined
  /** The types that the caller may and wants to see, as of now; undefined for all. */
  types(): ReadonlySet<string> | undefined
  heartbeatMs: number
  signal: AbortSignal
  /** Called around every piece that is handed over: true while nobody takes it. */
  onWaiting(isWaiting: boolean): void
}

/**
 * The events as server-sent events, from where the caller stopped. It makes nothing that nobody takes: whoever reads slowly
 * holds up this generator and nobody else, and goes on from the database when it is too far behind for the tail.
 */
export async function* openStream(tail: Tail, tenant: TenantSql, options: StreamOptions): AsyncGenerator<string> {
  const { lastEventId, types, heartbeatMs, signal, onWaiting } = options
  const known = lastEventId && (await placeOfId(tenant, lastEventId))
  const isCertain = known && !isBefore(tail.position, known)
  let place = isCertain ? known : tail.position
  // Whoever goes on behind an event that is not certain yet has seen it, but not what an older transaction may still add.
  const seenBefore = new Set(known && !isCertain ? await idsBetween(tenant, place, known) : [])
  // Whoever begins now is told behind which event that is: cut off before the first one, it goes on from here all the same.
  const begun = known ? undefined : ((await findLastEvent(tenant, place))?.id ?? beforeAll)
  let piece = `${begun ? `id: ${begun}\n` : ''}retry: 2000\n\n`
  while (!signal.aborted) {
    if (piece) {
      onWaiting(true)
      yield piece
      onWaiting(false)
    }
    const { events, through } = await readOn(tail, tenant, place)
    place = through
    const seen = types()
    piece = ''
    for (const event of events)
      if (!seenBefore.delete(event.id) && (!seen || seen.has(event.type))) piece += messageOf(event)
    if (events.length > 0 || signal.aborted) continue
    if (!(await movedWithin(tail, place, heartbeatMs, signal))) piece = ': still here\n\n'
  }
}

const placeOfId = async (tenant: TenantSql, id: string): Promise<Position | undefined> =>
  id === beforeAll ? { transaction_id: '0', event_id: beforeAll } : findPlace(tenant, id)

async function readOn(
  tail: Tail,
  tenant: TenantSql,
  after: Position,
): Promise<{ events: StreamedEvent[]; through: Position }> {
  const through = tail.position
  const remembered = tail.after(after)
  if (remembered) return { events: remembered, through }
  const events = await readBacklog(tenant, { after, through, most: readAtOnce })
  const last = events.at(-1)
  return { events, through: last && events.length === readAtOnce ? placeOf(last) : through }
}

/** Whether there is something new before the time is up. */
async function movedWithin(tail: Tail, from: Position, ms: number, signal: AbortSignal): Promise<boolean> {
  const over = new AbortController()
  const either = AbortSignal.any([signal, over.signal])
  const timer = sleep(ms, 'over', { signal: either }).catch(() => 'woken')
  const isOver = (await Promise.race([timer, tail.moved(from, either)])) === 'over'
  over.abort()
  return !isOver
}

const messageOf = ({ id, type, created_at, organization_id, livemode, data }: StreamedEvent): string =>
  `id: ${id}\ndata: {"id":"${id}","type":"${type}","created_at":"${created_at}",` +
  `"organization_id":"${organization_id}","livemode":${livemode},"data":${data}}\n\n`
