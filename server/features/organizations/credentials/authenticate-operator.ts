import type { Database } from '../../../platform/database.ts'
import { insufficientScope } from '../../../platform/errors.ts'
import { type Authenticate, noOrganization, operatorScope } from '../../../platform/http/principal.ts'
import type { Authentication } from './authenticate.ts'
import { isOperator } from './queries.ts'

/** Operators are people whom the installation names, in no organization. Never cached, so that a removal counts at once. */
export const createOperatorAuthentication =
  (database: Database, identify: Authentication['identify']): Authenticate =>
  async (request) => {
    const { userId, sessionId } = await identify(request)
    const { is_operator } = await isOperator(database.forSystem(), userId)
    if (!is_operator) throw insufficientScope(operatorScope)
    return {
      credential: `user ${userId}`,
      scope: { organizationId: noOrganization, livemode: true },
      scopes: new Set([operatorScope]),
      actor: { type: 'user', id: userId },
      person: { userId, sessionId, role: operatorScope },
    }
  }
