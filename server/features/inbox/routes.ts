import Type from 'typebox'
import { AppError, found } from '../../platform/errors.ts'
import { Answer } from '../../platform/http/answer.ts'
import { answerFile } from '../../platform/http/file-answer.ts'
import { idempotencyKey } from '../../platform/http/idempotency.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { onceAround } from '../../platform/http/run-once.ts'
import { receiveFile } from '../../platform/http/upload.ts'
import type { LiveHints } from '../../platform/live-hints.ts'
import type { OutboundHttp } from '../../platform/outbound-fetch.ts'
import { TagFilter } from '../contacts/lists/schema.ts'
import { TemplatePath } from '../templates/schema.ts'
import { largestMediaBytes } from './media/media-types.ts'
import { openMedia } from './media/open-media.ts'
import { pageOfMessages } from './messages/list-messages.ts'
import { reactToMessage } from './messages/react-to-message.ts'
import { MediaPath, Message, MessageFilter, MessagePage, MessagePath, Reaction } from './messages/schema.ts'
import { noteRoutes } from './notes/routes.ts'
import { announcePresence } from './presence/announce-presence.ts'
import { Presence } from './presence/schema.ts'
import { savedReplyRoutes } from './saved-replies/routes.ts'
import { TicketPath } from './schema.ts'
import { replyFromForm, replyFromJson } from './sending/incoming-reply.ts'
import { NewMessage, NewMessageForm, TestSend } from './sending/schema.ts'
import { type Sending, sendMessage } from './sending/send-message.ts'
import { testTemplate } from './sending/test-template.ts'
import { createTicket } from './tickets/create-ticket.ts'
import { pageOfTickets } from './tickets/list-tickets.ts'
import { countQueues, listTicketTags } from './tickets/queue-queries.ts'
import { readTicket } from './tickets/read-ticket.ts'
import {
  BulkTicketChanges,
  BulkTicketResult,
  NewTicket,
  QueueCounts,
  Ticket,
  TicketChanges,
  TicketFilter,
  TicketPage,
  TicketTags,
  TicketWithContact,
} from './tickets/schema.ts'
import { findTicket } from './tickets/ticket-queries.ts'
import { updateTicket, updateTickets } from './tickets/update-ticket.ts'
import { viewRoutes } from './views/routes.ts'

const tag = 'Inbox'

