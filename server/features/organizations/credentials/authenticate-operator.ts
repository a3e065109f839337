import type { Database } from '../../../platform/database.ts'
import { insufficientScope, refusedTo } from '../../../platform/errors.ts'
import { type Authenticate, noOrganization, operatorScope } from '../../../platform/http/principal.ts'
import { type Authentication, secondFactorMissing } from './authenticate.ts'
import { findOperator, type OperatorRule } from './queries.ts'

/** Operators are people whom the installation names, in no organization. Never cached, so that a removal counts at once. */
export const createOperatorAuthentication =
  (database: Database, identify: Authentication['identify'], rule: OperatorRule): Authenticate =>
  async (request) => {
    const { userId, sessionId, usesSingleSignOn } = await identify(request)
    const { is_operator, lacks_second_factor } = await findOperator(database.forAccess(), userId, rule)
    const credential = `user ${userId}`
    if (!is_operator) throw refusedTo(credential, insufficientScope(operatorScope))
    if (lacks_second_factor && !usesSingleSignOn) throw refusedTo(credential, secondFactorMissing('Operators need'))
    return {
      credential,
      scope: { organizationId: noOrganization, livemode: true },
      scopes: new Set([operatorScope]),
      actor: { type: 'user', id: userId },
      person: { userId, sessionId, role: operatorScope },
    }
  }
