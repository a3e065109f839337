import Type from 'typebox'
import type { SystemSql, TenantSql, TenantTx } from '../../../platform/database.ts'
import { Id } from '../../../platform/schemas.ts'
import { suspendedIds } from '../../../platform/suspended.ts'
import { ChannelRow, channelColumns } from '../queries.ts'
import type { StoredHealth } from './health-schema.ts'

/** Test channels without credentials of their own belong to an account with the organization's id. */
export const lockChannelsOfAccount = (tx: TenantTx, businessAccountId: string) =>
  tx.all(ChannelRow)`
    select ${channelColumns} from channels
    where deleted_at is null and coalesce(chat ->> 'business_account_id', organization_id::text) = ${businessAccountId}
    order by id for no key update`

export const lockHealth = (tx: TenantTx, channelId: string) =>
  tx.maybe(
    ChannelRow,
  )`select ${channelColumns} from channels where id = ${channelId} and deleted_at is null for no key update`

/** `updated_at` stays: no member changed the channel. */
export const saveHealth = (tx: TenantTx, channelId: string, health: StoredHealth) =>
  tx.one(ChannelRow)`update channels set health = ${health} where id = ${channelId} returning ${channelColumns}`

const AccountHealth = Type.Object({
  health: Type.Unsafe<StoredHealth | null>({}),
  /** Every channel of the same business account, deleted ones too: the limit counts what they sent. */
  channel_ids: Type.Array(Id),
})

export const findAccountHealth = (sql: TenantSql, channelId: string) =>
  sql.maybe(AccountHealth)`
    select own.health, array(
      select c.id::text from channels c
      where coalesce(c.chat ->> 'business_account_id', c.organization_id::text)
        = coalesce(own.chat ->> 'business_account_id', own.organization_id::text)) as channel_ids
    from channels own where own.id = ${channelId}`

const ChannelRef = Type.Object({ organization_id: Id, livemode: Type.Boolean(), id: Id })

/** Live channels, and test channels whose health was read or reported before, that were not read within the last hour. */
export const listChannelsToCheck = (system: SystemSql) =>
  system.all(ChannelRef)`
    select organization_id, livemode, id from channels
    where deleted_at is null and status = 'active' and (livemode and sealed_chat is not null or not livemode and health is not null)
      and coalesce((health ->> 'checked_at')::timestamptz, '-infinity') < now() - interval '1 hour'
      and organization_id <> all(${suspendedIds})
    order by id`
