import { found } from '../../../platform/errors.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { TicketPath } from '../schema.ts'
import type { Checking } from '../sending/incoming-reply.ts'
import { findTicket } from '../tickets/ticket-queries.ts'
import { cancelScheduled, retryScheduled, updateScheduled } from './change-scheduled.ts'
import { findScheduled, listScheduled } from './queries.ts'
import { scheduleMessage } from './schedule-message.ts'
import {
  NewScheduledMessage,
  ScheduledMessage,
  ScheduledMessageChanges,
  ScheduledMessageFilter,
  ScheduledMessagePage,
  ScheduledMessagePath,
} from './schema.ts'

const tag = 'Inbox'
const noun = 'Scheduled message'

export function scheduledMessageRoutes(routes: Routes, deps: Checking): void {
  routes.write({
    id: 'scheduleMessage',
    method: 'POST',
    url: '/inbox/tickets/{inbox_id}/scheduled-messages',
    tag,
    summary: 'Schedule a message',
    description:
      'Sends a message later. The message is created when it is sent. If the contact has not written within 24 hours by then, only a template can be sent: the scheduled message is then `failed`, and a `scheduled_message.failed` event says why.',
    scope: 'inbox:write',
    params: TicketPath,
    body: NewScheduledMessage,
    response: ScheduledMessage,
    status: 201,
    handler: (tx, { params, body, principal: { actor } }) => scheduleMessage(tx, deps, params.inbox_id, body, actor),
  })

  routes.read({
    id: 'listScheduledMessages',
    method: 'GET',
    url: '/inbox/tickets/{inbox_id}/scheduled-messages',
    tag,
    summary: 'List a ticket’s scheduled messages',
    description: 'Newest first, with those that were sent, cancelled or failed.',
    scope: 'inbox:read',
    params: TicketPath,
    query: ScheduledMessageFilter,
    response: ScheduledMessagePage,
    handler: async (sql, { params, query }) => {
      found(await findTicket(sql, params.inbox_id), 'Inbox ticket')
      return listScheduled(sql, params.inbox_id, query)
    },
  })

  routes.read({
    id: 'getScheduledMessage',
    method: 'GET',
    url: '/inbox/scheduled-messages/{scheduled_message_id}',
    tag,
    summary: 'Get a scheduled message',
    scope: 'inbox:read',
    params: ScheduledMessagePath,
    response: ScheduledMessage,
    handler: async (sql, { params }) => found(await findScheduled(sql, params.scheduled_message_id), noun),
  })

  routes.write({
    id: 'updateScheduledMessage',
    method: 'PATCH',
    url: '/inbox/scheduled-messages/{scheduled_message_id}',
    tag,
    summary: 'Update a scheduled message',
    description: 'Changes its text or its time while it is not sent.',
    scope: 'inbox:write',
    params: ScheduledMessagePath,
    body: ScheduledMessageChanges,
    response: ScheduledMessage,
    errors: [409],
    handler: (tx, { params, body }) => updateScheduled(tx, deps, params.scheduled_message_id, body),
  })

  routes.write({
    id: 'cancelScheduledMessage',
    method: 'POST',
    url: '/inbox/scheduled-messages/{scheduled_message_id}/cancel',
    tag,
    summary: 'Cancel a scheduled message',
    description: 'Also discards one that failed. A message that is already being sent answers 409.',
    scope: 'inbox:write',
    params: ScheduledMessagePath,
    response: ScheduledMessage,
    errors: [409],
    handler: (tx, { params }) => cancelScheduled(tx, params.scheduled_message_id),
  })

  routes.write({
    id: 'retryScheduledMessage',
    method: 'POST',
    url: '/inbox/scheduled-messages/{scheduled_message_id}/retry',
    tag,
    summary: 'Retry a scheduled message',
    description: 'Sends one that failed at once. Its status is then `scheduled` until it is sent or fails again.',
    scope: 'inbox:write',
    params: ScheduledMessagePath,
    response: ScheduledMessage,
    errors: [409],
    handler: (tx, { params }) => retryScheduled(tx, params.scheduled_message_id),
  })
}
