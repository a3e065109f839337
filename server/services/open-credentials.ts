import type { Settings } from '../config.ts'
import { createAuthentication } from '../features/organizations/credentials/authenticate.ts'
import { createOperatorAuthentication } from '../features/organizations/credentials/authenticate-operator.ts'
import { createKeyCredentials } from '../features/organizations/credentials/key-credentials.ts'
import { createPersonCredentials } from '../features/organizations/credentials/person-credentials.ts'
import type { SigningKeys } from '../features/organizations/credentials/signing-keys.ts'
import type { SessionLimits } from '../features/organizations/sessions/session-limits.ts'
import { createCookies } from '../features/organizations/sign-in/cookies.ts'
import type { Database } from '../platform/database.ts'
import type { Signals } from '../platform/signals.ts'
import { trustedIssuer } from './from-settings.ts'

interface CredentialOptions {
  settings: Settings
  database: Database
  signals: Signals
  sessionLimits: SessionLimits
  signingKeys: SigningKeys
}

/** Who is calling: keys, people and operators. */
export function openCredentials(
  { settings, database, signals, sessionLimits, signingKeys }: CredentialOptions,
  stack: AsyncDisposableStack,
) {
  const cookies = createCookies(settings.PUBLIC_URL)
  const keys = createKeyCredentials(database, signals)
  stack.defer(() => keys.close())
  const people = createPersonCredentials(database, signals, {
    ours: signingKeys,
    trusted: trustedIssuer(settings),
    sessionLimits,
  })
  stack.defer(() => people.close())
  const authentication = createAuthentication({ keys, people, cookies })
  return {
    cookies,
    ...authentication,
    authenticateOperator: createOperatorAuthentication(
      database,
      authentication.identify,
      settings.OPERATOR_SECOND_FACTOR,
    ),
  }
}
