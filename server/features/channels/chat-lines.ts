import type { TenantSql } from '../../platform/database.ts'
import type { ChatPlatform } from '../../providers/chat/contract.ts'

/** A channel's connection to the chat platform: the real one in live mode, the simulator in test mode. */
export interface ChatLine {
  channelId: string
  phoneNumber: string
  phoneNumberId: string
  businessAccountId: string
  /** What templates of this channel carry as `account_id`. */
  accountId: string
  platform: ChatPlatform
}

export interface ChatLines {
  /**
   * Reads the channel and its secrets with `sql`, outside any transaction, and opens the line. Throws 404 for a channel
   * that does not exist, and in live mode 409 when its chat side is not configured.
   */
  open(sql: TenantSql, channelId: string): Promise<ChatLine>
}
