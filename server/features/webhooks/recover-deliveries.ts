import type { Database, TenantScope, TenantTx } from '../../platform/database.ts'
import { AppError } from '../../platform/errors.ts'
import { lowestIdAt } from '../../platform/ids.ts'
import { parseInstant } from '../../platform/instants.ts'
import { deliveriesChannel } from './deliveries-channel.ts'
import { recoverSome } from './delivery-queries.ts'
import { recoverDeliveriesJob } from './job-kinds.ts'
import { makeEndpointDue } from './queries.ts'
import { requireEnabled } from './require-enabled.ts'
import type { Recovery, RecoveryBegun } from './schema.ts'

const most = 5_000

/** Where a recovery goes on, and where it ends. */
interface Stretch {
  webhookId: string
  from: string
  until: string
}

/** Sends what happened since then and did not reach the endpoint: what failed, and what it was not told of at all. */
export async function recoverDeliveries(tx: TenantTx, webhookId: string, { since }: Recovery): Promise<RecoveryBegun> {
  await requireEnabled(tx, webhookId)
  const from = lowestIdAt(new Date(parseInstant(since) as string))
  const { recovered, next } = await recoverStretch(tx, { webhookId, from, until: lowestIdAt(new Date()) })
  if (next) {
    const { organizationId, livemode } = tx.scope
    await tx.enqueue(recoverDeliveriesJob, { organizationId, livemode, ...next })
  }
  return { recovered, has_more: next !== undefined }
}

/** The rest of a recovery, a few thousand events at a time; whoever goes on after a crash finds nothing to do twice. */
export async function goOnRecovering(
  database: Database,
  { organizationId, livemode, ...stretch }: TenantScope & Stretch,
  signal: AbortSignal,
): Promise<void> {
  for (let next: Stretch | undefined = stretch; next; ) {
    signal.throwIfAborted()
    const here: Stretch = next
    next = await database
      .inTenant({ organizationId, livemode }, async (tx) => {
        await requireEnabled(tx, here.webhookId)
        return (await recoverStretch(tx, here)).next
      })
      .catch((error) => {
        // Disabled or deleted meanwhile: there is nobody to tell.
        if (error instanceof AppError) return undefined
        throw error
      })
  }
}

async function recoverStretch(tx: TenantTx, stretch: Stretch) {
  const { recovered, seen, last_id } = await recoverSome(tx, { ...stretch, most })
  await makeEndpointDue(tx, stretch.webhookId)
  tx.signal(deliveriesChannel)
  return { recovered, next: seen === most && last_id ? { ...stretch, from: following(last_id) } : undefined }
}

/** The very next id that there can be. */
function following(id: string): string {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
