import Type, { type Static } from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { sql } from '../../../platform/sql.ts'
import { Note } from './schema.ts'

const columns = sql`id, organization_id, ticket_id as inbox_id, contact_id, author_id, body, mentioned_ids, edited_at,
  livemode, created_at, updated_at`

/** A row of the page with the total; its columns are null if the page is empty. No row if there is no such ticket. */
const NoteRow = Type.Unsafe<Note & { total: number }>({})

export const listNotes = (tx: TenantSql, ticketId: string, { limit, offset }: { limit: number; offset: number }) =>
  tx.all(NoteRow)`
    select page.*, total from
      (select (select count(*) from ticket_notes where ticket_id = ${ticketId}) as total
        from tickets where id = ${ticketId}) ticket
      left join lateral (
        select ${columns} from ticket_notes where ticket_id = ${ticketId} order by id limit ${limit} offset ${offset}
      ) page on true
    order by page.id`

const StoredNote = Type.Object({ ...Note.properties, activity_id: Type.String() })
export type StoredNote = Static<typeof StoredNote>

export const findNote = (tx: TenantSql, ticketId: string, id: string) =>
  tx.maybe(Note)`select ${columns} from ticket_notes where id = ${id} and ticket_id = ${ticketId}`

export const lockNote = (tx: TenantTx, ticketId: string, id: string) =>
  tx.maybe(StoredNote)`
    select ${columns}, activity_id from ticket_notes where id = ${id} and ticket_id = ${ticketId} for update`

const Ref = Type.Object({ contact_id: Type.String() })

export const findContactOfTicket = (tx: TenantSql, ticketId: string) =>
  tx.maybe(Ref)`select contact_id from tickets where id = ${ticketId}`

const Seeing = Type.Object({ id: Type.String() })

/** Of these members, those whose access covers the ticket. */
export const findSeeing = (tx: TenantSql, ticketId: string, memberIds: string[]) =>
  tx.all(Seeing)`
    select id from unnest(${memberIds}::uuid[]) id
    where sees_ticket(current_organization(), current_livemode(), ${ticketId}, id)`

interface NewRow {
  id: string
  ticketId: string
  contactId: string
  authorId: string | null
  body: string
  mentionedIds: string[]
  activityId: string
}

export const insertNote = (tx: TenantTx, note: NewRow) =>
  tx.one(Note)`
    insert into ticket_notes (id, ticket_id, contact_id, author_id, body, mentioned_ids, activity_id)
    values (${note.id}, ${note.ticketId}, ${note.contactId}, ${note.authorId}, ${note.body},
      ${note.mentionedIds}::uuid[], ${note.activityId})
    returning ${columns}`

export const updateNoteRow = (
  tx: TenantTx,
  id: string,
  { body, mentioned_ids }: Pick<Note, 'body' | 'mentioned_ids'>,
) =>
  tx.one(Note)`
    update ticket_notes set body = ${body}, mentioned_ids = ${mentioned_ids}::uuid[], edited_at = now(), updated_at = now()
    where id = ${id}
    returning ${columns}`

export const deleteNoteRow = (tx: TenantTx, id: string) => tx.run`delete from ticket_notes where id = ${id}`

const Gone = Type.Object({ activity_id: Type.String() })

/** Contacts are locked before everything else, in the order of their ids, as by every other transaction. */
export const lockContactsOfOldNotes = (tx: TenantTx, oldestKept: string, limit: number) =>
  tx.run`
    select id from contacts where id = any(array(
      select contact_id from ticket_notes where id < ${oldestKept} order by id limit ${limit}))
    order by id for no key update`

export const deleteOldNotes = (tx: TenantTx, oldestKept: string, limit: number) =>
  tx.all(Gone)`
    delete from ticket_notes where id = any(array(
      select id from ticket_notes where id < ${oldestKept} order by id limit ${limit}))
    returning activity_id`
