import type { Database, TenantScope, TenantTx } from '../../../platform/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { EventKind } from '../../../platform/events.ts'
import { lowestIdAt } from '../../../platform/ids.ts'
import { parseInstant } from '../../../platform/instants.ts'
import { recoverDeliveriesJob } from '../job-kinds.ts'
import { makeEndpointDue } from '../queries.ts'
import { receivedTypes } from '../receivable-types.ts'
import { requireEnabled } from '../require-enabled.ts'
import type { Recovery, RecoveryBegun } from '../schema.ts'
import { deliveriesChannel } from './channel.ts'
import { findLatestEvent, recoverSome } from './queries.ts'

const batchSize = 5_000

/** The event ids that are still to be recovered: from `from`, up to but excluding `until`. */
interface RecoveryRange {
  webhookId: string
  from: string
  until: string
}

/** Sends the events since a time that did not reach the endpoint: those that failed and those without a delivery. */
export async function recoverDeliveries(
  tx: TenantTx,
  webhookId: string,
  { since }: Recovery,
  kinds: EventKind[],
): Promise<RecoveryBegun> {
  const from = lowestIdAt(new Date(parseInstant(since) as string))
  // The latest event rather than the time: where a clock was set back, there are events with ids later than now.
  const latest = await findLatestEvent(tx)
  const until = latest ? nextId(latest.id) : from
  const { recovered, next } = await recoverRange(tx, { webhookId, from, until }, kinds)
  if (next) {
    const { organizationId, livemode } = tx.scope
    await tx.enqueue(recoverDeliveriesJob, { organizationId, livemode, ...next })
  }
  return { recovered, has_more: next !== undefined }
}

/** The rest of a recovery, one batch per transaction. A batch that is repeated after a crash adds nothing twice. */
export async function continueRecovering(
  database: Database,
  { organizationId, livemode, ...range }: TenantScope & RecoveryRange,
  { kinds, signal }: { kinds: EventKind[]; signal: AbortSignal },
): Promise<void> {
  for (let next: RecoveryRange | undefined = range; next; ) {
    signal.throwIfAborted()
    const current: RecoveryRange = next
    next = await database
      .inTenant({ organizationId, livemode }, async (tx) => (await recoverRange(tx, current, kinds)).next)
      .catch((error) => {
        // The webhook was disabled or deleted meanwhile: nothing is left to recover.
        if (error instanceof AppError) return undefined
        throw error
      })
  }
}

async function recoverRange(tx: TenantTx, range: RecoveryRange, kinds: EventKind[]) {
  const types = receivedTypes(await requireEnabled(tx, range.webhookId), kinds)
  const { recovered, seen, last_id } = await recoverSome(tx, { ...range, types, max: batchSize })
  await makeEndpointDue(tx, range.webhookId)
  tx.signal(deliveriesChannel)
  return { recovered, next: seen === batchSize && last_id ? { ...range, from: nextId(last_id) } : undefined }
}

/** The next higher id. */
function nextId(id: string): string {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
