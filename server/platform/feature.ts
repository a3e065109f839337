import type { Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { EventKind, RangeSubscription, Subscription } from './events.ts'
import type { ErrorShape } from './http/error-shape.ts'
import type { Routes } from './http/routes.ts'
import type { JobHandler, JobKind } from './jobs.ts'
import type { QueueGauge, StateGauge } from './metrics.ts'
import type { PersonalMentions, PersonalTable, RetentionRule } from './personal-data.ts'

/**
 * What a feature provides to the app. Event and job kinds are declared without opening anything: migrations create the
 * queues, and the API reference lists the events. `Services` is what the feature needs of the app, and no more.
 */
export interface Feature<Services> {
  jobKinds?: JobKind[]
  eventKinds?: EventKind[]
  errorShape?: ErrorShape
  personalData?: PersonalTable[]
  personalMentions?: PersonalMentions[]
  retention?: RetentionRule[]
  /** Headers of its own that pages of other origins may send. */
  requestHeaders?: string[]
  // A property, not a method: TypeScript then checks that the app has every service that the feature names.
  open: (services: Services) => FeatureParts
}

/** What all features declare together. */
export type Declared = ReturnType<typeof declaredBy>

export const declaredBy = (features: Omit<Feature<never>, 'open'>[]) => ({
  /** Migrations create these queues before they are used. */
  jobKinds: features.flatMap(({ jobKinds = [] }) => jobKinds),
  /** Every event that webhooks, the stream and the events list can show. */
  eventKinds: features.flatMap(({ eventKinds = [] }) => eventKinds),
  errorShapes: features.flatMap(({ errorShape }) => errorShape ?? []),
  /** What every feature holds about people, and the rules by which it expires. */
  personalData: features.flatMap(({ personalData = [] }) => personalData),
  personalMentions: features.flatMap(({ personalMentions = [] }) => personalMentions),
  retention: features.flatMap(({ retention = [] }) => retention),
  requestHeaders: features.flatMap(({ requestHeaders = [] }) => requestHeaders),
})

export interface FeatureParts {
  /** Operations of the API are added to `routes`; requests outside it, such as inbound webhooks, to `server`. */
  routes?(routes: Routes, server: FastifyInstance): void
  gauges?: StateGauge[]
  queues?: QueueGauge[]
  /** Runs on worker nodes. */
  jobs?: JobHandler[]
  subscriptions?: (Subscription | RangeSubscription)[]
  work?(): Promise<Closable> | Closable
  /** Runs on every node, once the server exists. */
  start?(server: Server): RunningPart
}

interface Closable {
  close(): Promise<void>
}

export interface RunningPart extends Closable {
  /**
   * Takes no new work of the kind that lasts for minutes, and resolves when there is none left or `hurry` is aborted.
   * Called when load balancers have had time to turn to other nodes; the server still serves requests.
   */
  drain?(hurry: AbortSignal): Promise<void>
  /** Ends streams and sockets that would keep the server's connections open; called before the server closes. */
  beforeServerCloses?(): Promise<void>
}
