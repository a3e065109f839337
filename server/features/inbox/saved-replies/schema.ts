import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../../platform/http/pagination.ts'
import { Id, Instant, Nullable } from '../../../platform/schemas.ts'
import { longestText } from '../sending/schema.ts'

const name = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '\\S',
  description: 'What members type after `/`',
  examples: ['opening hours'],
})
const body = Type.String({
  maxLength: longestText,
  description: 'The text. It may contain fields of the contact, each with a fallback: `{{contact.first_name|there}}`',
  examples: ['Hi {{contact.first_name|there}}, we are open from nine to six.'],
})
const shared = Type.Boolean({ description: 'Whether all members can use it, or only you' })

/** Each is a separate message: platforms send one file per message. */
export const mostAttachments = 10

const file = {
  file_name: Type.String({ examples: ['plan.pdf'] }),
  mime_type: Type.String({ examples: ['application/pdf'] }),
  size_bytes: Type.Integer({ examples: [48213] }),
}

export const SavedReply = Type.Object(
  {
    id: Id,
    organization_id: Id,
    name,
    body,
    shared,
    owner_id: Nullable({ ...Id, description: 'The member of a private one' }),
    attachments: Type.Array(Type.Object({ id: Id, ...file }, { title: 'SavedReplyFile' }), {
      maxItems: mostAttachments,
      description: 'The files, in the order in which they are sent. Each is a separate message',
    }),
    attachment: Nullable(
      Type.Object(file, { title: 'SavedReplyAttachment', description: 'The first of `attachments`' }),
    ),
    use_count: Type.Integer({ description: 'How many messages were sent with it', examples: [0] }),
    last_used_at: Nullable({ ...Instant, examples: [null] }),
    livemode: Type.Boolean(),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'SavedReply' },
)
export type SavedReply = Static<typeof SavedReply>

export const NewSavedReply = Type.Object(
  { name, body, shared: Type.Boolean({ ...shared, default: true }) },
  { title: 'NewSavedReply' },
)
export type NewSavedReply = Static<typeof NewSavedReply>

export const SavedReplyChanges = Type.Object(
  { name: Type.Optional(name), body: Type.Optional(body), shared: Type.Optional(shared) },
  {
    title: 'SavedReplyChanges',
    minProperties: 1,
    examples: [{ body: 'Hi {{contact.first_name|there}}, we are open until six.' }],
  },
)
export type SavedReplyChanges = Static<typeof SavedReplyChanges>

export const SavedReplyPath = Type.Object({ saved_reply_id: Id })

export const AttachmentPath = Type.Object({ saved_reply_id: Id, attachment_id: Id })

export const SavedReplyFilter = Type.Object({
  ...CursorQuery,
  search: Type.Optional(Type.String({ maxLength: 100, description: 'Part of the name or the text' })),
})
export type SavedReplyFilter = Static<typeof SavedReplyFilter>
export const SavedReplyPage = CursorPage(SavedReply)

export const AttachmentForm = Type.Object(
  {
    file: Type.String({ format: 'binary', description: 'The file to send with the reply', fillIn: 'a file of yours' }),
  },
  { title: 'AttachmentForm', examples: [{ file: 'plan.pdf' }] },
)
