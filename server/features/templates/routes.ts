import Type from 'typebox'
import { found } from '../../platform/errors.ts'
import { answerFile } from '../../platform/http/file-answer.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { receiveFile } from '../../platform/http/upload.ts'
import { Deleted, deleted } from '../../platform/schemas.ts'
import { createTemplate } from './create-template.ts'
import { deleteTemplate } from './delete-template.ts'
import { createFromLibrary } from './library/create-from-library.ts'
import {
  LibraryChannel,
  LibraryChoice,
  LibraryFilter,
  LibraryPage,
  LibraryPath,
  LibraryReply,
} from './library/library-schema.ts'
import { listLibrary } from './library/list-library.ts'
import { deleteMedia } from './media/delete-media.ts'
import { listMedia } from './media/media-queries.ts'
import {
  TemplateMedia,
  TemplateMediaFilter,
  TemplateMediaForm,
  TemplateMediaPage,
  TemplateMediaPath,
} from './media/media-schema.ts'
import { openMedia } from './media/open-media.ts'
import { largestHeaderBytes, type MediaDependencies, receiveMedia } from './media/receive-media.ts'
import { findTemplateRow } from './queries.ts'
import { readTemplates } from './read-templates.ts'
import { preflightTemplate } from './registering/preflight-template.ts'
import {
  CreatedTemplate,
  DeleteOptions,
  NewTemplate,
  Template,
  TemplateFilter,
  TemplatePage,
  TemplatePath,
  TemplatePreflight,
} from './schema.ts'
import { SyncChoice, SyncReport } from './syncing/schema.ts'
import { syncTemplates } from './syncing/sync-templates.ts'

const tag = 'Templates'
const scope = 'campaigns:manage'
const narrowerScope = 'campaigns:read'

