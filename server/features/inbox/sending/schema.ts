import Type, { type Static } from 'typebox'
import { Id, OneOf } from '../../../platform/schemas.ts'
import { templateVariables } from '../../templates/schema.ts'
import { ContactCard, Interactive, Place } from '../rich/schema.ts'
import { messageTypes } from '../schema.ts'

export const longestText = 4096
export const longestCaption = 1024

const contextMessageId = Type.String({
  minLength: 1,
  maxLength: 512,
  description: '`chat_message_id` of the message that this one replies to',
})

const savedReplyId = { ...Id, description: 'The saved reply that this message was written with, to count its use' }

const sticker = Type.Boolean({
  description:
    'Sends the file as a sticker: WebP, at most 100 KB, or 500 KB if it is animated. The message type is `image`',
})

export const NewMessage = Type.Object(
  {
    message_type: Type.Optional(
      OneOf(messageTypes, { description: '`text` by default; for a file, determined by its content' }),
    ),
    body: Type.String({
      default: '',
      maxLength: longestText,
      description: `The text, or the caption of a file (at most ${longestCaption} characters; audio has none). It may contain fields of the contact, each with a fallback: \`{{contact.first_name|there}}\``,
      examples: ['Yes, until six.'],
    }),
    media_url: Type.Optional(
      Type.String({ format: 'uri', maxLength: 2048, description: 'Where the service fetches the file to send' }),
    ),
    sticker: Type.Optional(sticker),
    interactive: Type.Optional(Interactive),
    location: Type.Optional(Place),
    contacts: Type.Optional(
      Type.Array(ContactCard, { minItems: 1, maxItems: 257, description: 'Contact cards to send; `body` stays empty' }),
    ),
    context_message_id: Type.Optional(contextMessageId),
    saved_reply_id: Type.Optional(savedReplyId),
    template_id: Type.Optional({
      ...Id,
      description: 'An approved template to send in place of a free-form message, within the 24 hours or later',
    }),
    template_variables: Type.Optional(templateVariables),
  },
  {
    title: 'NewMessage',
    examples: [
      { message_type: 'text', body: 'Yes, until six.' },
      {
        body: 'Shall we keep your appointment on Monday?',
        interactive: {
          type: 'button',
          footer: 'Reply until Sunday',
          buttons: [
            { id: 'keep', title: 'Yes, keep it' },
            { id: 'move', title: 'Move it' },
          ],
        },
      },
      { location: { latitude: 37.7749, longitude: -122.4194, name: 'Front desk', address: '1 Market Street' } },
      { contacts: [{ name: { formatted_name: 'Ada Lovelace' }, phones: [{ phone: '+14155550100', type: 'WORK' }] }] },
    ],
  },
)
export type NewMessage = Static<typeof NewMessage>

export const NewMessageForm = Type.Object(
  {
    file: Type.String({ format: 'binary', description: 'The file to send', fillIn: 'a file of yours' }),
    message_type: Type.Optional(
      OneOf(messageTypes, { description: 'Determined by the content of the file by default' }),
    ),
    body: Type.Optional(Type.String({ maxLength: longestCaption, description: 'The caption' })),
    sticker: Type.Optional(sticker),
    context_message_id: Type.Optional(contextMessageId),
    saved_reply_id: Type.Optional(savedReplyId),
  },
  { title: 'NewMessageForm', examples: [{ file: 'plan.pdf', body: 'How to find us' }] },
)

export const TestSend = Type.Object(
  {
    phone_number: Type.String({
      maxLength: 64,
      description: 'The number of a contact, such as your own',
      examples: ['+14155550100'],
      fillIn: 'the number of a contact',
    }),
    template_variables: Type.Optional(templateVariables),
    channel_id: Type.Optional({ ...Id, description: 'By default the channel that registered the template' }),
  },
  { title: 'TestSend', examples: [{ phone_number: '+14155550100', template_variables: { '1': 'Ada' } }] },
)
export type TestSend = Static<typeof TestSend>
