import { type Database, type TenantScope, type TenantTx, TryAgain } from '../../platform/database.ts'
import { notFound } from '../../platform/errors.ts'
import { emit } from '../../platform/events.ts'
import { newId } from '../../platform/ids.ts'
import type { PhoneNumbers } from '../../platform/phone-numbers.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { findAgent } from '../agents/find-agent.ts'
import type { ChatConnector } from './connections/create-chat-connections.ts'
import { channelCreated } from './events.ts'
import { bindHook, type ChatHookSettings, chatHooksChannel, missingOfApp, showChannel } from './hooks/chat-hook.ts'
import { enqueueHealthCheck, enqueueVerification } from './job-kinds.ts'
import { checkNumber, type NumberCheck } from './numbers/check-number.ts'
import { claimNumber, refuseTakenNumber } from './numbers/claim-number.ts'
import { refuseClash } from './numbers/refuse-clash.ts'
import { insertChannel, type NewChannelRow } from './queries.ts'
import type { Channel, NewChannel } from './schema.ts'
import { refuseMissing, sealChat, sealVoice } from './sides.ts'

const defaultMessagesPerSecond = 80

export interface Connecting {
  database: Database
  phones: PhoneNumbers
  secrets: SecretBox
  hooks: ChatHookSettings
  /** The real platform. In live mode it must confirm the number before the channel can receive. */
  live: ChatConnector
}

/**
 * A phone number is enough in either mode: in test mode the simulator serves it, in live mode it can send and call once
 * its chat or voice side is set. The platform is asked before the transaction, so that no transaction waits for it.
 */
export async function createChannel(deps: Connecting, scope: TenantScope, input: NewChannel): Promise<Channel> {
  const { database, phones, secrets, hooks, live } = deps
  refuseMissing('chat', input.chat ? missingOfApp(input.chat, hooks) : [])
  const id = newId()
  const channel: NewChannelRow = {
    id,
    phone_number: await phones.require(database.forTenant(scope), input.phone_number, ['body', 'phone_number']),
    display_name: (input.display_name ?? '').trim(),
    agent_id: input.agent_id ?? null,
    messages_per_second: input.messages_per_second ?? defaultMessagesPerSecond,
    coexistence: input.coexistence ?? false,
    marketing_messages: input.marketing_messages ?? false,
    asks_for_rating: input.asks_for_rating ?? false,
    chat: null,
    sealed_chat: null,
    chat_app_hash: null,
    voice: null,
    sealed_voice: null,
    ...(input.chat && sealChat(secrets, scope, id, input.chat)),
    ...(input.voice && sealVoice(secrets, scope, id, input.voice)),
    status: 'active',
    status_reason: null,
    verification_id: null,
  }
  let check: NumberCheck | undefined
  if (scope.livemode && input.chat) {
    const sql = database.forTenant(scope)
    await refuseClash(sql, channel)
    await refuseTakenNumber(sql, input.chat)
    check = await checkNumber(live, input.chat)
    if (check.outcome === 'unreachable') Object.assign(channel, pendingStatus(check.reason))
  }
  return database.inTenant(scope, (tx) => addChannel(tx, deps, channel, { check, appSecret: input.chat?.app_secret }))
}

export const pendingStatus = (reason: string) => ({
  status: 'pending_verification' as const,
  status_reason: reason,
  verification_id: newId(),
})

async function addChannel(
  tx: TenantTx,
  { secrets, hooks }: Connecting,
  channel: NewChannelRow,
  { check, appSecret }: { check: NumberCheck | undefined; appSecret: string | undefined },
): Promise<Channel> {
  if (channel.agent_id && !(await findAgent(tx, channel.agent_id))) throw notFound('Agent')
  const hook = appSecret ? await bindHook(tx, secrets, appSecret) : undefined
  const row = await insertChannel(tx, { ...channel, chat_app_hash: hook?.appHash ?? null })
  if (!row) {
    await refuseClash(tx, channel)
    // The channel that had the number was deleted after the insert failed: the number is free again.
    throw new TryAgain(new Error('a channel number was taken and is free again'))
  }
  if (check && channel.chat) await claimNumber(tx, row.id, channel.chat, { isProven: check.outcome === 'confirmed' })
  if (channel.verification_id)
    await enqueueVerification(tx, { channelId: row.id, verificationId: channel.verification_id, attempt: 0 })
  if (check?.outcome === 'confirmed') await enqueueHealthCheck(tx, row.id)
  tx.signal(chatHooksChannel)
  const created = showChannel(row, secrets, hooks)
  await emit(tx, channelCreated, created)
  return created
}
