import { setTimeout as sleep } from 'node:timers/promises'
import { frameMs } from '../../../providers/speech/contract.ts'
import { failed, type RunnableTool } from '../../agents/tools/contract.ts'
import { type CallMedia, pressKeysName } from '../conversation/contract.ts'
import { dtmfFrames } from './dtmf-tones.ts'

/** The keys that were pressed last, and how many of them the other side has heard. */
interface PressedKeys {
  turn: number
  wanted: string
  played: number
  isPlaying: boolean
}

/** Of one call. */
export interface Keypad {
  last?: PressedKeys
}

/**
 * Lets the model press keys on a phone call. A repeated turn presses nothing twice. Keys are sent one at a time, so
 * that an interruption discards at most one; the model learns of it when it presses keys again.
 */
export function pressKeysTool(
  media: Pick<CallMedia, 'send'>,
  { turn, keypad }: { turn: number; keypad: Keypad },
): RunnableTool {
  return {
    name: pressKeysName,
    description:
      'Press keys on the telephone: when a machine asks for it, such as "press 1 for sales". Not while a person is talking to you.',
    parameters: {
      type: 'object',
      properties: { keys: { type: 'string', description: 'Digits, * and #; w waits half a second. At most 32' } },
      required: ['keys'],
    },
    sayWhileRunning: null,
    async run({ keys }, signal) {
      const wanted = String(keys).replaceAll(/\s/g, '')
      if (!/^[0-9*#w]{1,32}$/.test(wanted)) return failed('Keys are up to 32 of 0 to 9, * and #, and w to wait')
      const before = keypad.last
      if (before && wasCutOff(before)) {
        // Reported once: then the model may press the rest.
        delete keypad.last
        return failed(cutOff(before))
      }
      if (before?.turn === turn) return { result: 'Keys were pressed already. Wait for the answer.', isError: false }
      const now = { turn, wanted, played: 0, isPlaying: true }
      keypad.last = now
      try {
        for (const key of wanted) {
          signal.throwIfAborted()
          const frames = dtmfFrames(key)
          for (const frame of frames) media.send(frame)
          await sleep(frames.length * frameMs, undefined, { signal })
          now.played++
        }
      } finally {
        now.isPlaying = false
      }
      return { result: `Pressed ${wanted}`, isError: false }
    },
  }
}

const wasCutOff = ({ wanted, played, isPlaying }: PressedKeys): boolean => !isPlaying && played < wanted.length

function cutOff({ wanted, played }: PressedKeys): string {
  const done = played > 0 ? `Only ${wanted.slice(0, played)} of ${wanted} was` : `Nothing of ${wanted} was surely`
  return `${done} pressed before an interruption; ${wanted[played]} may have been heard too. Press the keys that are missing only if they are still wanted.`
}
