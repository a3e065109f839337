import Type from 'typebox'
import type { SystemSql, TenantScope, TenantSql } from '../../platform/database.ts'
import { Nullable } from '../../platform/schemas.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { findStoredChannel } from './queries.ts'
import { openVoice } from './sides.ts'

/** The voice side of a channel. Holds secrets: never return, emit or log it. */
export interface VoiceChannel {
  id: string
  phoneNumber: string
  agentId: string | null
  /** The carrier account; null if none is configured. */
  account: { accountSid: string; authToken: string; phoneNumberId: string } | null
}

export async function findVoiceChannel(
  sql: TenantSql,
  id: string,
  { secrets }: { secrets: SecretBox },
): Promise<VoiceChannel | undefined> {
  const channel = await findStoredChannel(sql, id)
  if (!channel) return undefined
  const voice = openVoice(secrets, sql.scope, channel)
  return {
    id,
    phoneNumber: channel.phone_number,
    agentId: channel.agent_id,
    account: voice && {
      accountSid: voice.account_sid,
      authToken: voice.auth_token,
      phoneNumberId: voice.phone_number_id,
    },
  }
}

const ChannelId = Type.Object({ id: Type.String() })

/** The oldest channel that can call. In test mode every channel can, through the simulator. */
export async function findDefaultVoiceChannel(sql: TenantSql): Promise<string | undefined> {
  const channel = await sql.maybe(ChannelId)`
    select id from channels where deleted_at is null order by (voice is null), id limit 1`
  return channel?.id
}

const ScopeRow = Type.Object({ organization_id: Nullable(Type.String()), livemode: Nullable(Type.Boolean()) })

/** The organization and mode of a channel. The carrier's requests carry only the channel id. */
export async function findChannelScope(system: SystemSql, id: string): Promise<TenantScope | undefined> {
  const row = await system.maybe(ScopeRow)`
    select organization_id, livemode from channels where id = ${id} and deleted_at is null`
  return row ? { organizationId: row.organization_id as string, livemode: row.livemode as boolean } : undefined
}
