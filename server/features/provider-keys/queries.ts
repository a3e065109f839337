import Type, { type Static } from 'typebox'
import type { SystemSql, TenantSql, TenantTx } from '../../platform/database.ts'
import { Instant, OneOf } from '../../platform/schemas.ts'
import { type AccountProvider, accountProviders } from '../../providers/accounts/contract.ts'

const OwnKey = Type.Object({ provider: OneOf(accountProviders), last_four: Type.String(), updated_at: Instant })
export type OwnKey = Static<typeof OwnKey>

export const listOwnKeys = (tx: TenantSql) =>
  tx.all(OwnKey)`select provider, last_four, updated_at from provider_keys order by provider`

const Lock = Type.Object({ provider: Type.String() })

export const lockOwnKey = (tx: TenantTx, provider: AccountProvider) =>
  tx.maybe(Lock)`select provider from provider_keys where provider = ${provider} for update`

export const saveOwnKey = (tx: TenantTx, provider: AccountProvider, key: { sealed: Buffer; lastFour: string }) =>
  tx.one(OwnKey)`
    insert into provider_keys (provider, sealed_key, last_four) values (${provider}, ${key.sealed}, ${key.lastFour})
    on conflict (organization_id, provider) do update set
      sealed_key = excluded.sealed_key, last_four = excluded.last_four, updated_at = now()
    returning provider, last_four, updated_at`

export const deleteOwnKey = (tx: TenantTx, provider: AccountProvider) =>
  tx.run`delete from provider_keys where provider = ${provider}`

const SealedKey = Type.Object({ provider: OneOf(accountProviders), sealed_key: Type.Unsafe<Buffer>({}) })

export const readSealedKeys = (sql: SystemSql, organizationId: string) =>
  sql.all(SealedKey)`select provider, sealed_key from provider_keys where organization_id = ${organizationId}`
