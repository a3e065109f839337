import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../platform/database.ts'
import type { Feature } from '../../platform/feature.ts'
import type { RateLimiter } from '../../platform/http/rate-limit.ts'
import type { Authentication } from './credentials/authenticate.ts'
import type { SigningKeys } from './credentials/signing-keys.ts'
import { keyRoutes } from './keys/routes.ts'
import { peopleRoutes } from './members/routes.ts'
import { roleRoutes } from './roles/routes.ts'
import { organizationRoutes } from './routes.ts'
import type { Installation } from './schema.ts'
import type { Cookies } from './sign-in/cookies.ts'
import { publishSigningKeys, signInRoutes } from './sign-in/routes.ts'

export const organizations: Feature<{
  database: Database
  installation: () => Promise<Installation>
  rateLimiter: RateLimiter
  signingKeys: SigningKeys
  cookies: Cookies
  identify: Authentication['identify']
  settings: { PUBLIC_URL?: string | undefined; RATE_LIMIT_LOGINS_PER_MINUTE: number }
}> = {
  open: ({ settings, ...services }) => ({
    routes(routes, server) {
      organizationRoutes(routes, services)
      keyRoutes(routes)
      peopleRoutes(routes, { publicUrl: settings.PUBLIC_URL })
      roleRoutes(routes)
      signInRoutes(routes, {
        ...services,
        attemptsPerMinute: settings.RATE_LIMIT_LOGINS_PER_MINUTE,
        pause: (ms) => sleep(ms),
      })
      publishSigningKeys(server, services.signingKeys)
    },
  }),
}
