import type { TenantTx } from '../../../platform/database.ts'
import { optOut } from '../../contacts/consent/opt-out.ts'
import { pauseCampaigns, pauseChannel } from '../pause-campaign.ts'
import { checkCircuitBreaker } from './circuit-breaker.ts'
import { type SendOutcome, withCode } from './judge-failure.ts'
import { moveDeliveries } from './move-deliveries.ts'
import { findRecipients, lockDeliveries, lockRecipients, type SettledRow, settleClaimed } from './move-queries.ts'

/** The outcome of one attempt. */
interface SendResult {
  deliveryId: string
  campaignId: string
  contactId: string
  channelId: string
  outcome: SendOutcome
}

type Of<K extends SendOutcome['kind']> = SendResult & { outcome: Extract<SendOutcome, { kind: K }> }

/** Records a batch of outcomes of one worker in one transaction. Idempotent. */
export async function recordResults(tx: TenantTx, results: SendResult[], workerId: string): Promise<void> {
  const of = <K extends SendOutcome['kind']>(kind: K) =>
    results.filter(({ outcome }) => outcome.kind === kind) as Of<K>[]
  const failed = of('failed')
  const optedOut = failed.filter(({ outcome }) => outcome.optsOut)
  // Locks all contacts in one statement, in order, before any delivery: see `lockRecipients`.
  if (optedOut.length > 0)
    await lockRecipients(
      tx,
      [...of('accepted'), ...optedOut].map(({ deliveryId }) => deliveryId),
    )
  await moveDeliveries(
    tx,
    of('accepted').map(({ deliveryId, outcome: { chatMessageId } }) => ({
      deliveryId,
      chatMessageId,
      status: 'sent' as const,
      at: null,
      error: null,
    })),
  )
  const others = results.filter(({ outcome }) => outcome.kind !== 'accepted')
  if (others.length > 0) {
    const ids = others.map(({ deliveryId }) => deliveryId)
    await Promise.all([lockDeliveries(tx, ids), settleClaimed(tx, others.map(toRow), workerId)])
  }
  const at = new Date().toISOString()
  const recipients = await findRecipients(
    tx,
    optedOut.map(({ deliveryId }) => deliveryId),
  )
  const contactOf = new Map(recipients.map(({ id, contact_id }) => [id, contact_id]))
  await optOut(
    tx,
    optedOut.flatMap(({ deliveryId, outcome: { code } }) => {
      const contactId = contactOf.get(deliveryId)
      return contactId ? [{ contactId, at, reason: code }] : []
    }),
    'platform',
  )
  await checkCircuitBreaker(tx, failed)
  await pauseStopped(tx, of('stopped'))
}

/** Pauses each campaign or channel once: all refusals of one have the same cause. */
async function pauseStopped(tx: TenantTx, stopped: Of<'stopped'>[]): Promise<void> {
  const placeOf = ({ channelId, campaignId, outcome }: Of<'stopped'>) =>
    outcome.scope === 'channel' ? channelId : campaignId
  const first = new Map(stopped.toReversed().map((each) => [placeOf(each), each]))
  for (const { campaignId, channelId, outcome } of first.values()) {
    const pause = { reason: outcome.pause, detail: withCode(outcome) }
    if (outcome.scope === 'campaign') await pauseCampaigns(tx, [campaignId], pause)
    else await pauseChannel(tx, channelId, ['sending'], pause)
  }
}

function toRow({ deliveryId: id, outcome }: SendResult): SettledRow {
  if (outcome.kind === 'accepted') throw new Error('an accepted message is moved, not settled')
  const { code, reason } = outcome
  if (outcome.kind === 'failed' || outcome.kind === 'unknown')
    return { id, status: outcome.kind, code, reason, delayMs: null }
  return { id, status: 'pending', code, reason, delayMs: outcome.kind === 'again' ? outcome.delayMs || null : null }
}
