import { untilDisconnected } from '../../platform/http/disconnected.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { TicketPath } from '../inbox/schema.ts'
import { Draft, NewDraft } from './schema.ts'
import { type Drafting, writeDraft } from './write-draft.ts'

export function draftRoutes(routes: Routes, deps: Drafting): void {
  routes.callOut({
    id: 'createDraft',
    method: 'POST',
    url: '/inbox/tickets/{inbox_id}/drafts',
    tag: 'Inbox',
    summary: 'Draft a reply, a summary or a translation',
    description:
      'Writes a text for a member to check. Nothing is sent, and no message or note is created. A reply uses the instructions, the model and the knowledge base of the agent on the ticket’s channel, or of the oldest active agent with a model, and calls no tools. In test mode no hosted model is called: a reply quotes the knowledge base, a summary quotes the messages, and a translation is the text itself, marked with the language.',
    scope: 'inbox:write',
    params: TicketPath,
    body: NewDraft,
    response: Draft,
    errors: [409, 502],
    handler: ({ params, body, principal: { scope }, reply }) =>
      writeDraft(
        deps,
        scope,
        params.inbox_id,
        body,
        AbortSignal.any([AbortSignal.timeout(longestDraftMs), untilDisconnected(reply)]),
      ),
  })
}

/** A member waits for it. */
const longestDraftMs = 60_000
