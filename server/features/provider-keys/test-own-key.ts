import { notFound } from '../../platform/errors.ts'
import type { OutboundHttp } from '../../platform/outbound-fetch.ts'
import { checkKey, type KeyCheck } from '../../providers/accounts/check-key.ts'
import { type AccountProvider, unopenedKey } from '../../providers/accounts/contract.ts'
import type { InstalledProviders } from './describe-keys.ts'
import type { OwnKeys } from './own-keys.ts'

export interface KeyTesting {
  http: OutboundHttp
  ownKeys: OwnKeys
  installed: InstalledProviders
}

/** Asks the provider whether it accepts the organization's own key. */
export async function testOwnKey(
  organizationId: string,
  provider: AccountProvider,
  { http, ownKeys, installed }: KeyTesting,
): Promise<KeyCheck> {
  const { [provider]: apiKey } = await ownKeys.of(organizationId)
  if (apiKey === undefined) throw notFound('Provider key')
  if (apiKey === null) return { works: false, message: `${unopenedKey(provider)}.` }
  return checkKey(http, provider, { baseUrl: installed[provider].baseUrl, apiKey })
}
