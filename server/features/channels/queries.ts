import Type, { type Static } from 'typebox'
import type { SystemSql, SystemTx, TenantSql, TenantTx } from '../../platform/database.ts'
import { readCursorPage } from '../../platform/http/pagination.ts'
import { Nullable } from '../../platform/schemas.ts'
import { type Fragment, sql } from '../../platform/sql.ts'
import { suspendedIds } from '../../platform/suspended.ts'
import type { StoredHealth } from './health/health-schema.ts'
import { Channel, type ChannelFilter, type ChannelStatus, StoredChat } from './schema.ts'

export const channelColumns = sql`id, organization_id, phone_number, display_name, agent_id, messages_per_second, coexistence, marketing_messages, asks_for_rating,
  chat, voice, livemode, created_at, updated_at, status, status_reason, verification_id, chat_app_hash, health,
  (select hook.id from chat_hooks hook where hook.app_hash = channels.chat_app_hash) as chat_hook_id`

const bytes = Type.Unsafe<Buffer | null>({})

/** A channel's row. It has the hook id; `showChannel` turns it into a URL. */
export const ChannelRow = Type.Object({
  ...Channel.properties,
  chat: Nullable(StoredChat),
  chat_app_hash: bytes,
  chat_hook_id: Nullable(Type.String()),
  verification_id: Nullable(Type.String()),
  health: Type.Unsafe<StoredHealth | null>({}),
})
export type ChannelRow = Static<typeof ChannelRow>

/** Includes the encrypted secrets. Never return it to a caller. */
export const StoredChannel = Type.Object({ ...ChannelRow.properties, sealed_chat: bytes, sealed_voice: bytes })
export type StoredChannel = Static<typeof StoredChannel>

export const findChannel = (tx: TenantSql, id: string) =>
  tx.maybe(ChannelRow)`select ${channelColumns} from channels where id = ${id} and deleted_at is null`

export const findStoredChannel = (tx: TenantSql, id: string) =>
  tx.maybe(StoredChannel)`
    select ${channelColumns}, sealed_chat, sealed_voice from channels where id = ${id} and deleted_at is null`

export const lockChannel = (tx: TenantTx, id: string) =>
  tx.maybe(StoredChannel)`
    select ${channelColumns}, sealed_chat, sealed_voice from channels where id = ${id} and deleted_at is null for update`

export const listChannels = (tx: TenantSql, filter: ChannelFilter) =>
  readCursorPage<ChannelRow>(
    tx,
    { columns: channelColumns, from: sql`channels`, where: sql`deleted_at is null` },
    filter,
  )

const Clash = Type.Object({
  id: Type.String(),
  phone_number: Type.String(),
  chat_number: Nullable(Type.String()),
  voice_number: Nullable(Type.String()),
})

/** Finds another channel that holds one of the numbers that must be unique. */
export const findClash = (tx: TenantSql, { id, phone_number, chat, voice }: NewChannelRow) =>
  tx.maybe(Clash)`
    select id, phone_number, chat ->> 'phone_number_id' as chat_number, voice ->> 'phone_number_id' as voice_number
    from channels
    where deleted_at is null and id <> ${id} and (phone_number = ${phone_number}
      or chat ->> 'phone_number_id' = ${chat?.phone_number_id ?? null}
      or voice ->> 'phone_number_id' = ${voice?.phone_number_id ?? null})
    order by id
    limit 1`

export type NewChannelRow = Omit<
  StoredChannel,
  'organization_id' | 'livemode' | 'created_at' | 'updated_at' | 'chat_hook_id' | 'health'
>

/** Returns undefined if one of its numbers is taken. The unique indexes decide, also between concurrent requests. */
export const insertChannel = (tx: TenantTx, channel: NewChannelRow) =>
  tx.maybe(ChannelRow)`
    insert into channels (id, phone_number, display_name, agent_id, messages_per_second, coexistence, marketing_messages, asks_for_rating, chat,
      sealed_chat, chat_app_hash, chat_claimed_at, chat_account_claimed_at, voice, sealed_voice, status, status_reason, verification_id)
    values (${channel.id}, ${channel.phone_number}, ${channel.display_name}, ${channel.agent_id},
      ${channel.messages_per_second}, ${channel.coexistence}, ${channel.marketing_messages}, ${channel.asks_for_rating}, ${channel.chat}, ${channel.sealed_chat}, ${channel.chat_app_hash},
      case when ${channel.chat !== null} then now() end, case when ${channel.chat !== null} then now() end,
      ${channel.voice}, ${channel.sealed_voice}, ${channel.status}, ${channel.status_reason}, ${channel.verification_id})
    on conflict do nothing
    returning ${channelColumns}`

