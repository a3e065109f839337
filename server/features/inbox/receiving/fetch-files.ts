import type { TenantTx } from '../../../platform/database.ts'
import { newId } from '../../../platform/ids.ts'
import { fetchMediaJob } from '../jobs.ts'
import type { InboundMedia } from './inbound-message.ts'
import { insertPendingMedia } from './receive-queries.ts'

/** Has the files of these messages downloaded from the platform. */
export async function fetchFiles(tx: TenantTx, messages: { id: string; media: InboundMedia | null }[]): Promise<void> {
  const media = messages.flatMap(({ id, media }) => (media ? [{ ...media, id: newId(), messageId: id }] : []))
  if (media.length === 0) return
  await insertPendingMedia(tx, media)
  await Promise.all(media.map(({ id }) => tx.enqueue(fetchMediaJob, { ...tx.scope, mediaId: id })))
}
