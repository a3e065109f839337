import Type, { type Static } from 'typebox'
import { isLoopback } from '../platform/loopback.ts'
import type { ServerSettings } from './server.ts'
import { secret, together } from './setting.ts'

export const SignInSettings = Type.Object(
  {
    SESSION_HOURS: Type.Integer({
      minimum: 1,
      maximum: 9_600,
      default: 12,
      description: 'Longest time that a person stays signed in, in hours.',
    }),
    SESSION_IDLE_MINUTES: Type.Optional(
      Type.Integer({
        minimum: 5,
        maximum: 576_000,
        description:
          'Ends a session that sends no request for this long. An open console sends requests. If unset, only `SESSION_HOURS` ends it.',
      }),
    ),
    OPERATOR_SECOND_FACTOR: Type.Union([Type.Literal('auto'), Type.Literal('always'), Type.Literal('never')], {
      default: 'auto',
      description:
        'Whether operators of the installation need a second factor. `auto` requires it once there is more than one organization. Single sign-on is exempt: the provider asks for it.',
    }),
    OIDC_ISSUER: Type.Optional(
      Type.String({
        pattern: '^https?://',
        description:
          'An OpenID provider with which people sign in to the console: its issuer, such as `https://login.example.com`. Register `PUBLIC_URL` with `/auth/single-sign-on/callback` there as redirect address. Requires `OIDC_CLIENT_ID` and `PUBLIC_URL`.',
      }),
    ),
    OIDC_CLIENT_ID: Type.Optional(
      Type.String({ description: 'The client that you registered at the OpenID provider.' }),
    ),
    OIDC_CLIENT_SECRET: secret({ description: 'The secret of that client, unless it is a public one.' }),
    OIDC_NAME: Type.String({
      default: 'single sign-on',
      description: 'The name of the OpenID provider on the button of the sign-in page: “Continue with …”.',
    }),
    TRUSTED_ISSUER: Type.Optional(
      Type.String({ description: 'A second token issuer for single sign-on: the `iss` of its tokens.' }),
    ),
    TRUSTED_AUDIENCE: Type.Optional(
      Type.String({ description: 'The `aud` that tokens of the second issuer must have.' }),
    ),
    TRUSTED_JWKS_URL: Type.Optional(
      Type.String({ pattern: '^https?://', description: 'Where the second issuer publishes its public keys.' }),
    ),
  },
  { title: 'Sign-in' },
)

type SignInSettings = Static<typeof SignInSettings>

export function* signInProblems(settings: SignInSettings & Pick<ServerSettings, 'PUBLIC_URL'>): Iterable<string> {
  const { OIDC_ISSUER, PUBLIC_URL } = settings
  yield* together(settings, 'OIDC_ISSUER', 'OIDC_CLIENT_ID')
  if (OIDC_ISSUER && !PUBLIC_URL) yield 'OIDC_ISSUER requires PUBLIC_URL, which the provider sends people back to'
  if (OIDC_ISSUER && !isSafeIssuer(OIDC_ISSUER))
    yield 'OIDC_ISSUER must be a valid https: URL; http: is possible on this machine alone'
  yield* together(settings, 'TRUSTED_ISSUER', 'TRUSTED_AUDIENCE', 'TRUSTED_JWKS_URL')
}

const isSafeIssuer = (url: string): boolean =>
  URL.canParse(url) && (url.startsWith('https:') || isLoopback(new URL(url).hostname))
