import type { TenantTx } from '../../platform/database.ts'
import { notFound } from '../../platform/errors.ts'
import { emit } from '../../platform/events.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { type ChatHookSettings, chatHooksChannel, showChannel } from './chat-hook.ts'
import { releaseNumberRow } from './claim-queries.ts'
import { channelDeleted } from './events.ts'
import { hideChannel } from './queries.ts'

/**
 * Hides it for good and forgets its secrets; what refers to it stays. The organization may use its number again at once; a
 * live one stays reserved for it, so that messages which still arrive cannot be claimed by another organization.
 */
export async function deleteChannel(
  tx: TenantTx,
  id: string,
  { secrets, hooks }: { secrets: SecretBox; hooks: ChatHookSettings },
): Promise<void> {
  const row = await hideChannel(tx, id)
  if (!row) throw notFound('Channel')
  if (row.livemode && row.chat) await releaseNumberRow(tx, row.chat.phone_number_id, row.id)
  tx.signal(chatHooksChannel)
  await emit(tx, channelDeleted, showChannel(row, secrets, hooks))
}
