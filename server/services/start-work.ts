import { startSubscriptions } from '../platform/event-subscriptions.ts'
import type { Subscription } from '../platform/events.ts'
import type { FeatureParts } from '../platform/feature.ts'
import type { Services } from './open-services.ts'

export interface Work {
  /** Takes nothing new, finishes what is running, and resolves when that is done. */
  stop(): Promise<unknown>
}

/** What a worker does besides serving requests: event subscriptions, jobs, background work. */
export async function startWork(services: Services, parts: FeatureParts[], more: Subscription[]): Promise<Work> {
  const { jobs } = services
  const running: { close(): Promise<unknown> }[] = []
  let stopping: Promise<unknown> | undefined
  const stop = () => (stopping ??= Promise.all([jobs.stopWorking(), ...running.map((part) => part.close())]))
  if (!services.works) return { stop }
  try {
    const followed = [...parts.flatMap(({ subscriptions = [] }) => subscriptions), ...more]
    const following = startSubscriptions(services, followed)
    running.push(following)
    await jobs.work(parts.flatMap(({ jobs = [] }) => jobs))
    await following.ready
    const starting = parts.flatMap(({ work }) => work?.() ?? [])
    // All of them have started or failed before anything is stopped.
    const started = await Promise.allSettled(starting.map(async (part) => running.push(await part)))
    for (const part of started) if (part.status === 'rejected') throw part.reason
    return { stop }
  } catch (error) {
    await stop()
    throw error
  }
}
