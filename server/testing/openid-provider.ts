import { createHash, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { handling, listenLocally } from './listen-locally.ts'

interface OpenIdProvider {
  issuer: string
  clientId: string
  clientSecret: string
  /** The person who is signed in there; undefined denies. */
  person: Record<string, unknown> | undefined
  /** Claims that replace those of the next ID tokens. */
  claims: Record<string, unknown>
  /** Where the service listens, if not at its redirect address. */
  serviceUrl: string | undefined
  /** Whether it answers with errors. */
  isDown: boolean
  /** Codes that can no longer be used. */
  forgetCodes(): void
}

/** An OpenID provider over real HTTP: authorization code, PKCE, a client secret and signed ID tokens. */
export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  const keys = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, { challenge: string; nonce: string; redirectUri: string; person: object }>()
  const own: OpenIdProvider = {
    issuer: '',
    clientId: 'frontdesk',
    clientSecret: 'a secret of the client',
    person: undefined,
    claims: {},
    serviceUrl: undefined,
    isDown: false,
    forgetCodes: () => codes.clear(),
  }

  function authorize(query: URLSearchParams): string {
    const given = (name: string) => query.get(name) ?? ''
    const redirect = new URL(given('redirect_uri'))
    const back = new URL(redirect.pathname, own.serviceUrl ?? redirect)
    back.searchParams.set('state', given('state'))
    if (!own.person) back.searchParams.set('error', 'access_denied')
    else {
      const code = randomUUID()
      codes.set(code, {
        challenge: given('code_challenge'),
        nonce: given('nonce'),
        redirectUri: given('redirect_uri'),
        person: own.person,
      })
      back.searchParams.set('code', code)
    }
    return back.href
  }

  async function exchange(form: URLSearchParams) {
    const code = form.get('code') ?? ''
    const granted = codes.get(code)
    codes.delete(code)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight =
      form.get('client_id') === own.clientId &&
      form.get('client_secret') === own.clientSecret &&
      form.get('redirect_uri') === granted?.redirectUri &&
      challenge === granted?.challenge
    if (!granted || !isRight) return { status: 400, body: { error: 'invalid_grant' } }
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: own.issuer, aud: own.clientId, iat: now, exp: now + 300, nonce: granted.nonce }
    const idToken = await new SignJWT({ ...claims, ...granted.person, ...own.claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .sign(keys.privateKey)
    return { status: 200, body: { access_token: 'opaque', token_type: 'Bearer', expires_in: 300, id_token: idToken } }
  }

  const server = createServer(
    handling(async (request, response) => {
      const url = new URL(request.url ?? '', own.issuer)
      const answer = (status: number, body: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      if (own.isDown) return answer(503, { error: 'temporarily_unavailable' })
      if (url.pathname === '/.well-known/openid-configuration')
        return answer(200, {
          issuer: own.issuer,
          authorization_endpoint: `${own.issuer}/authorize`,
          token_endpoint: `${own.issuer}/token`,
          jwks_uri: `${own.issuer}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        })
      if (url.pathname === '/keys') return answer(200, { keys: [jwk] })
      if (url.pathname === '/authorize') return response.writeHead(302, { location: authorize(url.searchParams) }).end()
      const { status, body } = await exchange(new URLSearchParams(await text(request)))
      return answer(status, body)
    }),
  )
  const { url } = await listenLocally(server)
  // Another site than the service, for browsers.
  own.issuer = url.replace('127.0.0.1', 'localhost')
  return own
}
