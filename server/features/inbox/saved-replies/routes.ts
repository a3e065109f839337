import Type from 'typebox'
import type { Database } from '../../../platform/database.ts'
import { found } from '../../../platform/errors.ts'
import { answerFile } from '../../../platform/http/file-answer.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { receiveFile } from '../../../platform/http/upload.ts'
import { Deleted, deleted } from '../../../platform/schemas.ts'
import type { FileStore } from '../../../providers/files/contract.ts'
import { largestMediaBytes } from '../media/media-types.ts'
import { openAttachment, removeAttachment, storeAttachment } from './attachments.ts'
import { findSavedReply, listSavedReplies } from './queries.ts'
import {
  AttachmentForm,
  AttachmentPath,
  mostAttachments,
  NewSavedReply,
  SavedReply,
  SavedReplyChanges,
  SavedReplyFilter,
  SavedReplyPage,
  SavedReplyPath,
} from './schema.ts'
import { createSavedReply, deleteSavedReply, updateSavedReply } from './write-saved-reply.ts'

const tag = 'Saved replies'
const noun = 'Saved reply'

export function savedReplyRoutes(routes: Routes, deps: { database: Database; files: FileStore }): void {
  routes.read({
    id: 'listSavedReplies',
    method: 'GET',
    url: '/inbox/saved-replies',
    tag,
    summary: 'List saved replies',
    description: 'Shared ones and your own, newest first.',
    scope: 'inbox:read',
    query: SavedReplyFilter,
    response: SavedReplyPage,
    handler: (sql, { query, principal: { actor } }) => listSavedReplies(sql, actor.id, query),
  })

  routes.write({
    id: 'createSavedReply',
    method: 'POST',
    url: '/inbox/saved-replies',
    tag,
    summary: 'Create a saved reply',
    description: 'A name is unique among the shared ones, and among your private ones (409).',
    scope: 'inbox:write',
    body: NewSavedReply,
    response: SavedReply,
    status: 201,
    errors: [409],
    handler: (tx, { body, principal: { actor } }) => createSavedReply(tx, actor.id, body),
  })

  routes.read({
    id: 'getSavedReply',
    method: 'GET',
    url: '/inbox/saved-replies/{saved_reply_id}',
    tag,
    summary: 'Get a saved reply',
    scope: 'inbox:read',
    params: SavedReplyPath,
    response: SavedReply,
    handler: async (sql, { params, principal: { actor } }) =>
      found(await findSavedReply(sql, actor.id, params.saved_reply_id), noun),
  })

  routes.write({
    id: 'updateSavedReply',
    method: 'PATCH',
    url: '/inbox/saved-replies/{saved_reply_id}',
    tag,
    summary: 'Update a saved reply',
    description: 'A reply that stops being shared becomes yours.',
    scope: 'inbox:write',
    params: SavedReplyPath,
    body: SavedReplyChanges,
    response: SavedReply,
    errors: [409],
    handler: (tx, { params, body, principal: { actor } }) =>
      updateSavedReply(tx, actor.id, params.saved_reply_id, body),
  })

  routes.write({
    id: 'deleteSavedReply',
    method: 'DELETE',
    url: '/inbox/saved-replies/{saved_reply_id}',
    tag,
    summary: 'Delete a saved reply',
    scope: 'inbox:write',
    params: SavedReplyPath,
    response: Deleted,
    handler: (tx, { params, principal: { actor } }) =>
      deleteSavedReply(tx, actor.id, params.saved_reply_id).then(() => deleted(noun)),
  })

  routes.stream({
    id: 'addSavedReplyAttachment',
    method: 'POST',
    url: '/inbox/saved-replies/{saved_reply_id}/attachments',
    tag,
    summary: 'Add an attachment',
    description: `Up to ${mostAttachments} files (409 above). The same files are accepted as in messages. Each is sent as a separate message.`,
    scope: 'inbox:write',
    params: SavedReplyPath,
    form: AttachmentForm,
    response: SavedReply,
    status: 201,
    errors: [409, 413],
    handler: ({ params: { saved_reply_id: id }, request, principal: { scope, actor } }) =>
      storeAttachment(deps, scope, { memberId: actor.id, id, replacesFirst: false }, (store) =>
        receiveFile(request, largestMediaBytes, store),
      ),
  })

  routes.stream({
    id: 'downloadSavedReplyAttachment',
    method: 'GET',
    url: '/inbox/saved-replies/{saved_reply_id}/attachments/{attachment_id}',
    tag,
    summary: 'Download an attachment',
    description: 'Supports `Range`.',
    scope: 'inbox:read',
    params: AttachmentPath,
    response: Type.String({ format: 'binary', description: 'The file' }),
    contentType: 'application/octet-stream',
    errors: [416],
    handler: async ({ params, request, reply, principal: { scope, actor } }) =>
      answerFile(request, reply, await openAttachment(deps.database.forTenant(scope), deps, refOf(actor.id, params))),
  })

  routes.write({
    id: 'removeSavedReplyAttachment',
    method: 'DELETE',
    url: '/inbox/saved-replies/{saved_reply_id}/attachments/{attachment_id}',
    tag,
    summary: 'Remove an attachment',
    scope: 'inbox:write',
    params: AttachmentPath,
    response: SavedReply,
    handler: (tx, { params, principal: { actor } }) => removeAttachment(tx, refOf(actor.id, params)),
  })

  routes.stream({
    id: 'putSavedReplyAttachment',
    method: 'PUT',
    url: '/inbox/saved-replies/{saved_reply_id}/attachment',
    tag,
    summary: 'Replace the first attachment',
    description:
      'For saved replies with one file: adds it, or replaces the first. The same files are accepted as in messages.',
    scope: 'inbox:write',
    params: SavedReplyPath,
    form: AttachmentForm,
    response: SavedReply,
    errors: [413],
    handler: ({ params: { saved_reply_id: id }, request, principal: { scope, actor } }) =>
      storeAttachment(deps, scope, { memberId: actor.id, id, replacesFirst: true }, (store) =>
        receiveFile(request, largestMediaBytes, store),
      ),
  })

  routes.stream({
    id: 'getSavedReplyAttachment',
    method: 'GET',
    url: '/inbox/saved-replies/{saved_reply_id}/attachment',
    tag,
    summary: 'Download the first attachment',
    description: 'Supports `Range`.',
    scope: 'inbox:read',
    params: SavedReplyPath,
    response: Type.String({ format: 'binary', description: 'The file' }),
    contentType: 'application/octet-stream',
    errors: [416],
    handler: async ({ params: { saved_reply_id: id }, request, reply, principal: { scope, actor } }) =>
      answerFile(
        request,
        reply,
        await openAttachment(deps.database.forTenant(scope), deps, { memberId: actor.id, id }),
      ),
  })

  routes.write({
    id: 'deleteSavedReplyAttachment',
    method: 'DELETE',
    url: '/inbox/saved-replies/{saved_reply_id}/attachment',
    tag,
    summary: 'Remove the first attachment',
    scope: 'inbox:write',
    params: SavedReplyPath,
    response: SavedReply,
    handler: (tx, { params: { saved_reply_id: id }, principal: { actor } }) =>
      removeAttachment(tx, { memberId: actor.id, id }),
  })
}

const refOf = (memberId: string | null, params: { saved_reply_id: string; attachment_id: string }) => ({
  memberId,
  id: params.saved_reply_id,
  attachmentId: params.attachment_id,
})
