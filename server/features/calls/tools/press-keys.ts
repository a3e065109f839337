import { failed, type RunnableTool } from '../../agents/tools/contract.ts'
import type { CallMedia } from '../conversation/contract.ts'
import { dtmfFrames } from './dtmf-tones.ts'

/**
 * Lets the model press keys on a phone call. `pressed` has the turns in which it did: a repeated turn presses nothing
 * twice.
 */
export function pressKeysTool(
  media: Pick<CallMedia, 'send'>,
  { turn, pressed }: { turn: number; pressed: Set<number> },
): RunnableTool {
  return {
    name: 'press_keys',
    description:
      'Press keys on the telephone: when a machine asks for it, such as "press 1 for sales". Not while a person is talking to you.',
    parameters: {
      type: 'object',
      properties: { keys: { type: 'string', description: 'Digits, * and #; w waits half a second. At most 32' } },
      required: ['keys'],
    },
    sayWhileRunning: null,
    async run({ keys }) {
      const wanted = String(keys).replaceAll(/\s/g, '')
      if (!/^[0-9*#w]{1,32}$/.test(wanted)) return failed('Keys are up to 32 of 0 to 9, * and #, and w to wait')
      if (pressed.has(turn)) return { result: 'Keys were pressed already. Wait for the answer.', isError: false }
      pressed.add(turn)
      for (const frame of dtmfFrames(wanted)) media.send(frame)
      return { result: `Pressed ${wanted}`, isError: false }
    },
  }
}
