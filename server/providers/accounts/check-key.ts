import { OutboundError, type OutboundHttp } from '../../platform/outbound-fetch.ts'
import { cartesiaVersion } from '../speech/cartesia-version.ts'
import { type AccountProvider, providerNames } from './contract.ts'

export interface KeyCheck {
  works: boolean
  message: string
}

interface Account {
  baseUrl: string
  apiKey: string
}

const timeLimitMs = 10_000

/**
 * A request of each provider that needs a key, costs nothing and changes nothing. Addresses are the settings', so a
 * compatible server is asked instead of the provider.
 */
const requests: Record<AccountProvider, (apiKey: string) => { path: string; headers: Record<string, string> }> = {
  openai: (key) => ({ path: '/models', headers: { authorization: `Bearer ${key}` } }),
  anthropic: (key) => ({
    path: '/v1/models?limit=1',
    headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
  }),
  google: (key) => ({ path: '/v1beta/models?pageSize=1', headers: { 'x-goog-api-key': key } }),
  deepgram: (key) => ({ path: '/v1/projects', headers: { authorization: `Token ${key}` } }),
  elevenlabs: (key) => ({ path: '/v2/voices?page_size=1', headers: { 'xi-api-key': key } }),
  cartesia: (key) => ({
    path: '/voices?limit=1',
    headers: { authorization: `Bearer ${key}`, 'cartesia-version': cartesiaVersion },
  }),
}

/** Asks the provider whether it accepts the key. Its own words may repeat the key and are not passed on. */
export async function checkKey(
  http: OutboundHttp,
  provider: AccountProvider,
  { baseUrl, apiKey }: Account,
): Promise<KeyCheck> {
  const name = providerNames[provider]
  const { path, headers } = requests[provider](apiKey)
  // A base URL may contain the version already.
  const base = baseUrl.replace(/\/+$/, '')
  const version = /^\/v\w+(?=\/)/.exec(path)?.[0] ?? ''
  const url = base.endsWith(version) ? base + path.slice(version.length) : base + path
  try {
    const { status, body } = await http.fetch({ url, method: 'GET', headers, timeLimitMs, maxBytes: 4 << 20 })
    if (status >= 200 && status < 300) return { works: true, message: `${name} accepts the key.` }
    if (isRestricted(status, body))
      return { works: true, message: `${name} accepts the key, which has limited rights.` }
    if (status === 429)
      return { works: false, message: `${name} refuses requests with this key: its limit is reached (429).` }
    if (status === 404)
      return { works: false, message: `The address set for ${name} is wrong: it does not know the request (404).` }
    if (status >= 500) return { works: false, message: `${name} failed (${status}). Try again later.` }
    return { works: false, message: `${name} does not accept the key (${status}).` }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { works: false, message: `${name} cannot be reached. Try again later.` }
  }
}

/** A key that may not list voices or models can still serve speech: ElevenLabs says so in its refusal. */
const isRestricted = (status: number, body: Buffer): boolean =>
  (status === 401 || status === 403) && body.includes('missing_permissions')
