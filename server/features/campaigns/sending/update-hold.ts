import type { SystemSql } from '../../../platform/database.ts'
import { type SendOutcome, withCode } from '../deliveries/judge-failure.ts'
import { endHold, holdChannel } from './queries.ts'
import { type SendQueue, suggestsOutage, updateMaxSlots } from './send-queues.ts'

/** First hold of a channel when the platform seems to be down. `holdChannel` doubles it with every refusal in a row. */
const firstOutageHoldMs = 1_000

/**
 * Holds the channel if an outcome concerns all of its messages. After a hold, the first message that the platform
 * accepts or refuses by itself ends the probing.
 */
export async function updateHold(
  system: SystemSql,
  queue: SendQueue,
  outcomes: SendOutcome[],
  hold: (queue: SendQueue) => Promise<void>,
): Promise<void> {
  const channel = { ...queue.scope, channelId: queue.channelId }
  const holds = outcomes.flatMap((outcome) => holdFor(queue, outcome))
  const [longest] = holds.sort((one, other) => other.ms - one.ms)
  if (longest) {
    queue.refusals++
    updateMaxSlots(queue)
    await holdChannel(system, channel, { ...longest, slow: holds.some(({ slow }) => slow) })
    await hold(queue)
  } else if (queue.refusals > 0 && outcomes.some(showsPlatformIsUp)) {
    queue.refusals = 0
    updateMaxSlots(queue)
    await endHold(system, channel)
  }
}

function holdFor(queue: SendQueue, outcome: SendOutcome): { ms: number; slow: boolean; reason: string }[] {
  if (outcome.kind === 'again' && outcome.hold) return [{ ...outcome.hold, reason: withCode(outcome) }]
  // The platform may have accepted this message, so it is not sent again. The hold stops the messages after it.
  if (outcome.kind === 'unknown' && suggestsOutage(queue))
    return [{ ms: firstOutageHoldMs, slow: false, reason: withCode(outcome) }]
  return []
}

/** The platform accepted this message, or refused it for a reason that concerns it alone: the platform is up. */
const showsPlatformIsUp = ({ kind }: SendOutcome): boolean => kind === 'accepted' || kind === 'failed'