export function inboxRoutes(routes: Routes, deps: Sending & { outbound: OutboundHttp; liveHints: LiveHints }): void {
  const { database, mediaAddress } = deps

  routes.write({
    id: 'createTicket',
    method: 'POST',
    url: '/inbox/tickets',
    tag,
    summary: 'Open a ticket',
    description:
      'If the contact has an open ticket, the most recently active one is returned with 200. For a member whose access does not cover it, the response is 409; a ticket that such a member opens is assigned to them.',
    scope: 'inbox:write',
    body: NewTicket,
    response: TicketWithContact,
    status: 201,
    otherStatus: 200,
    errors: [404, 409],
    handler: async (tx, { body, principal: { actor } }) => {
      const { ticket, isNew } = await createTicket(tx, body.contact_id, actor.id)
      return isNew ? ticket : new Answer(200, ticket)
    },
  })

  routes.read({
    id: 'listTickets',
    method: 'GET',
    url: '/inbox/tickets',
    tag,
    summary: 'List tickets',
    description: 'Most recently active first by default.',
    scope: 'inbox:read',
    query: TicketFilter,
    response: TicketPage,
    handler: (sql, { query, principal: { actor } }) => pageOfTickets(sql, query, actor.id),
  })

  routes.read({
    id: 'countQueues',
    method: 'GET',
    url: '/inbox/queues',
    tag,
    summary: 'Count the tickets of each queue',
    description:
      'The queues are described at the parameter `queue` of the ticket list. `mine` are those of the caller.',
    scope: 'inbox:read',
    response: QueueCounts,
    handler: (sql, { principal: { actor } }) => countQueues(sql, actor.id),
  })

  routes.read({
    id: 'listTicketTags',
    method: 'GET',
    url: '/inbox/tags',
    tag,
    summary: 'List the tags of tickets',
    description: 'Most used first.',
    scope: 'inbox:read',
    query: TagFilter,
    response: TicketTags,
    handler: async (sql, { query }) => ({ tags: await listTicketTags(sql, query) }),
  })

  routes.write({
    id: 'updateTickets',
    method: 'POST',
    url: '/inbox/tickets/bulk',
    tag,
    summary: 'Update several tickets',
    description:
      'Closes, reopens, assigns, passes to a team, snoozes, tags or prioritizes up to 500 tickets. Tickets that cannot change are listed in `failed`; the others change.',
    scope: 'inbox:write',
    body: BulkTicketChanges,
    response: BulkTicketResult,
    errors: [404],
    handler: (tx, { body }) => updateTickets(tx, body),
  })

  routes.read({
    id: 'getTicket',
    method: 'GET',
    url: '/inbox/tickets/{inbox_id}',
    tag,
    summary: 'Get a ticket',
    scope: 'inbox:read',
    params: TicketPath,
    response: TicketWithContact,
    handler: async (sql, { params }) => found(await findTicket(sql, params.inbox_id), 'Inbox ticket'),
  })

  routes.write({
    id: 'updateTicket',
    method: 'PATCH',
    url: '/inbox/tickets/{inbox_id}',
    tag,
    summary: 'Update a ticket',
    description:
      'Use it to close, reopen, assign, pass to a team, snooze, tag or prioritize the ticket. A closed ticket cannot be snoozed (409).',
    scope: 'inbox:write',
    params: TicketPath,
    body: TicketChanges,
    response: Ticket,
    errors: [409],
    handler: (tx, { params, body }) => updateTicket(tx, params.inbox_id, body),
  })

  routes.write({
    id: 'readTicket',
    method: 'POST',
    url: '/inbox/tickets/{inbox_id}/read',
    tag,
    summary: 'Mark a ticket’s messages as seen',
    description: 'The contact sees it too, once the platform has been notified.',
    scope: 'inbox:write',
    params: TicketPath,
    response: Ticket,
    handler: (tx, { params }) => readTicket(tx, params.inbox_id, deps),
  })

  routes.read({
    id: 'announcePresence',
    method: 'POST',
    url: '/inbox/tickets/{inbox_id}/presence',
    tag,
    summary: 'Say that you are viewing a ticket or typing',
    description:
      'Other members receive the hint `presence.changed` in event streams opened with `hints=true`. It is not stored: repeat the request every ten seconds, and forget members who have not repeated it for 25 seconds.',
    scope: 'inbox:read',
    peopleOnly: true,
    params: TicketPath,
    body: Presence,
    response: Presence,
    errors: [403],
    handler: async (sql, { params, body, principal: { person } }) => {
      if (!person) throw new AppError(403, 'Only people view conversations')
      const { userId: memberId } = person
      await announcePresence(sql, deps.liveHints, { ticketId: params.inbox_id, memberId, state: body.state })
      return body
    },
  })

  routes.read({
    id: 'listMessages',
    method: 'GET',
    url: '/inbox/messages/{inbox_id}',
    tag,
    summary: 'List a ticket’s messages',
    description: 'Oldest first by default.',
    scope: 'inbox:read',
    params: TicketPath,
    query: MessageFilter,
    response: MessagePage,
    handler: (sql, { params, query }) => pageOfMessages(sql, params.inbox_id, query, mediaAddress),
  })

  routes.stream({
    id: 'sendMessage',
    method: 'POST',
    url: '/inbox/messages/{inbox_id}',
    tag,
    summary: 'Send a message',
    description:
      'Sends a free-form message, which the platform accepts within 24 hours of the contact’s last message. After that it accepts only templates (409), which you send with `template_id`. Send a file as a form, or have it fetched from `media_url`. A message that the platform refuses is stored as `failed`; the 502 has its `message_id`. A reply by a person takes the contact over from the AI.',
    scope: 'inbox:write',
    params: TicketPath,
    body: NewMessage,
    form: NewMessageForm,
    response: Message,
    status: 201,
    errors: [409, 502],
    idempotent: true,
    handler: async ({ params, body, request, reply, principal: { scope, actor } }) => {
      const key = idempotencyKey(request)
      const incoming = request.isMultipart()
        ? await replyFromForm(deps, scope, (store) => receiveFile(request, largestMediaBytes, store))
        : replyFromJson(deps, scope, body)
      const send = () => sendMessage(deps, scope, params.inbox_id, incoming.reply, { actor, ...incoming })
      try {
        if (key === undefined) return await send()
        return await onceAround(database, request, reply, key, { status: 201 }, send, incoming.bodyHash)
      } finally {
        await incoming.settle()
      }
    },
  })

  routes.callOut({
    id: 'testTemplate',
    method: 'POST',
    url: '/templates/{template_id}/test-send',
    tag: 'Templates',
    summary: 'Send a template to yourself',
    description:
      'Sends an approved template to the number of a contact, to see it on a phone. It is a message of the contact’s conversation, counts in no campaign, and leaves the AI in charge. A number that no contact has is refused with 400 and the `code` `no_contact`.',
    scope: 'campaigns:manage',
    params: TemplatePath,
    body: TestSend,
    response: Message,
    status: 201,
    errors: [400, 404, 409, 502],
    handler: ({ params, body, principal: { scope, actor } }) =>
      testTemplate(deps, scope, params.template_id, body, actor),
  })

  routes.callOut({
    id: 'reactToMessage',
    method: 'POST',
    url: '/inbox/messages/{inbox_id}/{message_id}/reaction',
    tag,
    summary: 'React to a message',
    scope: 'inbox:write',
    params: MessagePath,
    body: Reaction,
    response: Message,
    errors: [409, 502],
    handler: ({ params, body, principal: { scope } }) =>
      reactToMessage(deps, scope, { ticketId: params.inbox_id, messageId: params.message_id, emoji: body.emoji }),
  })

  routes.stream({
    id: 'getMedia',
    method: 'GET',
    url: '/inbox/media/{media_id}',
    tag,
    summary: 'Download a file',
    description:
      'Supports `Range`. A file that is still being fetched from the platform returns 409, a file that the platform has lost 404.',
    scope: 'inbox:read',
    params: MediaPath,
    response: Type.String({ format: 'binary', description: 'The file' }),
    contentType: 'application/octet-stream',
    errors: [409, 416],
    handler: async ({ params, request, reply, principal: { scope } }) =>
      answerFile(request, reply, await openMedia(database.forTenant(scope), params.media_id, deps)),
  })

  noteRoutes(routes)
  viewRoutes(routes)
  savedReplyRoutes(routes, deps)
}
