import type { TenantSql } from '../../platform/database.ts'
import { notFound } from '../../platform/errors.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { findStoredChannel } from './queries.ts'
import { openChat, openVoice, type Sides } from './sides.ts'

/** Both sides with plaintext secrets, for callers of the platforms. Never return, emit or log it. */
export async function openChannelSecrets(
  sql: TenantSql,
  channelId: string,
  { secrets }: { secrets: SecretBox },
): Promise<Sides> {
  const channel = await findStoredChannel(sql, channelId)
  if (!channel) throw notFound('Channel')
  return { chat: openChat(secrets, sql.scope, channel), voice: openVoice(secrets, sql.scope, channel) }
}
