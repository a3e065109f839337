import Type from 'typebox'
import type { SystemSql, TenantScope, TenantSql } from '../../platform/database.ts'
import { Nullable } from '../../platform/schemas.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { findStoredChannel } from './queries.ts'
import { openVoice } from './sides.ts'

/** A channel as calls see it. It holds secrets: never answered, emitted or logged. */
export interface VoiceChannel {
  id: string
  phoneNumber: string
  agentId: string | null
  /** The account at the carrier; null where none was given. */
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

/** The oldest that can call: in test mode any of them, since the simulator carries all. */
export async function findDefaultVoiceChannel(sql: TenantSql): Promise<string | undefined> {
  const channel = await sql.maybe(ChannelId)`
    select id from channels where deleted_at is null order by (voice is null), id limit 1`
  return channel?.id
}

const Place = Type.Object({ organization_id: Nullable(Type.String()), livemode: Nullable(Type.Boolean()) })

/** Whose channel it is, for the carrier's requests, which name nothing else. */
export async function findChannelScope(system: SystemSql, id: string): Promise<TenantScope | undefined> {
  const place = await system.maybe(Place)`
    select organization_id, livemode from channels where id = ${id} and deleted_at is null`
  return place ? { organizationId: place.organization_id as string, livemode: place.livemode as boolean } : undefined
}
