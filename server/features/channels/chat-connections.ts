import type { TenantSql } from '../../platform/database.ts'
import type { ChatPlatform } from '../../providers/chat/contract.ts'

/** A channel's connection to the chat platform: the real one in live mode, the simulator in test mode. */
export interface ChatConnection {
  channelId: string
  phoneNumber: string
  phoneNumberId: string
  businessAccountId: string
  /** What templates of this channel carry as `account_id`. */
  accountId: string
  platform: ChatPlatform
}

/** A test channel as the simulator knows it. */
export interface SimulatedNumber {
  /** Whose it is: two organizations may use the same ids there. */
  owner: string
  phoneNumberId: string
}

export interface ChatConnections {
  /**
   * Reads the channel and its secrets with `sql` and calls nobody: only the connection's platform does. Throws 404 for a channel
   * that does not exist, and in live mode 409 when its chat side is not configured.
   */
  open(sql: TenantSql, channelId: string): Promise<ChatConnection>
}

/** For those who play the customer. */
export interface SimulatedConnections {
  /** Makes a test channel known to the simulator, so that customers can write to it. Throws 404, and 409 in live mode. */
  introduce(sql: TenantSql, channelId: string): Promise<SimulatedNumber>
}
