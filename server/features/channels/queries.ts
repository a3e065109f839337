import Type, { type Static } from 'typebox'
import type { SystemTx, TenantSql, TenantTx } from '../../platform/database.ts'
import { beforeEverything } from '../../platform/http/pagination.ts'
import { Nullable } from '../../platform/schemas.ts'
import { sql } from '../../platform/sql.ts'
import { Channel, type ChannelFilter } from './schema.ts'

const columns = sql`id, organization_id, phone_number, display_name, agent_id, messages_per_second, chat, voice, livemode,
  created_at, updated_at`

/** A row of a page with the total; its columns are null when the page is empty. */
const ChannelRow = Type.Unsafe<Channel & { total_count: number }>({})

const SealedSides = Type.Object({
  sealed_chat: Type.Unsafe<Buffer | null>({}),
  sealed_voice: Type.Unsafe<Buffer | null>({}),
})
/** A channel as it is stored, with its encrypted secrets beside it. Never an answer. */
export const StoredChannel = Type.Object({ ...Channel.properties, ...SealedSides.properties })
export type StoredChannel = Static<typeof StoredChannel>

export const findChannel = (tx: TenantSql, id: string) =>
  tx.maybe(Channel)`select ${columns} from channels where id = ${id} and deleted_at is null`

export const findStoredChannel = (tx: TenantSql, id: string) =>
  tx.maybe(StoredChannel)`
    select ${columns}, sealed_chat, sealed_voice from channels where id = ${id} and deleted_at is null`

export const lockChannel = (tx: TenantTx, id: string) =>
  tx.maybe(StoredChannel)`
    select ${columns}, sealed_chat, sealed_voice from channels where id = ${id} and deleted_at is null for update`

/** Counted as it stands: an organization has as many channels as it has phone numbers. */
export const listChannels = (tx: TenantSql, { limit, starting_after: before = beforeEverything }: ChannelFilter) =>
  tx.all(ChannelRow)`
    select page.*, total_count from
      (select count(*) as total_count from channels where deleted_at is null) total
      left join lateral (
        select ${columns} from channels where deleted_at is null and id < ${before} order by id desc limit ${limit + 1}
      ) page on true
    order by page.id desc`

const Clash = Type.Object({
  id: Type.String(),
  phone_number: Type.String(),
  chat_number: Nullable(Type.String()),
  voice_number: Nullable(Type.String()),
})

/** Another channel that holds one of the numbers which belong to one channel only. */
export const findClash = (tx: TenantSql, { id, phone_number, chat, voice }: Channel | NewChannelRow) =>
  tx.maybe(Clash)`
    select id, phone_number, chat ->> 'phone_number_id' as chat_number, voice ->> 'phone_number_id' as voice_number
    from channels
    where deleted_at is null and id <> ${id} and (phone_number = ${phone_number}
      or chat ->> 'phone_number_id' = ${chat?.phone_number_id ?? null}
      or voice ->> 'phone_number_id' = ${voice?.phone_number_id ?? null})
    order by id
    limit 1`

export type NewChannelRow = Omit<StoredChannel, 'organization_id' | 'livemode' | 'created_at' | 'updated_at'>

/** Nothing when one of its numbers is taken: the unique indexes decide, also between two requests at once. */
export const insertChannel = (tx: TenantTx, channel: NewChannelRow) =>
  tx.maybe(Channel)`
    insert into channels
      (id, phone_number, display_name, agent_id, messages_per_second, chat, sealed_chat, voice, sealed_voice)
    values (${channel.id}, ${channel.phone_number}, ${channel.display_name}, ${channel.agent_id},
      ${channel.messages_per_second}, ${channel.chat}, ${channel.sealed_chat}, ${channel.voice}, ${channel.sealed_voice})
    on conflict do nothing
    returning ${columns}`

export const updateChannelRow = (tx: TenantTx, channel: StoredChannel) =>
  tx.one(Channel)`
    update channels set
      phone_number = ${channel.phone_number}, display_name = ${channel.display_name}, agent_id = ${channel.agent_id},
      messages_per_second = ${channel.messages_per_second}, chat = ${channel.chat},
      sealed_chat = ${channel.sealed_chat}, voice = ${channel.voice}, sealed_voice = ${channel.sealed_voice},
      updated_at = now()
    where id = ${channel.id}
    returning ${columns}`

/** The row stays for what refers to it; nobody needs its secrets any more. */
export const hideChannel = (tx: TenantTx, id: string) =>
  tx.maybe(Channel)`
    update channels set deleted_at = now(), sealed_chat = null, sealed_voice = null
    where id = ${id} and deleted_at is null
    returning ${columns}`

/** For an organization that never had a test channel, not even a deleted one. */
export const insertFirstTestChannel = (
  tx: SystemTx,
  channel: { organizationId: string; id: string; phoneNumber: string; displayName: string },
) =>
  tx.run`
    insert into channels (organization_id, livemode, id, phone_number, display_name)
    select ${channel.organizationId}, false, ${channel.id}, ${channel.phoneNumber}, ${channel.displayName}
    where not exists (
      select from channels where organization_id = ${channel.organizationId} and not livemode)`
