import Type from 'typebox'
import type { Database } from '../../platform/database.ts'
import { found } from '../../platform/errors.ts'
import { answerFile } from '../../platform/http/file-answer.ts'
import { anyScope, fullAccess, refuseTestKey } from '../../platform/http/principal.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { PersonalTable } from '../../platform/personal-data.ts'
import { IdOf } from '../../platform/schemas.ts'
import type { FileStore } from '../../providers/files/contract.ts'
import { describeSettings } from './describe-settings.ts'
import { findErasure, listErasures } from './erasure/queries.ts'
import { requestErasure } from './erasure/request-erasure.ts'
import { openExport } from './exports/open-export.ts'
import { findExport } from './exports/queries.ts'
import { requestExport } from './exports/request-export.ts'
import { findSettings, saveSettings } from './queries.ts'
import { Erasure, ErasureFilter, ErasurePage, PersonExport, PrivacyChanges, PrivacySettings } from './schema.ts'

const tag = 'Privacy'

const ContactPath = Type.Object({ contact_id: IdOf('Contact') })
const ErasurePath = Type.Object({ erasure_id: IdOf('Erasure') })
const ExportPath = Type.Object({ export_id: IdOf('Export') })

interface PrivacyDependencies {
  database: Database
  files: FileStore
  personalData: PersonalTable[]
}

export function privacyRoutes(routes: Routes, { database, files, personalData: tables }: PrivacyDependencies): void {
  routes.read({
    id: 'getPrivacySettings',
    method: 'GET',
    url: '/privacy',
    tag,
    summary: 'Get the privacy settings',
    scope: anyScope,
    response: PrivacySettings,
    handler: async (sql) => describeSettings(await findSettings(sql)),
  })

  routes.write({
    id: 'updatePrivacySettings',
    method: 'PATCH',
    url: '/privacy',
    tag,
    summary: 'Update the privacy settings',
    description:
      'Changes only the fields that you send. Records past a new limit are deleted within about an hour, in both modes, without an event for each.',
    scope: fullAccess,
    body: PrivacyChanges,
    response: PrivacySettings,
    handler: async (tx, { body, principal }) => {
      refuseTestKey(principal, 'The privacy settings hold for live mode too')
      return describeSettings(await saveSettings(tx, body))
    },
  })

  routes.write({
    id: 'eraseContact',
    method: 'POST',
    url: '/contacts/{contact_id}/erase',
    tag,
    summary: 'Erase everything about a contact',
    description:
      'Deletes the contact with its activities, tasks, conversations, files, events and webhook logs, and everything about it in calls and campaign deliveries. Runs in the background and cannot be undone. If asked again, returns the same erasure.',
    scope: fullAccess,
    params: ContactPath,
    response: Erasure,
    status: 202,
    errors: [409],
    handler: (tx, { params, principal: { actor } }) => requestErasure(tx, params.contact_id, { actor, tables }),
  })

  routes.read({
    id: 'listErasures',
    method: 'GET',
    url: '/privacy/erasures',
    tag,
    summary: 'List erasures',
    description: 'Newest first.',
    scope: fullAccess,
    query: ErasureFilter,
    response: ErasurePage,
    handler: (sql, { query }) => listErasures(sql, query),
  })

  routes.read({
    id: 'getErasure',
    method: 'GET',
    url: '/privacy/erasures/{erasure_id}',
    tag,
    summary: 'Get an erasure',
    description: 'The progress and, at the end, the proof: what was deleted, when, and who asked.',
    scope: fullAccess,
    params: ErasurePath,
    response: Erasure,
    handler: async (sql, { params }) => found(await findErasure(sql, params.erasure_id), 'Erasure'),
  })

  routes.write({
    id: 'exportContact',
    method: 'POST',
    url: '/contacts/{contact_id}/export',
    tag,
    summary: 'Export everything about a contact',
    description:
      'Writes a ZIP in the background: a JSON file for each kind of record, and the files and recordings. Poll the export until it is `completed`, then download it within a week.',
    scope: fullAccess,
    params: ContactPath,
    response: PersonExport,
    status: 202,
    handler: (tx, { params, principal: { actor } }) => requestExport(tx, params.contact_id, actor),
  })

  routes.read({
    id: 'getExport',
    method: 'GET',
    url: '/privacy/exports/{export_id}',
    tag,
    summary: 'Get an export',
    scope: fullAccess,
    params: ExportPath,
    response: PersonExport,
    handler: async (sql, { params }) => found(await findExport(sql, params.export_id), 'Export'),
  })

  routes.stream({
    id: 'downloadExport',
    method: 'GET',
    url: '/privacy/exports/{export_id}/download',
    tag,
    summary: 'Download an export',
    description: 'Supports `Range`. The download is recorded in the audit log.',
    scope: fullAccess,
    params: ExportPath,
    response: Type.String({ format: 'binary' }),
    contentType: 'application/zip',
    errors: [404, 409, 416],
    handler: async ({ params, request, reply, principal: { scope } }) =>
      answerFile(request, reply, await openExport(database.forTenant(scope), params.export_id, files)),
  })
}
