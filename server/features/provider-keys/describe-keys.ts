import type { TenantSql } from '../../platform/database.ts'
import { type AccountProvider, accountProviders } from '../../providers/accounts/contract.ts'
import { listOwnKeys, type OwnKey } from './queries.ts'
import type { ProviderKey } from './schema.ts'

/** What the installation's settings say about a provider. */
interface InstalledProvider {
  /** Whether it can be used without a key of the organization. */
  hasKey: boolean
  baseUrl: string
  usedFor: ProviderKey['used_for']
}
export type InstalledProviders = Record<AccountProvider, InstalledProvider>

/** Every provider, with the organization's own key where it has one. */
export async function describeKeys(sql: TenantSql, installed: InstalledProviders): Promise<ProviderKey[]> {
  const own = new Map((await listOwnKeys(sql)).map((key) => [key.provider, key]))
  return accountProviders.map((provider) => describeKey(provider, own.get(provider), installed))
}

export function describeKey(
  provider: AccountProvider,
  own: OwnKey | undefined,
  installed: InstalledProviders,
): ProviderKey {
  const { hasKey, usedFor } = installed[provider]
  return {
    provider,
    used_for: usedFor,
    source: own ? 'organization' : hasKey ? 'installation' : 'none',
    last_four: own?.last_four ?? null,
    updated_at: own?.updated_at ?? null,
  }
}
