import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../platform/database.ts'
import type { Feature } from '../../platform/feature.ts'
import type { RateLimiter } from '../../platform/http/rate-limit.ts'
import type { Log } from '../../platform/log.ts'
import { type Mailer, noMailServer } from '../../platform/mail.ts'
import type { PhoneNumbers } from '../../platform/phone-numbers.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import type { Authentication } from './credentials/authenticate.ts'
import type { OperatorRule } from './credentials/queries.ts'
import type { SigningKeys } from './credentials/signing-keys.ts'
import { createDnsResolver } from './domains/dns-record.ts'
import { checkDomainsJob, domainJobs } from './domains/jobs.ts'
import { domainRoutes } from './domains/routes.ts'
import { keyRoutes } from './keys/routes.ts'
import { accountChangeMailJob, invitationMailJob, passwordResetJob } from './mails/job-kinds.ts'
import { mailJobs } from './mails/jobs.ts'
import { memberRemovedJob } from './members/job-kinds.ts'
import { peopleRoutes } from './members/routes.ts'
import { passkeyRoutes } from './passkeys/routes.ts'
import { roleRoutes } from './roles/routes.ts'
import { organizationRoutes } from './routes.ts'
import type { Installation } from './schema.ts'
import { secondFactorRoutes } from './second-factors/routes.ts'
import { sessionRoutes } from './sessions/routes.ts'
import type { SessionLimits } from './sessions/session-limits.ts'
import type { Cookies } from './sign-in/cookies.ts'
import { publishSigningKeys, signInRoutes } from './sign-in/routes.ts'
import { createWelcome } from './sign-in/welcome.ts'
import { signOnPath, signOnRoutes } from './single-sign-on/routes.ts'
import type { SignOnProvider } from './single-sign-on/sign-on-provider.ts'

export const organizations: Feature<{
  database: Database
  installation: () => Promise<Installation>
  phones: PhoneNumbers
  rateLimiter: RateLimiter
  secrets: SecretBox
  mailer: Mailer | undefined
  log: Log
  sessionLimits: SessionLimits
  signingKeys: SigningKeys
  cookies: Cookies
  identify: Authentication['identify']
  signOnProvider: SignOnProvider | undefined
  settings: {
    PUBLIC_URL?: string | undefined
    RATE_LIMIT_LOGINS_PER_MINUTE: number
    DNS_SERVERS: string[]
    OPERATOR_SECOND_FACTOR: OperatorRule
  }
}> = {
  jobKinds: [passwordResetJob, invitationMailJob, accountChangeMailJob, checkDomainsJob, memberRemovedJob],
  open: ({ settings, mailer, signOnProvider, ...services }) => ({
    jobs: [
      // Settings without PUBLIC_URL, which links lead to, have no mailer.
      ...mailJobs({ ...services, mailer: mailer ?? noMailServer, publicUrl: settings.PUBLIC_URL ?? '' }),
      ...domainJobs({ ...services, resolver: createDnsResolver(settings.DNS_SERVERS) }),
    ],
    routes(routes, server) {
      organizationRoutes(routes, { ...services, operatorRule: settings.OPERATOR_SECOND_FACTOR })
      keyRoutes(routes)
      const sendsMail = mailer !== undefined
      peopleRoutes(routes, { publicUrl: settings.PUBLIC_URL, secrets: services.secrets, sendsMail })
      roleRoutes(routes)
      const signIn = {
        ...services,
        welcome: createWelcome(services),
        sendsMail,
        singleSignOn: signOnProvider ? { name: signOnProvider.name, url: signOnPath } : null,
        attemptsPerMinute: settings.RATE_LIMIT_LOGINS_PER_MINUTE,
        pause: (ms: number) => sleep(ms),
      }
      signInRoutes(routes, signIn)
      sessionRoutes(routes, services)
      secondFactorRoutes(routes, signIn)
      domainRoutes(routes, { database: services.database, resolver: createDnsResolver(settings.DNS_SERVERS) })
      passkeyRoutes(routes, { ...signIn, publicUrl: settings.PUBLIC_URL })
      publishSigningKeys(server, services.signingKeys)
      if (signOnProvider && settings.PUBLIC_URL)
        signOnRoutes(server, { ...signIn, provider: signOnProvider, publicUrl: settings.PUBLIC_URL })
    },
  }),
}
