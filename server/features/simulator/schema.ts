import Type, { type Static } from 'typebox'
import { FreeObject, Id, Instant, OneOf } from '../../platform/schemas.ts'

export const SimulatedMessage = Type.Object(
  {
    channel_id: Type.Optional({ ...Id, description: 'The channel that receives the message; the oldest by default' }),
    from: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The customer’s phone number. Required unless you send a `user_id`',
        examples: ['+12025550142'],
      }),
    ),
    user_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'The platform’s id of a customer who hides their phone number',
        examples: ['US.13491208655302741918'],
      }),
    ),
    username: Type.Optional(
      Type.String({ maxLength: 64, description: 'The customer’s username', examples: ['ines.k'] }),
    ),
    name: Type.Optional(Type.String({ maxLength: 255, examples: ['Ines'] })),
    type: Type.Optional(
      Type.String({
        pattern: '^[a-z_]{1,32}$',
        default: 'text',
        description:
          '`text`, `image`, `document`, `audio`, `video`, `sticker`, `reaction`, `button`, `interactive`, `location`, `contacts`, `order`, `edit` and `revoke` (of the customer’s last message unless `message.edit.original_message_id` names another), `unsupported`, `user_changed_number`, `user_changed_user_id` and `user_id_update` (to the number or id in `message`, such as `{"wa_id": "12025550143", "user_id": "US.2"}`), `system`, or any other value to test unknown types',
        examples: ['text'],
      }),
    ),
    text: Type.Optional(
      Type.String({
        maxLength: 4096,
        description:
          'The text of a message, the caption of a file, the new text of an `edit`, or for `interactive` the title of what the customer taps in your latest message that has it (its first choice by default)',
        examples: ['Are you open today?'],
      }),
    ),
    message: Type.Optional(
      FreeObject({
        description: 'Further fields of the message as the platform would send them, such as `context` or `button`',
        examples: [{ context: { id: 'wamid.SAMPLE0001' } }],
      }),
    ),
    referral: Type.Optional(
      FreeObject({
        description:
          'Sends the message after a click on an ad: `source_id`, `headline`, `source_url`, `source_type` (`ad` or `post`) and others; missing ones are filled in',
        examples: [{ source_id: '120210000000000001', headline: 'Summer sale' }],
      }),
    ),
    media: Type.Optional(
      Type.Object(
        {
          base64: Type.String({ examples: ['aGVsbG8='] }),
          mime_type: Type.String({ maxLength: 255, examples: ['text/plain'] }),
          filename: Type.Optional(Type.String({ maxLength: 255, examples: ['hello.txt'] })),
        },
        { description: 'The file of a media message; a small sample by default' },
      ),
    ),
    chat_message_id: Type.Optional(
      Type.String({ maxLength: 200, description: 'Repeat an id to deliver the same message again' }),
    ),
  },
  {
    title: 'SimulatedMessage',
    examples: [{ from: '+12025550142', name: 'Ines', type: 'text', text: 'Are you open today?' }],
  },
)
export type SimulatedMessage = Static<typeof SimulatedMessage>

export const SimulatedAppEvent = Type.Object(
  {
    channel_id: Type.Optional({ ...Id, description: 'The channel whose number the app uses; the oldest by default' }),
    field: OneOf(['smb_message_echoes', 'history', 'smb_app_state_sync'] as const, {
      description:
        'What the WhatsApp Business app shares: messages that a person sent in it (`smb_message_echoes`), chats from before the connection (`history`) or its address book (`smb_app_state_sync`)',
      examples: ['smb_message_echoes'],
    }),
    value: FreeObject({
      description:
        'The value of the webhook in the platform’s format. Ids, times, the channel’s number and `metadata` are filled in',
      examples: [{ message_echoes: [{ to: '12025550142', text: { body: 'Yes, until six.' } }] }],
    }),
  },
  {
    title: 'SimulatedAppEvent',
    examples: [
      {
        field: 'smb_message_echoes',
        value: { message_echoes: [{ to: '12025550142', text: { body: 'Yes, until six.' } }] },
      },
      {
        field: 'history',
        value: {
          history: [
            {
              threads: [
                {
                  id: '12025550142',
                  messages: [
                    { timestamp: '1767225600', text: { body: 'Do you repair bikes?' } },
                    {
                      timestamp: '1767225660',
                      text: { body: 'We do.' },
                      history_context: { from_me: true, status: 'READ' },
                    },
                  ],
                },
              ],
            },
          ],
        },
      },
      {
        field: 'smb_app_state_sync',
        value: { state_sync: [{ contact: { full_name: 'Ines Duarte', phone_number: '12025550142' } }] },
      },
    ],
  },
)
export type SimulatedAppEvent = Static<typeof SimulatedAppEvent>

export const ReceivedMessage = Type.Object(
  {
    chat_message_id: Type.String({
      description: 'Id that the message in the inbox will have once the platform’s webhook arrives',
      examples: ['wamid.aTI2OGM1YjZl'],
    }),
  },
  { title: 'ReceivedMessage' },
)

