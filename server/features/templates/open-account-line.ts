import type { TenantSql } from '../../platform/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { ChatLine, ChatLines } from '../channels/chat-lines.ts'
import { listChannelIds } from '../channels/list-channel-ids.ts'

/** Nothing when the channel is gone or has no chat side. */
async function tryOpening(sql: TenantSql, lines: ChatLines, channelId: string): Promise<ChatLine | undefined> {
  try {
    return await lines.open(sql, channelId)
  } catch (error) {
    if (error instanceof AppError && (error.status === 404 || error.status === 409)) return undefined
    throw error
  }
}

/**
 * A template belongs to a business account, not to the channel that registered it: any channel of the account will do.
 * Nothing when there is none.
 */
export async function openAccountLine(
  sql: TenantSql,
  lines: ChatLines,
  { business_account_id, channel_id }: { business_account_id: string; channel_id?: string },
): Promise<ChatLine | undefined> {
  const first = channel_id && (await tryOpening(sql, lines, channel_id))
  if (first && first.businessAccountId === business_account_id) return first
  for (const id of await listChannelIds(sql)) {
    const line = id === channel_id ? undefined : await tryOpening(sql, lines, id)
    if (line?.businessAccountId === business_account_id) return line
  }
  return undefined
}

/** One connection per business account of the organization, each by its oldest channel. */
export async function openEveryAccount(sql: TenantSql, lines: ChatLines): Promise<ChatLine[]> {
  const accounts = new Map<string, ChatLine>()
  for (const id of await listChannelIds(sql)) {
    const line = await tryOpening(sql, lines, id)
    if (line && !accounts.has(line.businessAccountId)) accounts.set(line.businessAccountId, line)
  }
  return [...accounts.values()]
}

/** The oldest channel with chat. */
export async function openAnyLine(sql: TenantSql, lines: ChatLines): Promise<ChatLine> {
  for (const id of await listChannelIds(sql)) {
    const line = await tryOpening(sql, lines, id)
    if (line) return line
  }
  throw new AppError(409, 'No channel is connected to the chat platform: give a channel its chat credentials first')
}
