import type { TenantTx } from '../../platform/database.ts'
import { notFound } from '../../platform/errors.ts'
import { emit } from '../../platform/events.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { type ChatHookSettings, chatHooksChannel, showChannel } from './chat-hook.ts'
import { channelDeleted } from './events.ts'
import { hideChannel } from './queries.ts'

/** Hides it for good and forgets its secrets; what refers to it stays. Its number may be used again. */
export async function deleteChannel(
  tx: TenantTx,
  id: string,
  { secrets, hooks }: { secrets: SecretBox; hooks: ChatHookSettings },
): Promise<void> {
  const row = await hideChannel(tx, id)
  if (!row) throw notFound('Channel')
  tx.signal(chatHooksChannel)
  await emit(tx, channelDeleted, showChannel(row, secrets, hooks))
}
