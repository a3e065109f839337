import type { Knobs } from './knobs.ts'
import type { StatusStep } from './statuses.ts'

/**
 * The outcome of a message, decided by the last four digits of its recipient. Any other number receives and reads it.
 */
interface Fate {
  /** How far it gets. */
  until: 'sent' | 'read'
  /** The code that it fails with after it was accepted. */
  failsWith?: number
  /** How often it is refused with 130429 before it is accepted. */
  refusals?: number
  repliesStop?: boolean
  /** Accepted, but the answer never comes. */
  neverAnswers?: boolean
}

const ordinary: Fate = { until: 'read' }

const fates: Record<string, Fate> = {
  '0100': ordinary,
  '0101': { until: 'sent' },
  '0102': { until: 'read', failsWith: 131026 },
  '0103': { until: 'read', failsWith: 131049 },
  '0104': { until: 'read', failsWith: 131050 },
  '0105': { until: 'read', refusals: 2 },
  '0106': { until: 'read', repliesStop: true },
  '0107': { until: 'read', neverAnswers: true },
}

export const fateOf = (person: string): Fate => fates[person.slice(-4)] ?? ordinary

/** Delays after a message was accepted, in milliseconds at speed 1. */
const sentAfter = 100
const deliveredAfter = 500
const readAfter = 1_500
export const stopReplyAfter = 2_000

/** Which statuses are sent, and when. Reordering changes when a status is sent, never when it happened. */
export function stepsOf(fate: Fate, knobs: Knobs, acceptedAt: number, wait: (ms: number) => number): StatusStep[] {
  const plan: [status: string, after: number][] = fate.failsWith ? [['failed', sentAfter]] : [['sent', sentAfter]]
  if (!fate.failsWith && fate.until === 'read') {
    if (!knobs.skip_delivered) plan.push(['delivered', deliveredAfter])
    plan.push(['read', readAfter])
  }
  const steps = plan.map(([status, after]) => {
    const at = acceptedAt + wait(after)
    return { status, at, toldAt: at + knobs.delay_ms }
  })
  if (knobs.order === 'in_order' || steps.length < 2) return steps
  const times = steps.map(({ toldAt }) => toldAt)
  const order = knobs.order === 'reversed' ? steps.toReversed() : steps.toSorted(() => Math.random() - 0.5)
  return order.map((step, i) => ({ ...step, toldAt: times[i] as number }))
}
