import { type TenantTx, TryAgain } from '../../platform/database.ts'
import { notFound } from '../../platform/errors.ts'
import { emit } from '../../platform/events.ts'
import { newId } from '../../platform/ids.ts'
import type { PhoneNumbers } from '../../platform/phone-numbers.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { findAgent } from '../agents/find-agent.ts'
import { type ChatHookSettings, chatHooksChannel, giveHook, missingOfApp, showChannel } from './chat-hook.ts'
import { channelCreated } from './events.ts'
import { insertChannel, type NewChannelRow } from './queries.ts'
import { refuseClash } from './refuse-clash.ts'
import type { Channel, NewChannel } from './schema.ts'
import { refuseMissing, sealChat, sealVoice } from './sides.ts'

const defaultMessagesPerSecond = 80

/**
 * A number is enough in either mode: in test mode the simulator carries it, in live mode it sends and calls once its
 * chat or voice side is given.
 */
export async function createChannel(
  tx: TenantTx,
  input: NewChannel,
  { phones, secrets, hooks }: { phones: PhoneNumbers; secrets: SecretBox; hooks: ChatHookSettings },
): Promise<Channel> {
  refuseMissing('chat', input.chat ? missingOfApp(input.chat, hooks) : [])
  const phone_number = phones.require(input.phone_number, ['body', 'phone_number'])
  if (input.agent_id && !(await findAgent(tx, input.agent_id))) throw notFound('Agent')
  const id = newId()
  const hook = input.chat?.app_secret ? await giveHook(tx, secrets, input.chat.app_secret) : undefined
  const channel: NewChannelRow = {
    id,
    phone_number,
    display_name: (input.display_name ?? '').trim(),
    agent_id: input.agent_id ?? null,
    messages_per_second: input.messages_per_second ?? defaultMessagesPerSecond,
    chat: null,
    sealed_chat: null,
    chat_app_hash: hook?.appHash ?? null,
    voice: null,
    sealed_voice: null,
    ...(input.chat && sealChat(secrets, tx.scope, id, input.chat)),
    ...(input.voice && sealVoice(secrets, tx.scope, id, input.voice)),
  }
  const row = await insertChannel(tx, channel)
  if (!row) {
    await refuseClash(tx, channel)
    // Whoever had the number has let go of it since: it is free again.
    throw new TryAgain(new Error('a channel number was taken and is free again'))
  }
  tx.signal(chatHooksChannel)
  const created = showChannel(row, secrets, hooks)
  await emit(tx, channelCreated, created)
  return created
}
