import { Readable } from 'node:stream'
import Type from 'typebox'
import type { Database } from '../../platform/database.ts'
import { AppError, badRequest, RateLimited } from '../../platform/errors.ts'
import type { EventKind } from '../../platform/events.ts'
import { type Authenticate, anyScope, may, type Principal } from '../../platform/http/principal.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { isUuid } from '../../platform/ids.ts'
import type { LiveHints } from '../../platform/live-hints.ts'
import { visibleTypes, wantedTypes } from '../events/visible-types.ts'
import { openStream } from './open-stream.ts'
import { findTicketId } from './queries.ts'
import { createHintQueue } from './queue-hints.ts'
import { StreamFilter } from './schema.ts'
import type { Tails } from './tails.ts'

/** Together with the credential cache, a stream whose credential has ended closes within five seconds. */
const checkEveryMs = 1_000
/** A client that reads nothing for this many heartbeats is disconnected. */
const maxMissedHeartbeats = 4
const mostOfCredential = 100

interface StreamDependencies {
  database: Database
  authenticate: Authenticate
  kinds: EventKind[]
  tails: Tails
  liveHints: LiveHints
  heartbeatMs: number
}

interface Streams {
  /** Ends the open streams, so that the server can close. */
  close(): void
}

export function streamRoutes(routes: Routes, deps: StreamDependencies): Streams {
  const { database, authenticate, kinds, tails, liveHints, heartbeatMs } = deps
  const open = new Map<AbortController, string>()
  let isClosing = false

  routes.stream({
    id: 'streamEvents',
    method: 'GET',
    url: '/stream',
    tag: 'Events',
    summary: 'Stream events',
    description:
      'Server-sent events. `data` is an event as in the list of events, `id` is its id. To resume after a disconnect, send `Last-Event-ID`; you miss nothing. Without it the stream starts now with an `id` that has no data, from which you can resume before the first event. Events arrive in the order of the changes that caused them; events that the credential’s scopes do not cover are omitted. The stream ends when the credential expires or is revoked. An `EventSource` in a page authenticates with the cookie and can send `mode` and `organization_id` in the query.',
    scope: anyScope,
    query: StreamFilter,
    response: Type.String({
      examples: ['id: 01976f3e-6f0a-7c44-9a51-0d3f5a1b2c3d\ndata: {"type":"contact.created"}\n\n'],
    }),
    contentType: 'text/event-stream',
    errors: [400],
    handler: async ({ query, principal, request, reply }) => {
      const wanted = wantedTypes(query.type)
      const lastEventId = resumeFrom(request.headers['last-event-id'], query.last_event_id)
      const ofCredential = [...open.values()].filter((each) => each === principal.credential).length
      if (ofCredential >= mostOfCredential) throw new RateLimited(10, mostOfCredential)
      const typesOf = (caller: Principal) => {
        const types = visibleTypes(wanted, caller, kinds)
        return types && new Set(types)
      }
      let caller = principal
      let types = typesOf(caller)
      const ending = new AbortController()
      open.set(ending, principal.credential)
      const tail = await tails.open(principal.scope).catch((error) => {
        open.delete(ending)
        throw error
      })
      const tenant = database.forTenant(principal.scope)
      const hints = createHintQueue()
      const stopHints = query.hints
        ? liveHints.on(principal.scope, (hint) => {
            const isForCaller = hint.userId === undefined || hint.userId === caller.person?.userId
            if (!isForCaller || !may(caller, hint.requires)) return
            const { ticket_id: ticketId } = hint.object
            if (!tenant.isLimited || typeof ticketId !== 'string') return hints.add(hint)
            // A hint may be lost, so a failed check drops it.
            findTicketId(tenant, ticketId).then(
              (ticket) => ticket && hints.add(hint),
              () => {},
            )
          })
        : () => {}
      let waitingSince: number | undefined
      const body = Readable.from(
        openStream(tail, tenant, {
          lastEventId,
          types: () => types,
          hints,
          heartbeatMs,
          signal: ending.signal,
          onWaiting: (isWaiting) => {
            waitingSince = isWaiting ? performance.now() : undefined
          },
        }),
        { objectMode: false, highWaterMark: 64 * 1024 },
      )
      const check = async () => {
        if (waitingSince !== undefined && performance.now() - waitingSince > heartbeatMs * maxMissedHeartbeats)
          return void body.destroy()
        try {
          caller = await authenticate(request)
          // The client opens the stream again, which then has the new limits.
          if (caller.scope.limitedTo !== principal.scope.limitedTo) return void ending.abort()
          types = typesOf(caller)
        } catch (error) {
          // The check itself failed, which says nothing about the credential.
          if (error instanceof AppError) ending.abort()
        }
      }
      const timer = setInterval(() => void check(), Math.min(checkEveryMs, heartbeatMs))
      const end = () => {
        clearInterval(timer)
        stopHints()
        ending.abort()
        if (open.delete(ending)) tail.close()
      }
      body.once('close', end)
      reply.raw.once('close', end)
      if (isClosing) ending.abort()
      return reply
        .header('content-type', 'text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(body)
    },
  })

  return {
    close() {
      isClosing = true
      for (const ending of open.keys()) ending.abort()
    },
  }
}

function resumeFrom(header: string | string[] | undefined, query: string | undefined): string | undefined {
  if (header === undefined || header === '') return query
  if (!isUuid(header)) throw badRequest('Last-Event-ID is not the id of an event')
  return header
}
