import { isDeepStrictEqual } from 'node:util'
import type { Static, TObject } from 'typebox'
import { type TenantTx, TryAgain } from '../../platform/database.ts'
import { notFound, violates } from '../../platform/errors.ts'
import { emit } from '../../platform/events.ts'
import type { PhoneNumbers } from '../../platform/phone-numbers.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { findAgent } from '../agents/find-agent.ts'
import { type ChatHookSettings, chatHooksChannel, giveHook, missingOfApp, showChannel } from './chat-hook.ts'
import { channelUpdated } from './events.ts'
import { lockChannel, type StoredChannel, updateChannelRow } from './queries.ts'
import { refuseClash } from './refuse-clash.ts'
import { type Channel, type ChannelChanges, ChatCredentials, VoiceCredentials } from './schema.ts'
import { openChat, openVoice, refuseMissing, sealChat, sealVoice } from './sides.ts'

interface Dependencies {
  phones: PhoneNumbers
  secrets: SecretBox
  hooks: ChatHookSettings
}

/** Changes the members given, also within each side; null takes a side away. The same values change nothing. */
export async function updateChannel(
  tx: TenantTx,
  id: string,
  changes: ChannelChanges,
  dependencies: Dependencies,
): Promise<Channel> {
  const stored = await lockChannel(tx, id)
  if (!stored) throw notFound('Channel')
  const { secrets, hooks } = dependencies
  const wanted = await wantedChannel(tx, stored, changes, dependencies)
  const { sealed_chat, sealed_voice, ...row } = stored
  const before = showChannel(row, secrets, hooks)
  if (isDeepStrictEqual(wanted, stored)) return before

  if (wanted.agent_id && wanted.agent_id !== before.agent_id && !(await findAgent(tx, wanted.agent_id)))
    throw notFound('Agent')
  await refuseClash(tx, wanted)
  const updated = await updateChannelRow(tx, wanted).catch((error) => {
    // Somebody took a number since we looked: looking again will say who.
    throw uniqueNumbers.some((constraint) => violates(error, constraint)) ? new TryAgain(error) : error
  })
  tx.signal(chatHooksChannel)
  const after = showChannel(updated, secrets, hooks)
  await emit(tx, channelUpdated, after, differences(before, after))
  return after
}

const uniqueNumbers = ['channels_phone_is_unique', 'channels_chat_number_is_unique', 'channels_voice_number_is_unique']

async function wantedChannel(
  tx: TenantTx,
  stored: StoredChannel,
  { phone_number, display_name, agent_id, messages_per_second, chat, voice }: ChannelChanges,
  { phones, secrets, hooks }: Dependencies,
): Promise<StoredChannel> {
  const wanted = {
    ...stored,
    ...(phone_number !== undefined && { phone_number: phones.require(phone_number, ['body', 'phone_number']) }),
    ...(display_name !== undefined && { display_name: display_name.trim() }),
    ...(agent_id !== undefined && { agent_id }),
    ...(messages_per_second !== undefined && { messages_per_second }),
    ...(chat === null && { chat, sealed_chat: null, chat_app_hash: null }),
    ...(voice === null && { voice, sealed_voice: null }),
  }
  if (chat) {
    const present = openChat(secrets, tx.scope, stored)
    const merged = merge('chat', ChatCredentials, present, chat, (side) => missingOfApp(side, hooks))
    if (merged) Object.assign(wanted, sealChat(secrets, tx.scope, stored.id, merged))
    if (merged?.app_secret)
      wanted.chat_app_hash = (await giveHook(tx, secrets, merged.app_secret, stored.chat_hook_id)).appHash
  }
  if (voice) {
    const present = openVoice(secrets, tx.scope, stored)
    const merged = merge('voice', VoiceCredentials, present, voice)
    if (merged) Object.assign(wanted, sealVoice(secrets, tx.scope, stored.id, merged))
  }
  return wanted
}

/** What the side becomes; undefined when it stays as it is, so that nothing is sealed anew for no reason. */
function merge<S extends TObject>(
  side: 'chat' | 'voice',
  { properties, required }: S,
  present: object | null,
  changes: object,
  alsoMissing: (merged: Static<S>) => string[] = () => [],
): Static<S> | undefined {
  // Members that nobody knows are ignored, here as everywhere.
  const given = Object.entries(changes).filter(([name, value]) => name in properties && value !== undefined)
  const merged: Record<string, unknown> = { ...present, ...Object.fromEntries(given) }
  const missing = (required as string[]).filter((name) => merged[name] === undefined)
  refuseMissing(side, [...missing, ...alsoMissing(merged as Static<S>)])
  return isDeepStrictEqual(merged, present) ? undefined : (merged as Static<S>)
}

/** The old values of what changed, as far as they may be shown. */
function differences(before: Channel, after: Channel): Partial<Channel> {
  const changed = (Object.keys(before) as (keyof Channel)[]).filter(
    (name) => name !== 'updated_at' && !isDeepStrictEqual(before[name], after[name]),
  )
  return Object.fromEntries(changed.map((name) => [name, before[name]]))
}
