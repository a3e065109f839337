import type { Database } from '../../platform/database.ts'
import { conflict, found } from '../../platform/errors.ts'
import { holderOf } from '../../platform/http/principal.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { Deleted, deleted } from '../../platform/schemas.ts'
import type { Addresses } from './carriers/addresses.ts'
import { deleteCall } from './delete-call.ts'
import { endCall } from './ending/end-call.ts'
import { type ListenDependencies, listenToCall } from './listening/listen-to-call.ts'
import { ListeningTicket } from './listening/schema.ts'
import { findCall, listCalls } from './queries.ts'
import { readTranscript } from './read-transcript.ts'
import {
  Call,
  CallFilter,
  CallPage,
  CallPath,
  LiveTranscript,
  LiveTranscriptQuery,
  NewCall,
  NewWebCall,
  WebCall,
} from './schema.ts'
import { type CreateCallDependencies, createCall } from './starting/create-call.ts'
import { type CreateWebCallDependencies, createWebCall } from './starting/create-web-call.ts'

const tag = 'Calls'

export interface CallRouteDependencies extends CreateCallDependencies, CreateWebCallDependencies, ListenDependencies {
  database: Database
  addresses: Addresses
  callsPerOrganization: number
}

export function callRoutes(routes: Routes, deps: CallRouteDependencies): void {
  routes.write({
    id: 'createCall',
    method: 'POST',
    url: '/calls',
    tag,
    summary: 'Create a call',
    description:
      'Returns at once. The call waits for a free slot of the organization and is then dialed at most once. In test mode a simulated person answers; numbers ending in 0110 to 0116 behave in special ways.',
    scope: 'calls:dispatch',
    body: NewCall,
    response: Call,
    status: 201,
    errors: [404, 409],
    handler: (tx, { body }) => createCall(tx, body, deps),
  })

  routes.write({
    id: 'createWebCall',
    method: 'POST',
    url: '/calls/web',
    tag,
    summary: 'Create a browser call',
    description:
      'The token lets one socket join `ws_url` within a minute. Send it as the query parameter `access_token` or as the second WebSocket protocol after `frontdesk`. Binary frames are PCM16 at 16 kHz in both directions; text frames are JSON events.',
    scope: 'calls:dispatch',
    body: NewWebCall,
    response: WebCall,
    status: 201,
    secrets: ['access_token'],
    errors: [404, 409],
    handler: (tx, { body }) => createWebCall(tx, body, deps),
  })

  routes.read({
    id: 'listCalls',
    method: 'GET',
    url: '/calls',
    tag,
    summary: 'List calls',
    scope: 'calls:read',
    query: CallFilter,
    response: CallPage,
    handler: (sql, { query }) => listCalls(sql, query),
  })

  routes.read({
    id: 'getCall',
    method: 'GET',
    url: '/calls/{call_id}',
    tag,
    summary: 'Get a call',
    scope: 'calls:read',
    params: CallPath,
    response: Call,
    handler: async (sql, { params }) => found(await findCall(sql, params.call_id), 'Call'),
  })

  routes.read({
    id: 'getLiveTranscript',
    method: 'GET',
    url: '/calls/{call_id}/transcript',
    tag,
    summary: 'Get a transcript',
    description:
      'Also available while the call is running. To get only new entries, set `after` to the last number you received.',
    scope: 'calls:read',
    params: CallPath,
    query: LiveTranscriptQuery,
    response: LiveTranscript,
    handler: (sql, { params, query }) => readTranscript(sql, params.call_id, query.after),
  })

  routes.write({
    id: 'listenToCall',
    method: 'POST',
    url: '/calls/{call_id}/listen',
    tag,
    summary: 'Listen to a running call',
    description:
      'The token opens `ws_url` within a minute. The first message is JSON with the `encoding` of the call; each binary message is a frame of 20 ms, whose first byte is 0 for the caller and 1 for the agent. The listener is not heard on the call. The audit log records it. The socket closes with 4410 when the call is over, and with 4409 if another node holds the call: connect again. It closes with 4403 within five seconds once you may no longer listen.',
    scope: 'calls:listen',
    params: CallPath,
    response: ListeningTicket,
    status: 201,
    secrets: ['access_token'],
    errors: [409],
    handler: (tx, { params, principal }) => listenToCall(tx, params.call_id, holderOf(principal), deps),
  })

  routes.callOut({
    id: 'endCall',
    method: 'POST',
    url: '/calls/{call_id}/end',
    tag,
    summary: 'End a call',
    description:
      'A call in conversation ends a moment later, once its transcript is stored. A call that has already ended does not change.',
    scope: 'calls:dispatch',
    params: CallPath,
    response: Call,
    errors: [404, 502],
    handler: ({ params, principal }) => endCall(principal.scope, params.call_id, deps),
  })

  routes.write({
    id: 'deleteCall',
    method: 'DELETE',
    url: '/calls/{call_id}',
    tag,
    summary: 'Delete a call',
    description: 'Deletes its transcript and recording too. End a running call first.',
    scope: 'full_access',
    params: CallPath,
    response: Deleted,
    errors: [404, 409],
    handler: async (tx, { params }) => {
      const outcome = await deleteCall(tx, params.call_id)
      if (outcome === 'runs') throw conflict('This call is in progress: end it first')
      return deleted('Call')
    },
  })
}
