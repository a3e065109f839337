import { isDeepStrictEqual } from 'node:util'
import type { Static, TObject } from 'typebox'
import { type TenantScope, type TenantTx, TryAgain } from '../../platform/database.ts'
import { found, notFound, violates } from '../../platform/errors.ts'
import { emit } from '../../platform/events.ts'
import { differences } from '../../platform/record-events.ts'
import { findAgent } from '../agents/find-agent.ts'
import { type Connecting, pendingStatus } from './create-channel.ts'
import { channelUpdated } from './events.ts'
import { bindHook, type ChatHookSettings, chatHooksChannel, missingOfApp, showChannel } from './hooks/chat-hook.ts'
import { enqueueHealthCheck, enqueueVerification } from './job-kinds.ts'
import { checkedPart, checkNumber, type NumberCheck } from './numbers/check-number.ts'
import { claimNumber, refuseTakenNumber } from './numbers/claim-number.ts'
import { releaseNumberRow } from './numbers/claim-queries.ts'
import { refuseClash } from './numbers/refuse-clash.ts'
import { findStoredChannel, lockChannel, type StoredChannel, updateChannelRow } from './queries.ts'
import { type Channel, type ChannelChanges, ChatCredentials, VoiceCredentials } from './schema.ts'
import { openChat, openVoice, refuseMissing, sealChat, sealVoice } from './sides.ts'

/** The credentials that were checked with the platform, and the result. */
interface Checked {
  credentials: ChatCredentials
  check: NumberCheck
}

/** Another request changed the channel during the check: the current credentials must be checked again. */
class CheckIsOutdated extends Error {}

/** Each round needs another request that changes the same channel during the check; after five the error is thrown. */
const mostRounds = 5

/**
 * Changes only the given members, also within each side; null removes a side. The same values change nothing. In live
 * mode a new number, account or token is checked with the platform first, outside the transaction.
 */
export async function updateChannel(
  deps: Connecting,
  scope: TenantScope,
  id: string,
  changes: ChannelChanges,
): Promise<Channel> {
  for (let round = 1; ; round++) {
    const checked = await checkChanges(deps, scope, id, changes)
    try {
      return await deps.database.inTenant(scope, (tx) => applyChanges(tx, deps, id, changes, checked))
    } catch (error) {
      if (!(error instanceof CheckIsOutdated) || round === mostRounds) throw error
    }
  }
}

async function checkChanges(
  { database, secrets, hooks, live }: Connecting,
  scope: TenantScope,
  id: string,
  changes: ChannelChanges,
): Promise<Checked | undefined> {
  if (!scope.livemode || !changes.chat) return undefined
  const sql = database.forTenant(scope)
  const stored = found(await findStoredChannel(sql, id), 'Channel')
  const present = openChat(secrets, scope, stored)
  const credentials = mergeChat(present, changes.chat, hooks) ?? (present as ChatCredentials)
  if (!needsCheck(stored, present, credentials)) return undefined
  await refuseTakenNumber(sql, credentials)
  return { credentials, check: await checkNumber(live, credentials) }
}

/** A channel that is not active is checked again whenever its chat side is sent. */
const needsCheck = (stored: StoredChannel, present: ChatCredentials | null, wanted: ChatCredentials): boolean =>
  stored.status !== 'active' || !present || !isDeepStrictEqual(checkedPart(present), checkedPart(wanted))

async function applyChanges(
  tx: TenantTx,
  deps: Connecting,
  id: string,
  changes: ChannelChanges,
  checked: Checked | undefined,
): Promise<Channel> {
  const stored = found(await lockChannel(tx, id), 'Channel')
  const { secrets, hooks } = deps
  const wanted = await wantedChannel(tx, stored, changes, deps, checked)
  const { sealed_chat, sealed_voice, ...row } = stored
  const before = showChannel(row, secrets, hooks)
  if (isDeepStrictEqual(wanted, stored)) return before

  if (wanted.agent_id && wanted.agent_id !== before.agent_id && !(await findAgent(tx, wanted.agent_id)))
    throw notFound('Agent')
  await refuseClash(tx, wanted)
  const updated = await updateChannelRow(tx, wanted).catch((error) => {
    // A concurrent request took a number since the check: the retry reports which channel has it.
    throw uniqueNumbers.some((constraint) => violates(error, constraint)) ? new TryAgain(error) : error
  })
  await moveClaim(tx, stored, wanted, checked)
  tx.signal(chatHooksChannel)
  const after = showChannel(updated, secrets, hooks)
  await emit(tx, channelUpdated, after, differences(before, after))
  return after
}

const uniqueNumbers = ['channels_phone_is_unique', 'channels_chat_number_is_unique', 'channels_voice_number_is_unique']