export const SimulatedTemplateEvent = Type.Object(
  {
    event: OneOf(
      [
        'approve',
        'reject',
        'quality',
        'recategorize',
        'pause',
        'unpause',
        'disable',
        'reinstate',
        'flag',
        'click',
      ] as const,
      { description: 'What the platform does', examples: ['quality'] },
    ),
    reason: Type.Optional(
      Type.String({ pattern: '^[A-Z_]{1,64}$', description: 'Rejection reason', examples: ['PROMOTIONAL'] }),
    ),
    score: Type.Optional(
      OneOf(['GREEN', 'YELLOW', 'RED', 'UNKNOWN'] as const, {
        description: 'The new quality rating. `RED` pauses the template, the third time disables it',
        examples: ['RED'],
      }),
    ),
    category: Type.Optional(OneOf(['AUTHENTICATION', 'MARKETING', 'UTILITY'] as const, { examples: ['MARKETING'] })),
    button: Type.Optional(
      Type.String({
        maxLength: 25,
        description: 'For `click`: the label of a button that opens a website; the first one by default',
        examples: ['Shop now'],
      }),
    ),
    count: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'How many people click it', examples: [1] }),
    ),
    marketing_messages: Type.Optional(
      Type.Boolean({
        description:
          'For `click`: whether the messages were sent by the Marketing Messages API; by default, whether the channel uses it now',
        examples: [false],
      }),
    ),
  },
  { title: 'SimulatedTemplateEvent', examples: [{ event: 'quality', score: 'YELLOW' }] },
)
export type SimulatedTemplateEvent = Static<typeof SimulatedTemplateEvent>

export const TemplatePath = Type.Object({ template_id: Id })
export const Told = Type.Object({ message: Type.String({ examples: ['Sent to the simulator'] }) }, { title: 'Told' })

export const ChannelPath = Type.Object({ channel_id: Id })

export const SimulatedHealth = Type.Object(
  {
    quality_rating: Type.Optional(OneOf(['GREEN', 'YELLOW', 'RED', 'UNKNOWN'] as const, { examples: ['YELLOW'] })),
    name_status: Type.Optional(Type.String({ pattern: '^[A-Z_]{1,64}$', examples: ['APPROVED'] })),
    throughput: Type.Optional(OneOf(['STANDARD', 'HIGH'] as const, { examples: ['HIGH'] })),
    messaging_limit: Type.Optional(
      OneOf(['TIER_50', 'TIER_250', 'TIER_1K', 'TIER_2K', 'TIER_10K', 'TIER_100K', 'TIER_UNLIMITED'] as const, {
        description: 'Of the business account: all its numbers share it',
        examples: ['TIER_2K'],
      }),
    ),
    restrictions: Type.Optional(
      Type.Array(
        Type.Object({
          type: Type.String({ pattern: '^[A-Z_]{1,64}$', examples: ['RESTRICTED_BIZ_INITIATED_MESSAGING'] }),
          until: Type.Optional(Instant),
        }),
        { minItems: 1, maxItems: 10, description: 'What the business account may not do' },
      ),
    ),
    violation_type: Type.Optional(
      Type.String({
        pattern: '^[A-Z0-9_]{1,64}$',
        description: 'Reports a policy violation of the business account',
        examples: ['SPAM'],
      }),
    ),
    review_status: Type.Optional(
      OneOf(['APPROVED', 'PENDING', 'REJECTED'] as const, {
        description: 'Review of the business account',
        examples: ['APPROVED'],
      }),
    ),
    messaging_problem: Type.Optional(
      Type.String({
        maxLength: 500,
        description: 'Why the business account cannot send, such as an unpaid bill; empty if it can',
        examples: ['There is an error with the payment method.'],
      }),
    ),
    ban_state: Type.Optional(
      OneOf(['SCHEDULE_FOR_DISABLE', 'DISABLE', 'REINSTATE'] as const, {
        description: 'Disables the business account, or lifts that and all restrictions',
        examples: ['REINSTATE'],
      }),
    ),
  },
  { title: 'SimulatedHealth', examples: [{ quality_rating: 'YELLOW', messaging_limit: 'TIER_2K' }] },
)
export type SimulatedHealth = Static<typeof SimulatedHealth>

export const SimulatedCall = Type.Object(
  {
    channel_id: Type.Optional({ ...Id, description: 'The channel that is called; the oldest by default' }),
    from: Type.String({ maxLength: 64, description: 'The caller’s phone number', examples: ['+12025550142'] }),
    script: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
        minItems: 1,
        maxItems: 50,
        description:
          'What the caller says, one line each time the agent has finished speaking; `[keys: 12#]` presses keys',
        examples: [['Hello. What are your opening hours?', 'Thank you, goodbye.']],
      }),
    ),
    seed: Type.Optional(Type.String({ maxLength: 64, description: 'The same seed produces the same caller' })),
  },
  {
    title: 'SimulatedCall',
    examples: [{ from: '+12025550142', script: ['Hello. What are your opening hours?', 'Thank you, that is all.'] }],
  },
)
export type SimulatedCall = Static<typeof SimulatedCall>

export const ReceivedCall = Type.Object(
  {
    call_id: Type.String({
      description: 'Id of the call log, which exists once the carrier has asked what to do',
      examples: ['CA2f1c3a9b0d4e5f60718293a4b5c6d7e8'],
    }),
  },
  { title: 'ReceivedCall' },
)
