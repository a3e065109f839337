import type { TenantSql } from '../../../platform/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { ChatConnection, ChatConnections } from '../../channels/connections/chat-connections.ts'
import { listChannelIds } from '../../channels/list-channel-ids.ts'

/** Nothing when the channel is gone or has no chat side. */
async function tryOpening(
  sql: TenantSql,
  chatConnections: ChatConnections,
  channelId: string,
): Promise<ChatConnection | undefined> {
  try {
    return await chatConnections.open(sql, channelId)
  } catch (error) {
    if (error instanceof AppError && (error.status === 404 || error.status === 409)) return undefined
    throw error
  }
}

/**
 * A template belongs to a business account, not to the channel that registered it: any channel of the account will do.
 * Nothing when there is none.
 */
export async function openAccountConnection(
  sql: TenantSql,
  chatConnections: ChatConnections,
  { business_account_id, channel_id }: { business_account_id: string; channel_id?: string },
): Promise<ChatConnection | undefined> {
  const first = channel_id && (await tryOpening(sql, chatConnections, channel_id))
  if (first && first.businessAccountId === business_account_id) return first
  for (const id of await listChannelIds(sql)) {
    const connection = id === channel_id ? undefined : await tryOpening(sql, chatConnections, id)
    if (connection?.businessAccountId === business_account_id) return connection
  }
  return undefined
}

/** One connection per business account of the organization, each by its oldest channel. */
export async function openEveryAccount(sql: TenantSql, chatConnections: ChatConnections): Promise<ChatConnection[]> {
  const accounts = new Map<string, ChatConnection>()
  for (const id of await listChannelIds(sql)) {
    const connection = await tryOpening(sql, chatConnections, id)
    if (connection && !accounts.has(connection.businessAccountId))
      accounts.set(connection.businessAccountId, connection)
  }
  return [...accounts.values()]
}

/** The oldest channel with chat. */
export async function openAnyConnection(sql: TenantSql, chatConnections: ChatConnections): Promise<ChatConnection> {
  for (const id of await listChannelIds(sql)) {
    const connection = await tryOpening(sql, chatConnections, id)
    if (connection) return connection
  }
  throw new AppError(409, 'No channel is connected to the chat platform: add chat credentials to a channel first')
}
