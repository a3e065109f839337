import type { TenantSql } from '../../../platform/database.ts'
import type { ChatPlatform } from '../../../providers/chat/contract.ts'

/** A channel's connection to the chat platform: the real one in live mode, the simulator in test mode. */
export interface ChatConnection {
  channelId: string
  phoneNumber: string
  phoneNumberId: string
  businessAccountId: string
  /** The `account_id` of this channel's templates. */
  accountId: string
  /** Whether marketing templates are sent by the platform's own API for them. */
  usesMarketingMessages: boolean
  platform: ChatPlatform
}

/** Whether a template of this category is sent by the Marketing Messages API, which takes marketing templates alone. */
export const sendsAsMarketing = (
  { usesMarketingMessages }: Pick<ChatConnection, 'usesMarketingMessages'>,
  category: string | null,
): boolean => usesMarketingMessages && category === 'MARKETING'

/** A test channel as the simulator knows it. */
interface SimulatedNumber {
  /** The organization: two organizations may use the same ids in the simulator. */
  owner: string
  phoneNumberId: string
  usesMarketingMessages: boolean
}

export interface ChatConnections {
  /**
   * Reads the channel and its secrets with `sql` and makes no request; only calls on the connection's `platform` do.
   * Throws 404 if the channel does not exist and, in live mode, 409 if its chat side is not configured.
   */
  open(sql: TenantSql, channelId: string): Promise<ChatConnection>
}

/** For callers that play the customer. */
export interface SimulatedConnections {
  /**
   * Registers a test channel with the simulator, so that customers can write to it. Throws 404, and 409 in live mode.
   */
  introduce(sql: TenantSql, channelId: string): Promise<SimulatedNumber>
}
