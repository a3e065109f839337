import type { Database, TenantScope } from '../../../platform/database.ts'
import type { Log } from '../../../platform/log.ts'
import { CarrierError } from '../../../providers/telephony/contract.ts'
import { hookPaths } from '../carriers/addresses.ts'
import type { Carriers } from '../carriers/carriers.ts'
import type { TransferAnswer } from '../conversation/contract.ts'
import type { JoinedCall } from '../progress-queries.ts'
import { removeTransfer, saveTransfer } from './queries.ts'

interface TransferDependencies {
  database: Database
  carriers: Carriers
  log: Log
}

interface WantedTransfer {
  to: string
  /** Spoken to the person who answers, who then accepts or not; null connects both at once. */
  briefing: string | null
  /** Of the briefing. */
  language: string
  notTaken: { text: string; language: string }
}

/** Four hours: the default limit of carriers for a call. */
const longestTransferSeconds = 4 * 60 * 60
/** Shorter than most voicemails wait, so that the caller hears of us again before one answers. */
const ringSeconds = 25

/**
 * Asks the carrier to connect the caller to another number. The carrier then asks us for the briefing, and reports
 * whether both were connected. Never rejects.
 */
export async function transferCall(
  { id, channel_id: channelId, call_id: carrierCallId, carrier_url }: JoinedCall,
  wanted: WantedTransfer,
  scope: TenantScope,
  { database, carriers, log }: TransferDependencies,
): Promise<TransferAnswer> {
  const sql = database.forTenant(scope)
  if (!channelId || !carrierCallId) return { result: 'refused', message: 'The call has no carrier' }
  try {
    const voice = await carriers.findVoiceAccount(sql, channelId)
    const [carrier, base] = await Promise.all([carriers.of(scope, voice, carrier_url), carriers.callbackBase(scope)])
    // Before the request: the carrier may ask for the briefing before it has answered.
    const { notTaken, ...shown } = wanted
    await saveTransfer(sql, id, { ...shown, status: 'requested', not_taken: notTaken })
    await carrier.transferCall(carrierCallId, {
      number: wanted.to,
      callerId: voice.channel.phoneNumber,
      longestSeconds: longestTransferSeconds,
      ringSeconds,
      afterUrl: base && base + hookPaths.transferred(channelId, id),
      briefingUrl: base && wanted.briefing ? base + hookPaths.briefing(channelId, id) : undefined,
    })
    return { result: 'accepted' }
  } catch (error) {
    log.warn({ err: error, carrierCallId }, 'calls: transfer failed')
    const isUnknown = error instanceof CarrierError && error.verdict === 'unknown'
    if (!isUnknown)
      await removeTransfer(sql, id).catch((failure) =>
        log.warn({ err: failure, call: id }, 'calls: removing a refused transfer failed'),
      )
    return {
      result: isUnknown ? 'unknown' : 'refused',
      message: error instanceof Error ? error.message : String(error),
    }
  }
}
