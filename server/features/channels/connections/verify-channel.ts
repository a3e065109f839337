import type { Database, TenantScope, TenantTx } from '../../../platform/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { emit } from '../../../platform/events.ts'
import type { Log } from '../../../platform/log.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import { channelUpdated } from '../events.ts'
import { type ChatHookSettings, showChannel } from '../hooks/chat-hook.ts'
import { enqueueHealthCheck, enqueueVerification } from '../job-kinds.ts'
import { checkNumber } from '../numbers/check-number.ts'
import { takenReason } from '../numbers/claim-number.ts'
import { claimNumberRow, releaseNumberRow } from '../numbers/claim-queries.ts'
import { findStoredChannel, lockChannel, type StoredChannel, setChannelStatus } from '../queries.ts'
import type { ChannelStatus, ChatCredentials } from '../schema.ts'
import { openChat } from '../sides.ts'
import type { ChatConnector } from './create-chat-connections.ts'

export interface Verifying {
  database: Database
  secrets: SecretBox
  hooks: ChatHookSettings
  live: ChatConnector
  log: Log
}

interface Attempt {
  channelId: string
  verificationId: string
  attempt: number
}

type Result = { status: ChannelStatus; reason: string | null }

/** One background attempt to confirm the number of a pending channel. */
export async function verifyChannel(deps: Verifying, scope: TenantScope, attempt: Attempt): Promise<void> {
  const { database, secrets, live, log } = deps
  const { channelId, verificationId } = attempt
  const stored = await findStoredChannel(database.forTenant(scope), channelId)
  const chat = stored && openChat(secrets, scope, stored)
  if (!chat || stored.verification_id !== verificationId) return
  const result = await ask(live, chat)
  await database.inTenant(scope, async (tx) => {
    const channel = await lockChannel(tx, channelId)
    // The channel was changed or deleted during the check: this result is about other credentials.
    if (channel?.verification_id !== verificationId) return
    const settled = await settleClaim(tx, channel, result)
    log.info({ channelId, status: settled.status, reason: settled.reason }, 'channel verification: attempt finished')
    await applyStatus(tx, deps, channel, settled)
    if (settled.status === 'active') await enqueueHealthCheck(tx, channelId)
    if (settled.status === 'pending_verification')
      await enqueueVerification(tx, { ...attempt, attempt: attempt.attempt + 1 })
  })
}

async function ask(live: ChatConnector, chat: ChatCredentials): Promise<Result> {
  try {
    const check = await checkNumber(live, chat)
    if (check.outcome === 'confirmed') return { status: 'active', reason: null }
    return { status: 'pending_verification', reason: check.reason }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { status: 'verification_failed', reason: error.message }
  }
}

async function settleClaim(tx: TenantTx, { id, chat }: StoredChannel, result: Result): Promise<Result> {
  const number = chat?.phone_number_id as string
  if (result.status === 'verification_failed') await releaseNumberRow(tx, number, id)
  if (result.status !== 'active' || (await claimNumberRow(tx, number, id, true))) return result
  // Another organization proved its claim first.
  return { status: 'verification_failed', reason: takenReason(number) }
}

async function applyStatus(
  tx: TenantTx,
  { secrets, hooks }: Verifying,
  channel: StoredChannel,
  { status, reason }: Result,
): Promise<void> {
  if (status === channel.status && reason === channel.status_reason) return
  const row = await setChannelStatus(tx, channel.id, {
    status,
    reason,
    verificationId: status === 'pending_verification' ? channel.verification_id : null,
  })
  await emit(tx, channelUpdated, showChannel(row, secrets, hooks), {
    ...(channel.status !== status && { status: channel.status }),
    ...(channel.status_reason !== reason && { status_reason: channel.status_reason }),
  })
}
