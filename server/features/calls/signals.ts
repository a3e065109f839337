import type { Signals } from '../../platform/signals.ts'

/** Something changed that the dispatcher may want to look at: a call was queued, or a slot is free. */
export const callsChannel = 'calls'

/** News for whoever holds a call, wherever that is. A lost one does little harm: deadlines stand behind it. */
export type HolderNews =
  | { callId: string; news: 'end' }
  /** The carrier says that it is over. */
  | { callId: string; news: 'over' }
  | { callId: string; news: 'machine'; beep: boolean }

export const holdersChannel = 'calls.holders'

export const toPayload = (news: HolderNews): string => JSON.stringify(news)

export function listenAsHolder(signals: Signals, hear: (news: HolderNews) => void): () => void {
  return signals.on(
    holdersChannel,
    (payload) => {
      if (payload !== undefined) hear(JSON.parse(payload))
    },
    { atOnce: true },
  )
}