async function wantedChannel(
  tx: TenantTx,
  stored: StoredChannel,
  changes: ChannelChanges,
  { phones, secrets, hooks }: Connecting,
  checked: Checked | undefined,
): Promise<StoredChannel> {
  const { phone_number, display_name, agent_id, messages_per_second, chat, voice } = changes
  const { coexistence, marketing_messages, asks_for_rating } = changes
  const wanted = {
    ...stored,
    ...(phone_number !== undefined && {
      phone_number: await phones.require(tx, phone_number, ['body', 'phone_number']),
    }),
    ...(display_name !== undefined && { display_name: display_name.trim() }),
    ...(agent_id !== undefined && { agent_id }),
    ...(messages_per_second !== undefined && { messages_per_second }),
    ...(coexistence !== undefined && { coexistence }),
    ...(marketing_messages !== undefined && { marketing_messages }),
    ...(asks_for_rating !== undefined && { asks_for_rating }),
    ...(chat === null && { chat, sealed_chat: null, chat_app_hash: null, ...activeStatus }),
    ...(voice === null && { voice, sealed_voice: null }),
  }
  if (chat) {
    const present = openChat(secrets, tx.scope, stored)
    const merged = mergeChat(present, chat, hooks)
    if (merged) Object.assign(wanted, sealChat(secrets, tx.scope, stored.id, merged))
    if (merged?.app_secret)
      wanted.chat_app_hash = (await bindHook(tx, secrets, merged.app_secret, stored.chat_hook_id)).appHash
    if (tx.scope.livemode)
      Object.assign(wanted, statusAfter(stored, present, merged ?? (present as ChatCredentials), checked))
  }
  if (voice) {
    const present = openVoice(secrets, tx.scope, stored)
    const merged = merge('voice', VoiceCredentials, present, voice)
    if (merged) Object.assign(wanted, sealVoice(secrets, tx.scope, stored.id, merged))
  }
  return wanted
}

const activeStatus = { status: 'active' as const, status_reason: null, verification_id: null }

function statusAfter(
  stored: StoredChannel,
  present: ChatCredentials | null,
  wanted: ChatCredentials,
  checked: Checked | undefined,
) {
  if (!needsCheck(stored, present, wanted)) return {}
  if (!checked || !isDeepStrictEqual(checkedPart(checked.credentials), checkedPart(wanted))) throw new CheckIsOutdated()
  if (checked.check.outcome === 'confirmed') return activeStatus
  // The number was confirmed for this organization before: a new token alone must not stop it from receiving.
  const keepsNumber =
    stored.status === 'active' &&
    present?.phone_number_id === wanted.phone_number_id &&
    present.business_account_id === wanted.business_account_id
  return keepsNumber ? {} : pendingStatus(checked.check.reason)
}

/** Releases the number that the channel had, claims its new one and reads its health. */
async function moveClaim(
  tx: TenantTx,
  stored: StoredChannel,
  wanted: StoredChannel,
  checked: Checked | undefined,
): Promise<void> {
  if (!tx.scope.livemode) return
  const had = stored.chat?.phone_number_id
  const has = wanted.chat?.phone_number_id
  if (had !== undefined && had !== has) await releaseNumberRow(tx, had, stored.id)
  if (wanted.chat && checked)
    await claimNumber(tx, stored.id, wanted.chat, { isProven: checked.check.outcome === 'confirmed' })
  if (checked?.check.outcome === 'confirmed') await enqueueHealthCheck(tx, stored.id)
  if (wanted.verification_id && wanted.verification_id !== stored.verification_id)
    await enqueueVerification(tx, { channelId: stored.id, verificationId: wanted.verification_id, attempt: 0 })
}

const mergeChat = (present: ChatCredentials | null, changes: object, hooks: ChatHookSettings) =>
  merge('chat', ChatCredentials, present, changes, (side) => missingOfApp(side, hooks))

/** Returns the merged side, or undefined if it is unchanged, so that the same secrets are not sealed again. */
function merge<S extends TObject>(
  side: 'chat' | 'voice',
  { properties, required }: S,
  present: object | null,
  changes: object,
  alsoMissing: (merged: Static<S>) => string[] = () => [],
): Static<S> | undefined {
  // Unknown members are ignored, as everywhere in the API.
  const given = Object.entries(changes).filter(([name, value]) => name in properties && value !== undefined)
  const merged: Record<string, unknown> = { ...present, ...Object.fromEntries(given) }
  const missing = (required as string[]).filter((name) => merged[name] === undefined)
  refuseMissing(side, [...missing, ...alsoMissing(merged as Static<S>)])
  return isDeepStrictEqual(merged, present) ? undefined : (merged as Static<S>)
}