export const updateChannelRow = (tx: TenantTx, channel: StoredChannel) =>
  tx.one(ChannelRow)`
    update channels set
      phone_number = ${channel.phone_number}, display_name = ${channel.display_name}, agent_id = ${channel.agent_id},
      messages_per_second = ${channel.messages_per_second}, coexistence = ${channel.coexistence},
      marketing_messages = ${channel.marketing_messages},
      marketing_messages_changed_at = case
        when (marketing_messages and not coexistence) <> ${channel.marketing_messages && !channel.coexistence} then now()
        else marketing_messages_changed_at end,
      asks_for_rating = ${channel.asks_for_rating}, chat = ${channel.chat},
      chat_claimed_at = case when ${channel.chat === null} then null
        when chat ->> 'phone_number_id' = ${channel.chat?.phone_number_id ?? null} then chat_claimed_at else now() end,
      chat_account_claimed_at = case when ${channel.chat === null} then null
        when chat ->> 'business_account_id' = ${channel.chat?.business_account_id ?? null} then chat_account_claimed_at
        else now() end,
      health = case when chat ->> 'phone_number_id' = ${channel.chat?.phone_number_id ?? null} then health end,
      sealed_chat = ${channel.sealed_chat}, chat_app_hash = ${channel.chat_app_hash}, voice = ${channel.voice},
      sealed_voice = ${channel.sealed_voice}, status = ${channel.status}, status_reason = ${channel.status_reason},
      verification_id = ${channel.verification_id}, updated_at = now()
    where id = ${channel.id}
    returning ${channelColumns}`

export const setChannelStatus = (
  tx: TenantTx,
  id: string,
  { status, reason, verificationId }: { status: ChannelStatus; reason: string | null; verificationId: string | null },
) =>
  tx.one(ChannelRow)`
    update channels set status = ${status}, status_reason = ${reason}, verification_id = ${verificationId},
      updated_at = now()
    where id = ${id}
    returning ${channelColumns}`

/** Keeps the row for records that refer to it, and erases the secrets. */
export const hideChannel = (tx: TenantTx, id: string) =>
  tx.maybe(ChannelRow)`
    update channels set deleted_at = now(), sealed_chat = null, sealed_voice = null
    where id = ${id} and deleted_at is null
    returning ${channelColumns}`

/** Inserts only if the organization never had a test channel, not even a deleted one. */
export const insertFirstTestChannel = (
  tx: SystemTx,
  channel: { organizationId: string; id: string; phoneNumber: string; displayName: string },
) =>
  tx.run`
    insert into channels (organization_id, livemode, id, phone_number, display_name)
    select ${channel.organizationId}, false, ${channel.id}, ${channel.phoneNumber}, ${channel.displayName}
    where not exists (
      select from channels where organization_id = ${channel.organizationId} and not livemode)`

const HookId = Type.Object({ id: Type.String() })

/** Returns the hook id of the app, also if a concurrent request has just inserted one. */
export async function claimHook(tx: TenantSql, appHash: Buffer, freshId: string): Promise<string> {
  await tx.run`insert into chat_hooks (app_hash, id) values (${appHash}, ${freshId}) on conflict do nothing`
  const { id } = await tx.one(HookId)`select id from chat_hooks where app_hash = ${appHash}`
  return id
}

export const setChannelApp = (tx: TenantSql, channelId: string, appHash: Buffer) =>
  tx.run`update channels set chat_app_hash = ${appHash} where id = ${channelId} and deleted_at is null`

const ChannelRef = Type.Object({ organization_id: Type.String(), livemode: Type.Boolean(), id: Type.String() })

