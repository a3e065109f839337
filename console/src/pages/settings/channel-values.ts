import type { api as types } from '@frontdesk/sdk'

/** Maps the flat form to the API's chat and voice objects. */
export interface ChannelValues {
  phone_number: string
  display_name: string
  agent_id: string | null
  messages_per_second: number | string
  coexistence: boolean
  marketing_messages: boolean
  asks_for_rating: boolean
  has_chat: boolean
  chat_phone_number_id: string
  chat_business_account_id: string
  chat_access_token: string
  chat_app_secret: string
  chat_verify_token: string
  has_voice: boolean
  voice_account_sid: string
  voice_phone_number_id: string
  voice_auth_token: string
}

export const valuesOf = (channel?: types.Channel): ChannelValues => ({
  phone_number: channel?.phone_number ?? '',
  display_name: channel?.display_name ?? '',
  agent_id: channel?.agent_id ?? null,
  messages_per_second: channel?.messages_per_second ?? 80,
  coexistence: channel?.coexistence ?? false,
  marketing_messages: channel?.marketing_messages ?? false,
  asks_for_rating: channel?.asks_for_rating ?? false,
  has_chat: Boolean(channel?.chat),
  chat_phone_number_id: channel?.chat?.phone_number_id ?? '',
  chat_business_account_id: channel?.chat?.business_account_id ?? '',
  chat_access_token: '',
  chat_app_secret: '',
  chat_verify_token: '',
  has_voice: Boolean(channel?.voice),
  voice_account_sid: channel?.voice?.account_sid ?? '',
  voice_phone_number_id: channel?.voice?.phone_number_id ?? '',
  voice_auth_token: '',
})

/** `['body', 'chat', 'access_token']` is the field `chat_access_token`. */
export const fieldOf = ([, ...loc]: string[]): string | undefined =>
  loc[0] === 'chat' || loc[0] === 'voice' ? loc.slice(0, 2).join('_') : loc[0]

/** Empty secrets are not sent, which keeps the stored ones. */
const given = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== '')) as T

const commonOf = (values: ChannelValues) => ({
  phone_number: values.phone_number.trim(),
  display_name: values.display_name.trim(),
  agent_id: values.agent_id,
  messages_per_second: Number(values.messages_per_second),
  coexistence: values.coexistence,
  marketing_messages: values.marketing_messages,
  asks_for_rating: values.asks_for_rating,
})

const chatOf = (values: ChannelValues) =>
  given({
    phone_number_id: values.chat_phone_number_id.trim(),
    business_account_id: values.chat_business_account_id.trim(),
    access_token: values.chat_access_token.trim(),
    app_secret: values.chat_app_secret.trim(),
    verify_token: values.chat_verify_token.trim(),
  })

const voiceOf = (values: ChannelValues) => ({
  provider: 'twilio' as const,
  ...given({
    account_sid: values.voice_account_sid.trim(),
    phone_number_id: values.voice_phone_number_id.trim(),
    auth_token: values.voice_auth_token.trim(),
  }),
})

export const newChannelOf = (values: ChannelValues): types.NewChannel => ({
  ...commonOf(values),
  ...(values.has_chat && { chat: chatOf(values) }),
  ...(values.has_voice && { voice: voiceOf(values) }),
})

export const changesOf = (values: ChannelValues, channel: types.Channel): types.ChannelChanges => ({
  ...commonOf(values),
  ...(values.has_chat ? { chat: chatOf(values) } : channel.chat && { chat: null }),
  ...(values.has_voice ? { voice: voiceOf(values) } : channel.voice && { voice: null }),
})
