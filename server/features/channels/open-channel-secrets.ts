import type { TenantSql } from '../../platform/database.ts'
import { notFound } from '../../platform/errors.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { findStoredChannel } from './queries.ts'
import { openChat, openVoice, type Sides } from './sides.ts'

/** For those who call the platforms: both sides with their secrets in the clear. Never answered, emitted or logged. */
export async function openChannelSecrets(
  sql: TenantSql,
  channelId: string,
  { secrets }: { secrets: SecretBox },
): Promise<Sides> {
  const channel = await findStoredChannel(sql, channelId)
  if (!channel) throw notFound('Channel')
  return { chat: openChat(secrets, sql.scope, channel), voice: openVoice(secrets, sql.scope, channel) }
}
