import Type, { type Static } from 'typebox'
import { faultIn } from '../server/platform/check-schema.ts'
import { OneOf } from '../server/platform/schemas.ts'

/** How the platform misbehaves. All defaults are well-behaved; tests and people change what they need. */
export const Knobs = Type.Object(
  {
    /** How often each webhook is posted again after it was accepted. */
    duplicates: Type.Integer({ minimum: 0, maximum: 20 }),
    /** The order of a message's statuses; shuffled ones are also mixed with those of other messages. */
    order: OneOf(['in_order', 'shuffled', 'reversed'] as const),
    /** Added to the delay of every webhook; not scaled by the speed. */
    delay_ms: Type.Integer({ minimum: 0 }),
    /** The maximum number of updates in one POST. */
    batch_size: Type.Integer({ minimum: 1, maximum: 1000 }),
    /** How long an update waits to be batched with others. */
    batch_wait_ms: Type.Integer({ minimum: 0 }),
    /** If off, webhooks are held until it is on again. */
    webhooks: Type.Boolean(),
    skip_delivered: Type.Boolean(),
    /** If on, template messages are accepted but held until it is off again. */
    held_for_quality: Type.Boolean(),
    /** Failures of the magic numbers are returned immediately instead of by webhook. */
    sync_failures: Type.Boolean(),
    /** Messages per second of each number; null uses the registered rate. */
    throughput: Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0 }),
    pair_limit: Type.Boolean(),
    /** The share of requests that fail with `error_code` without any effect. */
    error_rate: Type.Number({ minimum: 0, maximum: 1 }),
    error_code: Type.Integer({ minimum: 1 }),
    /** Overrides the result of template review. */
    review: OneOf(['rules', 'approve', 'reject', 'never'] as const),
    /** Templates that an account may create per hour; null for no limit. */
    creations_per_hour: Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0 }),
    /** Templates that an account may have; null for no limit. */
    template_limit: Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0 }),
    /** How long the name of a deleted template stays blocked. */
    name_block_seconds: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false },
)
export type Knobs = Static<typeof Knobs>

const kind: Knobs = {
  duplicates: 0,
  order: 'in_order',
  delay_ms: 0,
  batch_size: 1000,
  batch_wait_ms: 5,
  webhooks: true,
  skip_delivered: false,
  held_for_quality: false,
  sync_failures: false,
  throughput: null,
  pair_limit: true,
  error_rate: 0,
  error_code: 131000,
  review: 'rules',
  creations_per_hour: null,
  template_limit: null,
  name_block_seconds: 30 * 24 * 3600,
}

/**
 * An outage for some requests. `refuse` cuts the connection, `error` returns 503, `timeout` never responds; all three
 * have no effect. `lost_answer` executes the request and then cuts the connection; `false_error` executes it and
 * returns 500 with code 131000, as the platform was seen to do.
 */
const Outage = Type.Object(
  {
    kind: OneOf(['refuse', 'error', 'timeout', 'lost_answer', 'false_error'] as const),
    on: Type.Optional(OneOf(['messages', 'templates', 'media', 'everything'] as const)),
    for_ms: Type.Optional(Type.Integer({ minimum: 0 })),
    requests: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
)
type Outage = Static<typeof Outage>

export interface KnobBoard {
  /** The settings of one number, or the default for all. */
  of(phoneNumberId?: string): Knobs
  /** Returns what is wrong with the changes, or undefined. */
  turn(changes: unknown, phoneNumberId?: string): string | undefined
  /** Restores the defaults. */
  reset(): void
  breakDown(outage: unknown): string | undefined
  /** The outage that applies to this request, if any. */
  outageFor(edge: 'messages' | 'templates' | 'media' | 'other'): Outage['kind'] | undefined
  /** Called after every change. */
  onChange(listener: () => void): void
}

export function createKnobs(): KnobBoard {
  let general = kind
  let ofNumbers = new Map<string, Partial<Knobs>>()
  let effective = new Map<string, Knobs>()
  let outage: { kind: Outage['kind']; on: Outage['on']; until: number; left: number } | undefined
  const listeners: (() => void)[] = []
  const changed = () => {
    effective = new Map([...ofNumbers].map(([id, own]) => [id, { ...general, ...own }]))
    for (const listener of listeners) listener()
  }
  return {
    of: (phoneNumberId) => (phoneNumberId !== undefined && effective.get(phoneNumberId)) || general,
    turn(changes, phoneNumberId) {
      const fault = faultIn(Type.Partial(Knobs, { additionalProperties: false }), changes)
      if (fault) return fault
      if (phoneNumberId === undefined) general = { ...general, ...(changes as Partial<Knobs>) }
      else ofNumbers.set(phoneNumberId, { ...ofNumbers.get(phoneNumberId), ...(changes as Partial<Knobs>) })
      changed()
      return undefined
    },
    reset() {
      general = kind
      ofNumbers = new Map()
      outage = undefined
      changed()
    },
    breakDown(wanted) {
      const fault = faultIn(Outage, wanted)
      if (fault) return fault
      const { kind: how, on = 'everything', for_ms = Infinity, requests = Infinity } = wanted as Outage
      outage = { kind: how, on, until: Date.now() + for_ms, left: requests }
      return undefined
    },
    outageFor(edge) {
      if (!outage || (outage.on !== 'everything' && outage.on !== edge)) return undefined
      if (Date.now() >= outage.until || outage.left === 0) {
        outage = undefined
        return undefined
      }
      outage.left--
      return outage.kind
    },
    onChange: (listener) => void listeners.push(listener),
  }
}
