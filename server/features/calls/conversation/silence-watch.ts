import type { ConversationLimits } from './contract.ts'

/** Counts silence on the line. Reminders of the agent do not restart the count, so they never delay the end. */
interface SilenceWatch {
  tick(now: number, isSilent: boolean): 'remind' | 'end' | undefined
}

export function createSilenceWatch(
  { silenceTimeoutMs, silenceReminders }: Pick<ConversationLimits, 'silenceTimeoutMs' | 'silenceReminders'>,
  start: number,
): SilenceWatch {
  const { count, everyMs } = silenceReminders ?? { count: 0, everyMs: 0 }
  let activeAt = start
  let reminded = 0
  return {
    tick(now, isSilent) {
      if (!isSilent) {
        activeAt = now
        reminded = 0
        return undefined
      }
      const silentMs = now - activeAt
      if (silentMs >= silenceTimeoutMs) return 'end'
      if (reminded >= count || silentMs < (reminded + 1) * everyMs) return undefined
      reminded++
      return 'remind'
    },
  }
}
