import type { Database } from '../../../platform/database.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { anyScope, type Principal } from '../../../platform/http/principal.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { Deleted } from '../../../platform/schemas.ts'
import { credentialsChannel } from '../credentials/credential-cache.ts'
import { closeOtherSessions } from '../sign-in/queries.ts'
import { closeSessionOf, listSessions } from './queries.ts'
import { SessionFilter, SessionPage, SessionPath } from './schema.ts'
import type { SessionLimits } from './session-limits.ts'

const tag = 'Sign-in'

function personOf({ person }: Principal) {
  if (!person) throw new AppError(403, 'Only people have sessions')
  return person
}

export function sessionRoutes(
  routes: Routes,
  { database, sessionLimits }: { database: Database; sessionLimits: SessionLimits },
): void {
  routes.stream({
    id: 'listSessions',
    method: 'GET',
    url: '/auth/sessions',
    tag,
    summary: 'List your sessions',
    description: 'Where you are signed in. Tokens of a trusted issuer (`TRUSTED_ISSUER`) have no session.',
    scope: anyScope,
    peopleOnly: true,
    organization: 'optional',
    query: SessionFilter,
    response: SessionPage,
    errors: [403],
    handler: ({ query, principal }) => listSessions(database.forSystem(), sessionLimits, personOf(principal), query),
  })

  routes.stream({
    id: 'endOtherSessions',
    method: 'DELETE',
    url: '/auth/sessions',
    tag,
    summary: 'Sign out everywhere else',
    description: 'Ends all your sessions except the one of this request.',
    scope: anyScope,
    peopleOnly: true,
    organization: 'optional',
    response: Deleted,
    handler: async ({ principal }) => {
      const { userId, sessionId } = personOf(principal)
      await database.inSystem(async (tx) => {
        await closeOtherSessions(tx, userId, sessionId)
        tx.signal(credentialsChannel)
      })
      return { message: 'Signed out everywhere else' }
    },
  })

  routes.stream({
    id: 'endSession',
    method: 'DELETE',
    url: '/auth/sessions/{session_id}',
    tag,
    summary: 'End one of your sessions',
    description: 'Its access token and refresh token stop working on every node within five seconds.',
    scope: anyScope,
    peopleOnly: true,
    organization: 'optional',
    params: SessionPath,
    response: Deleted,
    handler: async ({ params, principal }) => {
      const { userId } = personOf(principal)
      await database.inSystem(async (tx) => {
        if ((await closeSessionOf(tx, userId, params.session_id)) === 0) throw notFound('Session')
        tx.signal(credentialsChannel)
      })
      return { message: 'Session ended' }
    },
  })
}
