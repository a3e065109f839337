import Type, { type Static } from 'typebox'
import { faultIn } from '../../server/platform/check-schema.ts'

/** How unreliable the carrier is; reliable by default. */
const CarrierKnobValues = Type.Object({
  /** The share of callbacks that never arrive. */
  drop_callbacks: Type.Number({ minimum: 0, maximum: 1 }),
  duplicate_callbacks: Type.Boolean(),
  /** Callbacks overtake each other. */
  shuffle_callbacks: Type.Boolean(),
  /** Dials without answering the request: the connection ends. */
  lose_answers: Type.Boolean(),
  /** Refuses new calls: with 429, with 503, or with one of its own codes. */
  refuse_with: Type.Integer({ minimum: 0 }),
})
type CarrierKnobValues = Static<typeof CarrierKnobValues>

export interface CarrierKnobs {
  readonly current: CarrierKnobValues
  /** Returns what is wrong with the change, if anything. */
  turn(change: Record<string, unknown>): string | undefined
}

export function createCarrierKnobs(): CarrierKnobs {
  let current: CarrierKnobValues = {
    drop_callbacks: 0,
    duplicate_callbacks: false,
    shuffle_callbacks: false,
    lose_answers: false,
    refuse_with: 0,
  }
  return {
    get current() {
      return current
    },
    turn(change) {
      const wanted = { ...current, ...change }
      const fault = faultIn(CarrierKnobValues, wanted)
      if (!fault) current = wanted
      return fault
    },
  }
}
