import type { Routes } from '../../../platform/http/routes.ts'
import { Message, MessagePath } from '../messages/schema.ts'
import { pageOfRatedMessages, rateMessage } from './rate-message.ts'
import { FeedbackFilter, NewFeedback, RatedMessagePage } from './schema.ts'

const tag = 'Inbox'

export function feedbackRoutes(routes: Routes, { mediaAddress }: { mediaAddress: string }): void {
  routes.read({
    id: 'listRatedMessages',
    method: 'GET',
    url: '/inbox/feedback',
    tag,
    summary: 'List rated answers',
    description: 'Answers of agents that members rated, newest first.',
    scope: 'inbox:read',
    query: FeedbackFilter,
    response: RatedMessagePage,
    handler: (sql, { query }) => pageOfRatedMessages(sql, query, mediaAddress),
  })

  routes.write({
    id: 'rateMessage',
    method: 'PUT',
    url: '/inbox/messages/{inbox_id}/{message_id}/feedback',
    tag,
    summary: 'Rate an agent’s answer',
    description: 'Replaces the rating that the message has. 409 for a message that no agent wrote.',
    scope: 'inbox:write',
    params: MessagePath,
    body: NewFeedback,
    response: Message,
    errors: [409],
    handler: (tx, { params, body, principal: { actor } }) =>
      rateMessage(tx, params, { memberId: actor.id, given: body, mediaAddress }),
  })

  routes.write({
    id: 'removeMessageRating',
    method: 'DELETE',
    url: '/inbox/messages/{inbox_id}/{message_id}/feedback',
    tag,
    summary: 'Remove the rating of an answer',
    scope: 'inbox:write',
    params: MessagePath,
    response: Message,
    errors: [409],
    handler: (tx, { params, principal: { actor } }) =>
      rateMessage(tx, params, { memberId: actor.id, given: null, mediaAddress }),
  })
}