export function templateRoutes(routes: Routes, deps: MediaDependencies): void {
  const { database, chatConnections } = deps

  routes.read({
    id: 'listTemplates',
    method: 'GET',
    url: '/templates',
    tag,
    summary: 'List templates',
    description: 'Newest first.',
    scope,
    narrowerScope,
    query: TemplateFilter,
    response: TemplatePage,
    handler: (sql, { query }) => readTemplates(sql, query),
  })

  routes.write({
    id: 'createTemplate',
    method: 'POST',
    url: '/templates',
    tag,
    summary: 'Create a template',
    description:
      'Stored at once and registered with the platform in the background; `status` shows the platform’s verdict. `warnings` lists platform rules that the template seems to break. A name can be used once per language in a business account.',
    scope,
    body: NewTemplate,
    response: CreatedTemplate,
    status: 201,
    errors: [404],
    handler: (tx, { body }) => createTemplate(tx, body, deps),
  })

  routes.read({
    id: 'preflightTemplate',
    method: 'POST',
    url: '/templates/preflight',
    tag,
    summary: 'Validate a template',
    description:
      'Accepts the same body as creating a template, stores nothing and calls no platform. Returns platform rules that the template seems to break, and whether its name is taken.',
    scope,
    body: NewTemplate,
    response: TemplatePreflight,
    errors: [404],
    handler: (sql, { body }) => preflightTemplate(sql, body, deps),
  })

  routes.stream({
    id: 'uploadTemplateMedia',
    method: 'POST',
    url: '/templates/media',
    tag,
    summary: 'Upload a file for headers',
    description:
      'Stores a picture, video or PDF and uploads it to the platform as a sample. The `handle` goes into the header of a new template, the `id` into `template_variables` of its messages. The file is kept until you delete it, until the last template with its `handle` is deleted, or until the retention of media has passed and neither a template nor an unfinished campaign uses it. An upload to the platform that breaks off is resumed; if that fails too, the response is 502 and nothing is stored.',
    scope,
    form: TemplateMediaForm,
    response: TemplateMedia,
    status: 201,
    errors: [404, 409, 413, 502],
    handler: async ({ request, reply, principal }) => {
      reply.code(201)
      return receiveMedia(deps, principal.scope, (store) => receiveFile(request, largestHeaderBytes, store))
    },
  })

  routes.read({
    id: 'listTemplateMedia',
    method: 'GET',
    url: '/templates/media',
    tag,
    summary: 'List files for headers',
    description: 'Newest first.',
    scope,
    narrowerScope,
    query: TemplateMediaFilter,
    response: TemplateMediaPage,
    handler: (sql, { query }) => listMedia(sql, query),
  })

  routes.write({
    id: 'deleteTemplateMedia',
    method: 'DELETE',
    url: '/templates/media/{media_id}',
    tag,
    summary: 'Delete a file for headers',
    description:
      'Messages can no longer send the file. Templates that used it as a sample do not change. 409 while an unfinished campaign sends it.',
    scope,
    params: TemplateMediaPath,
    response: Deleted,
    errors: [409],
    handler: (tx, { params }) => deleteMedia(tx, params.media_id).then(() => deleted('Media')),
  })

  routes.stream({
    id: 'downloadTemplateMedia',
    method: 'GET',
    url: '/templates/media/{media_id}/download',
    tag,
    summary: 'Download a file for headers',
    description: 'Supports `Range`.',
    scope,
    narrowerScope,
    params: TemplateMediaPath,
    response: Type.String({ format: 'binary', description: 'The file' }),
    contentType: 'application/octet-stream',
    errors: [416],
    handler: async ({ params, request, reply, principal }) =>
      answerFile(request, reply, await openMedia(database.forTenant(principal.scope), params.media_id, deps)),
  })

  routes.callOut({
    id: 'listTemplateLibrary',
    method: 'GET',
    url: '/templates/library',
    tag,
    summary: 'List library templates',
    scope,
    narrowerScope,
    query: LibraryFilter,
    response: LibraryPage,
    errors: [404, 409, 502],
    handler: ({ query, principal }) => listLibrary(database.forTenant(principal.scope), chatConnections, query),
  })

  routes.callOut({
    id: 'createTemplateFromLibrary',
    method: 'POST',
    url: '/templates/library/{template_id}/create',
    tag,
    summary: 'Create a template from the library',
    description:
      'The platform creates the template at once, mostly without a review. Returns the platform’s response, and stores the template. If a 502 leaves open whether the platform created it, a sync within two minutes shows it.',
    scope,
    params: LibraryPath,
    query: LibraryChannel,
    body: LibraryChoice,
    response: LibraryReply,
    status: 201,
    errors: [502],
    handler: ({ params, query, body, principal }) =>
      createFromLibrary(deps, principal.scope, params.template_id, { channelId: query.channel_id, choice: body }),
  })

  routes.callOut({
    id: 'syncTemplates',
    method: 'POST',
    url: '/templates/sync',
    tag,
    summary: 'Sync templates',
    description:
      'Also runs every 15 minutes and when the platform reports a change. Without `channel_id` every business account is read. An account that cannot be read is listed in `failures`; the response is 502 only if none can be read.',
    scope,
    body: SyncChoice,
    response: SyncReport,
    errors: [404, 502],
    handler: ({ body, principal }) => syncTemplates(deps, principal.scope, body.channel_id),
  })

  routes.read({
    id: 'getTemplate',
    method: 'GET',
    url: '/templates/{template_id}',
    tag,
    summary: 'Get a template',
    scope,
    narrowerScope,
    params: TemplatePath,
    response: Template,
    handler: async (sql, { params }) => found(await findTemplateRow(sql, params.template_id), 'Template'),
  })

  routes.callOut({
    id: 'deleteTemplate',
    method: 'DELETE',
    url: '/templates/{template_id}',
    tag,
    summary: 'Delete a template',
    description:
      'Deletes the template at the platform first, in this language only, then in Frontdesk. If the platform refuses or cannot be reached, the response is 502 and the template stays. If the platform no longer has the template, it is deleted in Frontdesk.',
    scope,
    params: TemplatePath,
    query: DeleteOptions,
    response: Deleted,
    errors: [409, 502],
    handler: ({ params, query, principal }) =>
      deleteTemplate(deps, principal.scope, params.template_id, { localOnly: query.local_only }).then(() =>
        deleted('Template'),
      ),
  })
}
