import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../platform/http/pagination.ts'
import { Id, Instant, Nullable, OneOf } from '../../platform/schemas.ts'
import { Health } from './health/health-schema.ts'

const phoneNumber = Type.String({ maxLength: 64, description: 'Normalized to E.164', examples: ['+14155550100'] })
const displayName = Type.String({ maxLength: 255, description: 'Display name', examples: ['Reception'] })
const agentId = Nullable({ ...Id, description: 'The agent that answers inbound chat and calls', examples: [null] })
const messagesPerSecond = Type.Integer({
  minimum: 1,
  maximum: 1000,
  description: 'Messages per second that campaigns send on this channel; 80 by default',
  examples: [80],
})

const coexistence = Type.Boolean({
  description:
    'Whether the WhatsApp Business app uses the number too. Set by itself when WhatsApp reports messages or contacts of the app. Campaigns then send at most 20 messages per second',
  examples: [false],
})

const marketingMessages = Type.Boolean({
  description:
    'Whether marketing templates are sent by WhatsApp’s Marketing Messages API, in campaigns and one by one. Accept its terms at WhatsApp first. Not used while the channel is in coexistence, which the API does not support',
  examples: [false],
})

const asksForRating = Type.Boolean({
  description:
    'Whether contacts are asked to rate a conversation when its ticket is closed: once per ticket, within the 24 hours, in the language of the channel’s agent',
  examples: [false],
})

/** Ids and tokens of the platforms contain no whitespace: a value that does is a paste error and would never work. */
const platformId = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 255, pattern: '^\\S+$', description, examples: [example] })
const token = (description: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength: 4096,
    pattern: '^\\S+$',
    writeOnly: true,
    description: `${description}. Stored encrypted, never returned`,
    examples: [example],
  })
const kept = (name: string) => Type.Boolean({ description: `Whether \`${name}\` is set`, examples: [true] })

const chatIds = {
  phone_number_id: platformId('The messaging platform’s id of the number', '106540352242922'),
  business_account_id: platformId('The business account that owns the number and its templates', '102290129340398'),
  app_id: Type.Optional(
    Nullable(
      platformId(
        'The app of the access token, for samples of templates; read from the token if not set',
        '634974688087057',
      ),
    ),
  ),
  account_id: Nullable(platformId('Account id shown on this channel’s templates', '215589313241560')),
}
const chatSecrets = {
  access_token: token('Token that sends messages and registers templates', 'EAAJZBexampletoken'),
  app_secret: token(
    'Secret that verifies the platform’s webhooks; required unless the installation has an app for all channels',
    '0123456789abcdef0123456789abcdef',
  ),
  verify_token: Type.String({
    minLength: 1,
    maxLength: 255,
    writeOnly: true,
    description:
      'Token that the platform echoes when it verifies the webhook; required with `app_secret`. Stored encrypted, never returned',
    examples: ['a word of your choice'],
  }),
}
const voiceIds = {
  provider: OneOf(['twilio'] as const, { description: 'The carrier' }),
  account_sid: platformId('The carrier’s account id', 'AC2f1c3a9b0d4e5f60718293a4b5c6d7e8'),
  phone_number_id: platformId('The carrier’s id of the number', 'PN9a8b7c6d5e4f30211203f4e5d6c7b8a9'),
}
const voiceSecrets = { auth_token: token('Token of that account', '9f8e7d6c5b4a39281706f5e4d3c2b1a0') }

export const ChatCredentials = Type.Object(
  {
    ...chatIds,
    account_id: Type.Optional(chatIds.account_id),
    access_token: chatSecrets.access_token,
    app_secret: Type.Optional(chatSecrets.app_secret),
    verify_token: Type.Optional(chatSecrets.verify_token),
  },
  { title: 'ChannelChatCredentials' },
)
export type ChatCredentials = Static<typeof ChatCredentials>
export const VoiceCredentials = Type.Object({ ...voiceIds, ...voiceSecrets }, { title: 'ChannelVoiceCredentials' })
export type VoiceCredentials = Static<typeof VoiceCredentials>

