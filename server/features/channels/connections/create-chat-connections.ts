import type { Database, TenantScope } from '../../../platform/database.ts'
import { conflict, found } from '../../../platform/errors.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import type { ChatCredentials, ChatPlatform } from '../../../providers/chat/contract.ts'
import { hookOfChannel } from '../hooks/hook-of-channel.ts'
import { findStoredChannel, type StoredChannel } from '../queries.ts'
import { openChat } from '../sides.ts'
import type { ChatConnection, ChatConnections, SimulatedConnections } from './chat-connections.ts'
import { simulatedPlatform } from './connect-simulator.ts'

/** Connects to the real platform or to the simulator. */
export interface ChatConnector {
  connect(credentials: ChatCredentials): ChatPlatform
}

/** The part of the simulator that test mode needs. */
interface SimulatedNumbers {
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

interface ChatConnectionDependencies {
  database: Database
  secrets: SecretBox
  live: ChatConnector
  /** The same adapter with another base URL. */
  connectorTo(baseUrl: string): ChatConnector
  simulator: SimulatedNumbers
}

export function createChatConnections(deps: ChatConnectionDependencies): ChatConnections & SimulatedConnections {
  const { secrets, live } = deps
  const simulated = createSimulatedConnections(deps)
  return {
    async open(sql, channelId) {
      const channel = found(await findStoredChannel(sql, channelId), 'Channel')
      // A test channel only ever reaches the simulator, whatever credentials it holds.
      return sql.scope.livemode ? liveConnection(sql.scope, channel) : simulated(sql.scope, channel).connection
    },
    async introduce(sql, channelId) {
      const channel = found(await findStoredChannel(sql, channelId), 'Channel')
      if (sql.scope.livemode) throw conflict('The simulator belongs to test mode: use a test credential')
      const { makeKnown, connection } = simulated(sql.scope, channel)
      await makeKnown(false)
      const { phoneNumberId, usesMarketingMessages } = connection
      return { owner: sql.scope.organizationId, phoneNumberId, usesMarketingMessages }
    },
  }

  function liveConnection(scope: TenantScope, channel: StoredChannel): ChatConnection {
    const chat = openChat(secrets, scope, channel)
    if (!chat)
      throw conflict(
        'This channel is not connected to the chat platform: set its `chat` credentials to use it in live mode',
      )
    // A pending channel may send: the platform checks its token with every request. One whose verification failed may
    // not, because the number may belong to another organization.
    if (channel.status === 'verification_failed')
      throw conflict(`This channel cannot be used: ${channel.status_reason}`)
    const ids = { phoneNumberId: chat.phone_number_id, businessAccountId: chat.business_account_id }
    return {
      ...ids,
      channelId: channel.id,
      phoneNumber: channel.phone_number,
      accountId: chat.account_id ?? chat.business_account_id,
      usesMarketingMessages: usesMarketingMessages(channel),
      platform: live.connect({ ...ids, accessToken: chat.access_token, appId: chat.app_id ?? undefined }),
    }
  }
}

/** The Marketing Messages API does not take messages of numbers in coexistence. */
const usesMarketingMessages = ({ marketing_messages, coexistence }: StoredChannel) => marketing_messages && !coexistence

/** Connections to the simulator. A number is registered with it on first use, and again when its facts have changed. */
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
    // Derived from SECRET_KEY, so it need not be stored.
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
    /** Registers once per process for the same facts; `again` if the simulator has lost the number. */
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
      usesMarketingMessages: usesMarketingMessages(channel),
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