/** Channels from before hooks existed. */
export const listChannelsWithoutHook = (tx: SystemSql) =>
  tx.all(ChannelRef)`
    select organization_id, livemode, id from channels
    where deleted_at is null and sealed_chat is not null and chat_app_hash is null
      and (chat ->> 'has_app_secret')::boolean`

const ChannelOfHook = Type.Object({
  ...ChannelRef.properties,
  chat: Nullable(StoredChat),
  sealed_chat: bytes,
  chat_app_hash: Type.Unsafe<Buffer>({}),
})

export const listChannelsOfHook = (tx: SystemSql, hookId: string) =>
  tx.all(ChannelOfHook)`
    select c.organization_id, c.livemode, c.id, c.chat, c.sealed_chat, c.chat_app_hash
    from chat_hooks hook join channels c on c.organization_id = hook.organization_id and c.livemode = hook.livemode
      and c.chat_app_hash = hook.app_hash and c.deleted_at is null
    where hook.id = ${hookId}
    order by c.id`

const AddressedRow = Type.Object({
  ...ChannelRef.properties,
  position: Type.Integer(),
  claims: Type.Integer(),
  is_suspended: Type.Boolean(),
})
export type AddressedRow = Static<typeof AddressedRow>

interface AddressRow {
  position: number
  phoneNumberId: string | null
  businessAccountId: string | null
}

/** Active channels of the app that signed. Channels without chat credentials are matched by our own ids. */
export const findChannelsOfApps = (
  tx: SystemSql,
  rows: (AddressRow & { organizationId: string; livemode: boolean; appHash: Buffer })[],
) =>
  tx.all(AddressedRow)`
    select given.position, c.organization_id, c.livemode, c.id, 1 as claims, c.organization_id = any(${suspendedIds}) as is_suspended
    from unnest(${rows.map(({ position }) => position)}::integer[], ${rows.map(({ organizationId }) => organizationId)}::uuid[],
        ${rows.map(({ livemode }) => livemode)}::boolean[], ${rows.map(({ appHash }) => appHash)}::bytea[],
        ${rows.map(({ phoneNumberId }) => phoneNumberId)}::text[],
        ${rows.map(({ businessAccountId }) => businessAccountId)}::text[])
        given (position, organization_id, livemode, app_hash, number, account)
      cross join lateral (
        select organization_id, livemode, id from channels
        where organization_id = given.organization_id and livemode = given.livemode and chat_app_hash = given.app_hash
          and deleted_at is null and status = 'active' and (given.number is null or coalesce(chat ->> 'phone_number_id', id::text) = given.number)
          and (given.account is null or coalesce(chat ->> 'business_account_id', organization_id::text) = given.account)
        order by id limit 1
      ) c`

/**
 * Active live channels of any organization that have no app of their own, or use the installation's. A number belongs
 * to one organization; an account may have numbers of several, and its updates go to the first that claimed it.
 */
export const findChannelsOfInstallation = (tx: SystemSql, rows: AddressRow[], appHash: Buffer) => {
  const first = (condition: Fragment, claimedAt: Fragment) => sql`
    select organization_id, livemode, id, claims from (
      select organization_id, livemode, id, ${claimedAt} as claimed_at,
        count(*) over () - count(*) over (partition by organization_id) + 1 as claims
      from channels
      where ${condition} and deleted_at is null and livemode and status = 'active' and (chat_app_hash is null or chat_app_hash = ${appHash})
    ) claimants order by claimed_at, id limit 1`
  return tx.all(AddressedRow)`
    select given.position, c.*, c.organization_id = any(${suspendedIds}) as is_suspended from unnest(${rows.map(({ position }) => position)}::integer[],
        ${rows.map(({ phoneNumberId }) => phoneNumberId)}::text[],
        ${rows.map(({ businessAccountId }) => businessAccountId)}::text[]) given (position, number, account)
      cross join lateral (
        (${first(sql`chat ->> 'phone_number_id' = given.number`, sql`chat_claimed_at`)}) union all
        (${first(sql`given.number is null and chat ->> 'business_account_id' = given.account`, sql`chat_account_claimed_at`)})
      ) c`
}
