import type { Database, TenantScope } from '../../platform/database.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import type { ChatCredentials, ChatPlatform } from '../../providers/chat/contract.ts'
import type { ChatConnection, ChatConnections, SimulatedConnections } from './chat-connections.ts'
import { hookOfChannel } from './hook-of-channel.ts'
import { findStoredChannel, type StoredChannel } from './queries.ts'
import { openChat } from './sides.ts'
import { simulatedPlatform } from './simulated-platform.ts'

/** A way to the platform: the real one, or one that leads to the simulator. */
export interface ChatConnector {
  connect(credentials: ChatCredentials): ChatPlatform
}

/** What test mode needs of the simulator. */
export interface SimulatedNumbers {
  url(): Promise<string>
  register(
    phoneNumberId: string,
    facts: {
      owner: string
      business_account_id: string
      display_phone_number: string
      verified_name: string
      messages_per_second: number
      access_token: string
      app_secret: string
      callback_url: string
    },
  ): Promise<void>
}

export interface ChatConnectionDependencies {
  database: Database
  secrets: SecretBox
  live: ChatConnector
  /** The same adapter for another address. */
  connectorTo(baseUrl: string): ChatConnector
  simulator: SimulatedNumbers
}

export function createChatConnections(deps: ChatConnectionDependencies): ChatConnections & SimulatedConnections {
  const { secrets, live } = deps
  const simulated = createSimulatedConnections(deps)
  return {
    async open(sql, channelId) {
      const channel = await findStoredChannel(sql, channelId)
      if (!channel) throw notFound('Channel')
      // Whatever a test channel holds, it is never used to reach anybody but the simulator.
      return sql.scope.livemode ? liveConnection(sql.scope, channel) : simulated(sql.scope, channel).connection
    },
    async introduce(sql, channelId) {
      const channel = await findStoredChannel(sql, channelId)
      if (!channel) throw notFound('Channel')
      if (sql.scope.livemode) throw conflict('The simulator belongs to test mode: use a test credential')
      const { makeKnown, connection } = simulated(sql.scope, channel)
      await makeKnown(false)
      return { owner: sql.scope.organizationId, phoneNumberId: connection.phoneNumberId }
    },
  }

  function liveConnection(scope: TenantScope, channel: StoredChannel): ChatConnection {
    const chat = openChat(secrets, scope, channel)
    if (!chat)
      throw conflict(
        'This channel is not connected to the chat platform: set its `chat` credentials to use it in live mode',
      )
    // A pending channel may send: the platform checks its token with every request. A refused one would answer customers of
    // a number that is not this organization's.
    if (channel.status === 'verification_failed')
      throw conflict(`This channel cannot be used: ${channel.status_reason}`)
    const ids = { phoneNumberId: chat.phone_number_id, businessAccountId: chat.business_account_id }
    return {
      ...ids,
      channelId: channel.id,
      phoneNumber: channel.phone_number,
      accountId: chat.account_id ?? chat.business_account_id,
      platform: live.connect({ ...ids, accessToken: chat.access_token }),
    }
  }
}

/** Lines to the simulator, which hears of a number when it is first used, and again when something about it has changed. */
function createSimulatedConnections({ database, secrets, connectorTo, simulator }: ChatConnectionDependencies) {
  const connectors = new Map<string, ChatConnector>()
  const registered = new Map<string, { facts: string; done: Promise<void> }>()

  const connector = async () => {
    const url = await simulator.url()
    const known = connectors.get(url) ?? connectorTo(url)
    connectors.set(url, known)
    return known
  }

  return (
    scope: TenantScope,
    channel: StoredChannel,
  ): { connection: ChatConnection; makeKnown(again: boolean): Promise<void> } => {
    const { id: channelId, phone_number, display_name, messages_per_second, chat, chat_app_hash } = channel
    const { organizationId } = scope
    const businessAccountId = chat?.business_account_id ?? organizationId
    const phoneNumberId = chat?.phone_number_id ?? channelId
    // Nobody has to keep what can be made again.
    const accessToken = secrets.digest(organizationId, 'simulated access token').toString('hex')

    async function register(): Promise<void> {
      const hook = await hookOfChannel(database.forTenant(scope), channelId, { secrets })
      await simulator.register(phoneNumberId, {
        owner: organizationId,
        business_account_id: businessAccountId,
        display_phone_number: phone_number,
        verified_name: display_name || 'Test number',
        messages_per_second,
        access_token: accessToken,
        app_secret: hook.appSecret,
        callback_url: `/hooks/chat/${hook.hookId}`,
      })
    }
    const facts = JSON.stringify([
      phone_number,
      display_name,
      messages_per_second,
      phoneNumberId,
      businessAccountId,
      chat_app_hash,
    ])
    /** Once in a process for the same facts; `again` when the simulator has forgotten the number. */
    async function makeKnown(again: boolean): Promise<void> {
      const known = registered.get(channelId)
      if (known?.facts === facts && !again) return known.done
      const done = register()
      registered.set(channelId, { facts, done })
      done.catch(() => registered.delete(channelId))
      return done
    }

    let way: { by: ChatConnector; platform: ChatPlatform } | undefined
    const connection: ChatConnection = {
      channelId,
      phoneNumber: phone_number,
      phoneNumberId,
      businessAccountId,
      accountId: chat?.account_id ?? businessAccountId,
      platform: simulatedPlatform(async ({ again }) => {
        await makeKnown(again)
        const by = await connector()
        if (way?.by !== by) way = { by, platform: by.connect({ phoneNumberId, businessAccountId, accessToken }) }
        return way.platform
      }),
    }
    return { connection, makeKnown }
  }
}
