import { sealedColumn } from '../../platform/reseal.ts'

/** Binds a sealed key to its record: copied to another organization or provider, it cannot be opened. */
export const contextOf = (organizationId: string, provider: string) => `provider key ${organizationId} ${provider}`

export const sealedProviderKeys = sealedColumn({
  table: 'provider_keys',
  column: 'sealed_key',
  key: { organization_id: 'uuid', provider: 'text' },
  context: ({ organization_id, provider }) => contextOf(organization_id, provider),
})
