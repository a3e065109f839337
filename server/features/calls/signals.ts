import type { Signals } from '../../platform/signals.ts'

/** Wakes the dispatchers: a call was queued or a slot became free. */
export const callsChannel = 'calls'

/** Signal to the process that holds a call. A lost signal is tolerable, because every call has a deadline. */
export type HolderSignal =
  | { callId: string; news: 'end' }
  /** The carrier reports that the call is over. */
  | { callId: string; news: 'over' }
  | { callId: string; news: 'machine'; beep: boolean }

export const holdersChannel = 'calls.holders'

export const toPayload = (signal: HolderSignal): string => JSON.stringify(signal)

export function onHolderSignal(signals: Signals, handle: (signal: HolderSignal) => void): () => void {
  return signals.on(
    holdersChannel,
    (payload) => {
      if (payload !== undefined) handle(JSON.parse(payload))
    },
    { atOnce: true },
  )
}
