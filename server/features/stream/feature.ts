import type { Database } from '../../platform/database.ts'
import type { EventKind } from '../../platform/events.ts'
import type { Feature } from '../../platform/feature.ts'
import type { Authenticate } from '../../platform/http/principal.ts'
import type { LiveHints } from '../../platform/live-hints.ts'
import { streamRoutes } from './routes.ts'
import type { Tails } from './tails.ts'

export const stream: Feature<{
  database: Database
  authenticate: Authenticate
  eventKinds: EventKind[]
  tails: Tails
  liveHints: LiveHints
  settings: { STREAM_HEARTBEAT_SECONDS: number }
}> = {
  requestHeaders: ['last-event-id'],
  open: ({ settings, eventKinds: kinds, ...services }) => ({
    routes(routes, server) {
      const heartbeatMs = settings.STREAM_HEARTBEAT_SECONDS * 1000
      const streams = streamRoutes(routes, { ...services, kinds, heartbeatMs })
      server.addHook('preClose', async () => streams.close())
    },
  }),
}
