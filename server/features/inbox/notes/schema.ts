import Type, { type Static } from 'typebox'
import { OffsetQuery } from '../../../platform/http/pagination.ts'
import { Id, Instant, Nullable } from '../../../platform/schemas.ts'
import { pageMembers, TicketPath } from '../schema.ts'

const body = Type.String({
  minLength: 1,
  maxLength: 8192,
  pattern: '\\S',
  description: 'For members only: it is never sent to the contact',
  examples: ['Offered a refund. @Pat can you check the invoice?'],
})

/** What members write to each other in a conversation. */
export const Note = Type.Object(
  {
    id: Id,
    organization_id: Id,
    inbox_id: Id,
    contact_id: Id,
    author_id: Nullable({ ...Id, description: 'The member; null for a key that no member created' }),
    body,
    mentioned_ids: Type.Array(Id, { description: 'The mentioned members', examples: [[]] }),
    edited_at: Nullable({ ...Instant, examples: [null] }),
    livemode: Type.Boolean(),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Note' },
)
export type Note = Static<typeof Note>

const mentions = Type.Array(Id, { maxItems: 50, description: 'Ids of members who may read the inbox' })

export const NewNote = Type.Object(
  { body, mentioned_ids: Type.Optional(mentions) },
  { title: 'NewNote', examples: [{ body: 'Offered a refund.' }] },
)
export type NewNote = Static<typeof NewNote>

export const NoteChanges = Type.Object(
  { body: Type.Optional(body), mentioned_ids: Type.Optional(mentions) },
  { title: 'NoteChanges', minProperties: 1, examples: [{ body: 'Offered a full refund.' }] },
)
export type NoteChanges = Static<typeof NoteChanges>

export const NotePath = Type.Object({ ...TicketPath.properties, note_id: Id })

export const NoteFilter = Type.Object(OffsetQuery)
export const NotePage = Type.Object({ ...pageMembers, notes: Type.Array(Note) })
