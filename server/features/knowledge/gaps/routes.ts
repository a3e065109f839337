import { found } from '../../../platform/errors.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { answerGap } from './answer-gap.ts'
import { dismissGap, reopenClosedGap } from './close-gap.ts'
import { findGap, listGaps } from './queries.ts'
import { Gap, GapAnswer, GapFilter, GapPage, GapPath } from './schema.ts'

const tag = 'Knowledge base'

export function gapRoutes(routes: Routes): void {
  routes.read({
    id: 'listKnowledgeGaps',
    method: 'GET',
    url: '/knowledge-base/gaps',
    tag,
    summary: 'List knowledge gaps',
    description:
      'Questions that agents could not answer or handed off, in groups of one meaning, newest group first. A question appears a moment after it was asked.',
    scope: 'knowledge:read',
    query: GapFilter,
    response: GapPage,
    handler: (sql, { query }) => listGaps(sql, query),
  })

  routes.read({
    id: 'getKnowledgeGap',
    method: 'GET',
    url: '/knowledge-base/gaps/{gap_id}',
    tag,
    summary: 'Get a knowledge gap',
    scope: 'knowledge:read',
    params: GapPath,
    response: Gap,
    handler: async (sql, { params }) => found(await findGap(sql, params.gap_id), 'Knowledge gap'),
  })

  routes.write({
    id: 'answerKnowledgeGap',
    method: 'POST',
    url: '/knowledge-base/gaps/{gap_id}/answer',
    tag,
    summary: 'Answer a knowledge gap',
    description:
      'Creates an FAQ entry with the answer, which agents use as soon as it is indexed. For a reopened gap, replaces the answer of its entry and adds `variants`. 409 if the gap is already answered, or another FAQ has the question.',
    scope: 'knowledge:write',
    params: GapPath,
    body: GapAnswer,
    response: Gap,
    errors: [409],
    handler: (tx, { params, body, principal: { actor } }) =>
      answerGap(tx, { id: params.gap_id, memberId: actor.id }, body),
  })

  for (const [id, verb, close, summary, description] of [
    [
      'dismissKnowledgeGap',
      'dismiss',
      dismissGap,
      'Dismiss a knowledge gap',
      'For questions that need no answer. Later ones with the same meaning join it.',
    ],
    ['reopenKnowledgeGap', 'reopen', reopenClosedGap, 'Reopen a knowledge gap', 'Its FAQ entry, if it has one, stays.'],
  ] as const)
    routes.write({
      id,
      method: 'POST',
      url: `/knowledge-base/gaps/{gap_id}/${verb}`,
      tag,
      summary,
      description,
      scope: 'knowledge:write',
      params: GapPath,
      response: Gap,
      handler: (tx, { params, principal: { actor } }) => close(tx, { id: params.gap_id, memberId: actor.id }),
    })
}
