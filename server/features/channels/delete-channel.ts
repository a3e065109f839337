import type { TenantTx } from '../../platform/database.ts'
import { notFound } from '../../platform/errors.ts'
import { emit } from '../../platform/events.ts'
import { channelDeleted } from './events.ts'
import { hideChannel } from './queries.ts'

/** Hides it for good and forgets its secrets; what refers to it stays. Its number may be used again. */
export async function deleteChannel(tx: TenantTx, id: string): Promise<void> {
  const channel = await hideChannel(tx, id)
  if (!channel) throw notFound('Channel')
  await emit(tx, channelDeleted, channel)
}