/** The two sides as the API shows them. Secrets appear only as a flag that they are set. */
const Chat = Type.Object(
  {
    ...chatIds,
    has_access_token: kept('access_token'),
    has_app_secret: kept('app_secret'),
    has_verify_token: kept('verify_token'),
    hook_url: Nullable(
      Type.String({
        description:
          'The callback URL to enter at the platform. A path if `PUBLIC_URL` is not set; null if neither the channel nor the installation has an app secret',
        examples: ['https://desk.example.com/hooks/chat/4fPq0sWb7ZcXr2LkN9vTgYh1dJm6AeUo'],
      }),
    ),
  },
  { title: 'ChannelChat' },
)
/** As stored: the hook's URL is added when it is shown. */
export const StoredChat = Type.Omit(Chat, ['hook_url'])
export type StoredChat = Static<typeof StoredChat>
export const Voice = Type.Object({ ...voiceIds, has_auth_token: kept('auth_token') }, { title: 'ChannelVoice' })
export type Voice = Static<typeof Voice>

const channelStatuses = ['active', 'pending_verification', 'verification_failed'] as const
export type ChannelStatus = (typeof channelStatuses)[number]

export const Channel = Type.Object(
  {
    id: Id,
    organization_id: Id,
    phone_number: Type.String({ description: 'E.164', examples: ['+14155550100'] }),
    display_name: Type.String({ examples: ['Reception'] }),
    agent_id: agentId,
    messages_per_second: Type.Integer({ examples: [80] }),
    coexistence,
    marketing_messages: marketingMessages,
    asks_for_rating: asksForRating,
    chat: Nullable(Chat),
    voice: Nullable(Voice),
    status: OneOf(channelStatuses, {
      description:
        'Whether the chat side receives messages. `pending_verification`: the platform could not be reached, so the number is not confirmed; a background job retries, and the channel receives nothing until then. `verification_failed`: the platform refused, or the number is in use elsewhere; send `chat` again with PATCH',
      examples: ['active'],
    }),
    status_reason: Nullable(Type.String({ description: 'Why the channel is not active', examples: [null] })),
    health: Nullable(Health),
    livemode: Type.Boolean(),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Channel' },
)
export type Channel = Static<typeof Channel>

export const NewChannel = Type.Object(
  {
    phone_number: phoneNumber,
    display_name: Type.Optional(displayName),
    agent_id: Type.Optional(agentId),
    messages_per_second: Type.Optional(messagesPerSecond),
    coexistence: Type.Optional(coexistence),
    marketing_messages: Type.Optional(marketingMessages),
    asks_for_rating: Type.Optional(asksForRating),
    chat: Type.Optional(ChatCredentials),
    voice: Type.Optional(VoiceCredentials),
  },
  { title: 'NewChannel' },
)
export type NewChannel = Static<typeof NewChannel>

const ChatChanges = Type.Partial(ChatCredentials, { title: 'ChannelChatChanges' })
const VoiceChanges = Type.Partial(VoiceCredentials, { title: 'ChannelVoiceChanges' })

export const ChannelChanges = Type.Object(
  {
    phone_number: Type.Optional(phoneNumber),
    display_name: Type.Optional(displayName),
    agent_id: Type.Optional(agentId),
    messages_per_second: Type.Optional(messagesPerSecond),
    coexistence: Type.Optional(coexistence),
    marketing_messages: Type.Optional(marketingMessages),
    asks_for_rating: Type.Optional(asksForRating),
    chat: Type.Optional(Nullable(ChatChanges)),
    voice: Type.Optional(Nullable(VoiceChanges)),
  },
  { title: 'ChannelChanges', examples: [{ display_name: 'Reception', messages_per_second: 80 }] },
)
export type ChannelChanges = Static<typeof ChannelChanges>

export const ChannelFilter = Type.Object({ ...CursorQuery })
export type ChannelFilter = Static<typeof ChannelFilter>
export const ChannelPage = CursorPage(Channel)
export const ChannelPath = Type.Object({ channel_id: Id })

export const AppDataRequest = Type.Object(
  {
    data: OneOf(['contacts', 'history'] as const, {
      description: 'The address book of the app (`contacts`) or its chats (`history`)',
      examples: ['contacts'],
    }),
  },
  { title: 'AppDataRequest' },
)
export type AppDataRequest = Static<typeof AppDataRequest>

export const RequestedAppData = Type.Object(
  {
    request_id: Nullable(
      Type.String({ description: 'WhatsApp’s id of the request, for its support', examples: ['req_1'] }),
    ),
  },
  { title: 'RequestedAppData' },
)
export type RequestedAppData = Static<typeof RequestedAppData>
