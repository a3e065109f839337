import { found, notFound } from '../../../platform/errors.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { Deleted, deleted } from '../../../platform/schemas.ts'
import { TicketPath } from '../schema.ts'
import { pageFigures } from '../tickets/list-tickets.ts'
import { findNote, listNotes } from './queries.ts'
import { NewNote, Note, NoteChanges, NoteFilter, NotePage, NotePath } from './schema.ts'
import { createNote, deleteNote, updateNote } from './write-note.ts'

const tag = 'Inbox'

export function noteRoutes(routes: Routes): void {
  routes.read({
    id: 'listNotes',
    method: 'GET',
    url: '/inbox/tickets/{inbox_id}/notes',
    tag,
    summary: 'List a ticket’s notes',
    description: 'Oldest first. Notes are for members: they are not among the messages and are never sent.',
    scope: 'inbox:read',
    params: TicketPath,
    query: NoteFilter,
    response: NotePage,
    handler: async (sql, { params, query }) => {
      const rows = await listNotes(sql, params.inbox_id, query)
      if (!rows[0]) throw notFound('Inbox ticket')
      const notes = rows.filter(({ id }) => id !== null)
      return { ...pageFigures(query, notes.length, rows[0].total), notes }
    },
  })

  routes.write({
    id: 'createNote',
    method: 'POST',
    url: '/inbox/tickets/{inbox_id}/notes',
    tag,
    summary: 'Add a note',
    description:
      'Adds a note for members to the ticket, and a `note_added` activity to the contact’s timeline. The event `note.created` names the mentioned members.',
    scope: 'inbox:write',
    params: TicketPath,
    body: NewNote,
    response: Note,
    status: 201,
    handler: (tx, { params, body, principal }) => createNote(tx, params.inbox_id, body, principal.actor),
  })

  routes.read({
    id: 'getNote',
    method: 'GET',
    url: '/inbox/tickets/{inbox_id}/notes/{note_id}',
    tag,
    summary: 'Get a note',
    scope: 'inbox:read',
    params: NotePath,
    response: Note,
    handler: async (sql, { params }) => found(await findNote(sql, params.inbox_id, params.note_id), 'Note'),
  })

  routes.write({
    id: 'updateNote',
    method: 'PATCH',
    url: '/inbox/tickets/{inbox_id}/notes/{note_id}',
    tag,
    summary: 'Edit a note',
    description: 'Only its author can. The contact’s timeline shows the new text.',
    scope: 'inbox:write',
    params: NotePath,
    body: NoteChanges,
    response: Note,
    handler: (tx, { params: { inbox_id: ticketId, note_id: noteId }, body, principal: { actor } }) =>
      updateNote(tx, { ticketId, noteId, actor }, body),
  })

  routes.write({
    id: 'deleteNote',
    method: 'DELETE',
    url: '/inbox/tickets/{inbox_id}/notes/{note_id}',
    tag,
    summary: 'Delete a note',
    description: 'Only its author can. It disappears from the contact’s timeline too.',
    scope: 'inbox:write',
    params: NotePath,
    response: Deleted,
    handler: async (tx, { params: { inbox_id: ticketId, note_id: noteId }, principal: { actor } }) => {
      await deleteNote(tx, { ticketId, noteId, actor })
      return deleted('Note')
    },
  })
}
