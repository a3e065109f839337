import type { TenantTx } from '../../platform/database.ts'
import { found } from '../../platform/errors.ts'
import { emit } from '../../platform/events.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { channelDeleted } from './events.ts'
import { type ChatHookSettings, chatHooksChannel, showChannel } from './hooks/chat-hook.ts'
import { releaseNumberRow } from './numbers/claim-queries.ts'
import { hideChannel } from './queries.ts'

/**
 * Soft-deletes the channel and erases its secrets; records that refer to it are kept. The organization can reuse the
 * number at once. A live number stays reserved for it, so that another organization cannot receive messages that still
 * arrive.
 */
export async function deleteChannel(
  tx: TenantTx,
  id: string,
  { secrets, hooks }: { secrets: SecretBox; hooks: ChatHookSettings },
): Promise<void> {
  const row = found(await hideChannel(tx, id), 'Channel')
  if (row.livemode && row.chat) await releaseNumberRow(tx, row.chat.phone_number_id, row.id)
  tx.signal(chatHooksChannel)
  await emit(tx, channelDeleted, showChannel(row, secrets, hooks))
}
