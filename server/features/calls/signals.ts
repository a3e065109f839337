import type { Signals } from '../../platform/signals.ts'

/** Something changed that the dispatcher may want to look at: a call was queued, or a slot is free. */
export const callsChannel = 'calls'

/** News for whoever holds a call, wherever that is. A lost one does little harm: deadlines stand behind it. */
export type HolderSignal =
  | { callId: string; news: 'end' }
  /** The carrier says that it is over. */
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
