import type { TenantTx } from '../../../platform/database.ts'
import { conflict, found } from '../../../platform/errors.ts'
import { recordAction } from '../../audit/record-action.ts'
import { deleteMediaRow, lockMedia } from './media-queries.ts'

/** Deletes a file for headers, unless a campaign is about to send it. Templates keep their sample at the platform. */
export async function deleteMedia(tx: TenantTx, id: string): Promise<void> {
  const { is_awaited } = found(await lockMedia(tx, id), 'Media')
  if (is_awaited)
    throw conflict('A campaign that is not over sends this file: cancel it, or wait until it is completed')
  await deleteMediaRow(tx, id)
  await recordAction(tx, 'template_media.deleted', { id })
}
