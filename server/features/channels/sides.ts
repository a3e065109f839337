import type { TenantScope } from '../../platform/database.ts'
import { InvalidInput } from '../../platform/errors.ts'
import { sealedColumn } from '../../platform/reseal.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import type { ChatCredentials, StoredChat, Voice, VoiceCredentials } from './schema.ts'

/** The chat and voice sides of a channel: their public part, their secrets, and how the secrets are sealed. */

interface Sides {
  chat: ChatCredentials | null
  voice: VoiceCredentials | null
}

export function refuseMissing(side: keyof Sides, names: string[]): void {
  if (names.length > 0)
    throw new InvalidInput(names.map((name) => ({ loc: ['body', side, name], msg: 'Field required', type: 'missing' })))
}

/** Binds a sealed side to its record: copied to another channel, it cannot be opened. */
const contextOf = ({ organizationId }: TenantScope, channelId: string, side: keyof Sides) =>
  `channel ${organizationId} ${channelId} ${side}`

export const sealedChannelColumns = (['chat', 'voice'] as const).map((side) =>
  sealedColumn({
    table: 'channels',
    column: `sealed_${side}`,
    key: { organization_id: 'uuid', livemode: 'boolean', id: 'uuid' },
    context: ({ organization_id, livemode, id }) => contextOf({ organizationId: organization_id, livemode }, id, side),
  }),
)

export function sealChat(box: SecretBox, scope: TenantScope, channelId: string, credentials: ChatCredentials) {
  const {
    phone_number_id,
    business_account_id,
    account_id = null,
    app_id = null,
    access_token,
    app_secret,
    verify_token,
  } = credentials
  const chat: StoredChat = {
    phone_number_id,
    business_account_id,
    account_id,
    app_id,
    has_access_token: true,
    has_app_secret: app_secret !== undefined,
    has_verify_token: verify_token !== undefined,
  }
  const hidden = JSON.stringify({ access_token, app_secret, verify_token })
  return { chat, sealed_chat: box.seal(hidden, contextOf(scope, channelId, 'chat')) }
}

export function sealVoice(box: SecretBox, scope: TenantScope, channelId: string, credentials: VoiceCredentials) {
  const { provider, account_sid, phone_number_id, auth_token } = credentials
  const voice: Voice = { provider, account_sid, phone_number_id, has_auth_token: true }
  return { voice, sealed_voice: box.seal(JSON.stringify({ auth_token }), contextOf(scope, channelId, 'voice')) }
}

interface Stored {
  id: string
  chat: StoredChat | null
  sealed_chat: Buffer | null
  voice: Voice | null
  sealed_voice: Buffer | null
}

export function openChat(box: SecretBox, scope: TenantScope, channel: Stored): ChatCredentials | null {
  if (!channel.chat || !channel.sealed_chat) return null
  const { phone_number_id, business_account_id, account_id, app_id = null } = channel.chat
  const hidden = JSON.parse(box.open(channel.sealed_chat, contextOf(scope, channel.id, 'chat')))
  return { phone_number_id, business_account_id, account_id, app_id, ...hidden }
}

export function openVoice(box: SecretBox, scope: TenantScope, channel: Stored): VoiceCredentials | null {
  if (!channel.voice || !channel.sealed_voice) return null
  const { provider, account_sid, phone_number_id } = channel.voice
  const hidden = JSON.parse(box.open(channel.sealed_voice, contextOf(scope, channel.id, 'voice')))
  return { provider, account_sid, phone_number_id, ...hidden }
}
