import { asFetch } from '../../../platform/outbound-as-fetch.ts'
import { OutboundError, type OutboundHttp } from '../../../platform/outbound-fetch.ts'
import { identityOf, type LinkedIdentity } from '../credentials/trusted-issuer.ts'

interface SignOnSettings {
  /** As people know it, for the button. */
  name: string
  issuer: string
  clientId: string
  clientSecret: string | undefined
  /** Where the provider sends people back to. */
  redirectUri: string
}

/** What the browser keeps until the provider sends it back. */
export interface PendingSignOn {
  state: string
  nonce: string
  verifier: string
}

/** `expired`: the provider's code is not valid any more. `failed`: the provider or our settings are at fault. */
type SignOnFault = 'unavailable' | 'expired' | 'failed'

export class SignOnError extends Error {
  readonly fault: SignOnFault
  constructor(fault: SignOnFault, cause: unknown) {
    super(`single sign-on: ${fault}`, { cause })
    this.fault = fault
  }
}

export interface SignOnProvider {
  readonly name: string
  begin(): Promise<{ url: string; pending: PendingSignOn }>
  /** The person that the provider sent back to this address. */
  finish(address: URL, pending: PendingSignOn): Promise<LinkedIdentity>
}

const limits = { timeLimitMs: 5_000, maxBytes: 256 * 1024 }

/** An OpenID provider: authorization code with PKCE. Its settings are read when the first person signs in. */
export function createSignOnProvider(settings: SignOnSettings, http: OutboundHttp): SignOnProvider {
  const { name, issuer, clientId, clientSecret, redirectUri } = settings
  const send = asFetch(http, limits)

  async function discover() {
    // Loaded with the first sign-in: most installations never need it.
    const client = await import('openid-client')
    const auth = clientSecret === undefined ? client.None() : client.ClientSecretPost(clientSecret)
    const configuration = await client.discovery(new URL(issuer), clientId, undefined, auth, {
      [client.customFetch]: (address, options) =>
        send(address, { ...options, body: options.body instanceof URLSearchParams ? `${options.body}` : null }),
      // The settings allow http on this machine only.
      execute: issuer.startsWith('http:') ? [client.allowInsecureRequests] : [],
    })
    return { client, configuration }
  }
  let discovered: ReturnType<typeof discover> | undefined
  const open = () => {
    discovered ??= discover().catch((error) => {
      discovered = undefined
      throw error
    })
    return discovered
  }

  return {
    name,
    async begin() {
      const { client, configuration } = await open().catch(explain)
      const pending = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, pending }
    },
    async finish(address, { state, nonce, verifier }) {
      try {
        const { client, configuration } = await open()
        const tokens = await client.authorizationCodeGrant(configuration, address, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) throw new Error('no ID token')
        // Some providers give the email only here.
        const more =
          claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
            ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
            : {}
        return identityOf({ ...more, ...claims })
      } catch (error) {
        return explain(error)
      }
    },
  }
}

function explain(error: unknown): never {
  throw new SignOnError(faultOf(error), error)
}

function faultOf(error: unknown): SignOnFault {
  const { error: code, status, cause } = error as { error?: string; status?: number; cause?: unknown }
  if (error instanceof OutboundError || (typeof status === 'number' && status >= 500)) return 'unavailable'
  if (code === 'invalid_grant') return 'expired'
  return cause instanceof Object && cause !== error ? faultOf(cause) : 'failed'
}
