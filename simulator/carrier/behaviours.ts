/** The last four digits of the number decide who answers. Any other number is a person who talks. */
export interface Behaviour {
  answers: 'person' | 'machine' | 'nobody' | 'busy'
  /** Interrupts the agent the first time it speaks for longer than a moment. */
  interrupts?: boolean
  /** Hangs up after this long, whatever is being said. */
  hangsUpAfterMs?: number
  /** The carrier sends no callback when the call ends. */
  vanishes?: boolean
}

const talks: Behaviour = { answers: 'person' }

const behaviours: Record<string, Behaviour> = {
  '0110': talks,
  '0111': { answers: 'nobody' },
  '0112': { answers: 'busy' },
  '0113': { answers: 'machine' },
  '0114': { answers: 'person', hangsUpAfterMs: 5_000 },
  '0115': { answers: 'person', interrupts: true },
  '0116': { answers: 'person', vanishes: true },
}

export const behaviourOf = (number: string): Behaviour => behaviours[number.slice(-4)] ?? talks

/** The lines of a person without a script: words that a small recognizer understands over the telephone. */
export const defaultScript = [
  'Hello. What are your opening hours?',
  'Thank you. Can I pay with a credit card?',
  'That is all. Thank you very much, goodbye.',
]

export const greetingOfMachine =
  'Hello. You have reached the voice mail of Robert. Please leave a message after the tone.'

export const interruption = 'Sorry, may I ask you something?'

/** Numbers between 0 and 1, the same for the same seed. */
export function randomFrom(seed: string): () => number {
  let state = 2166136261
  for (const character of seed) state = Math.imul(state ^ character.charCodeAt(0), 16777619)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
