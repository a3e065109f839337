import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toCsvLine } from '../../../platform/csv.ts'
import type { Database, TenantScope } from '../../../platform/database.ts'
import { found } from '../../../platform/errors.ts'
import { createSemaphore } from '../../../platform/semaphore.ts'
import { explainDelivery } from '../deliveries/queries.ts'
import { fetchDeliveries, findCampaignName, openDeliveries } from './queries.ts'
import type { ExportedDelivery } from './schema.ts'

interface ExportedFile {
  campaignName: string
  /** Unlinked at once: it is gone when it is closed, in any way. */
  file: FileHandle
  size: number
}

/** Each holds a database connection while it writes. */
const atOnce = createSemaphore(2)

/**
 * Every delivery of a campaign as CSV, from one snapshot. It goes through a file, so that the snapshot ends as soon as
 * everything is read: a slow client holds neither a connection nor old row versions.
 */
export function exportDeliveries(
  database: Database,
  scope: TenantScope,
  campaignId: string,
  signal: AbortSignal,
): Promise<ExportedFile> {
  return atOnce(async () => {
    let file = undefined as FileHandle | undefined
    try {
      return await database.inTenant(scope, async (tx) => {
        const campaign = found(await findCampaignName(tx, campaignId), 'Campaign')
        await openDeliveries(tx, campaignId)
        // A retried transaction starts over.
        await file?.close()
        file = await openNamelessFile()
        await file.appendFile(toCsvLine([...columns]))
        for (;;) {
          signal.throwIfAborted()
          const deliveries = await fetchDeliveries(tx)
          if (deliveries.length === 0) break
          await file.appendFile(deliveries.map((each) => toCsvLine(toCells(each))).join(''))
        }
        const { size } = await file.stat()
        return { campaignName: campaign.name, file, size }
      })
    } catch (error) {
      await file?.close()
      throw error
    }
  })
}

async function openNamelessFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `frontdesk-export-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}

const columns = [
  'delivery_id',
  'contact_id',
  'contact_name',
  'phone_number',
  'whatsapp_user_id',
  'status',
  'sent_at',
  'delivered_at',
  'read_at',
  'updated_at',
  'attempts',
  'code',
  'reason',
  'detail',
  'explanation',
  'what_to_do',
  'chat_message_id',
  'replied_at',
  'tapped_buttons',
  'time_zone',
] as const

function toCells(delivery: ExportedDelivery): string[] {
  const { code, reason } = delivery
  const { explanation, what_to_do } = explainDelivery(delivery)
  return [
    delivery.id,
    delivery.contact_id ?? '',
    delivery.contact_name ?? '',
    delivery.phone_number,
    delivery.whatsapp_user_id ?? '',
    delivery.status,
    delivery.sent_at ?? '',
    delivery.delivered_at ?? '',
    delivery.read_at ?? '',
    delivery.updated_at,
    String(delivery.attempts),
    code ?? reason ?? '',
    reason ?? '',
    delivery.detail ?? '',
    explanation ?? '',
    what_to_do ?? '',
    delivery.chat_message_id ?? '',
    delivery.replied_at ?? '',
    delivery.tapped_buttons.join(', '),
    delivery.time_zone ?? '',
  ]
}
