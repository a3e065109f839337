import Type from 'typebox'
import { found } from '../../platform/errors.ts'
import { toCursorPage } from '../../platform/http/pagination.ts'
import { anyScope, fullAccess } from '../../platform/http/principal.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { PersonalTable } from '../../platform/personal-data.ts'
import { IdOf } from '../../platform/schemas.ts'
import { describeSettings } from './describe-settings.ts'
import { findErasure, listErasures } from './erasure/queries.ts'
import { requestErasure } from './erasure/request-erasure.ts'
import { findSettings, saveSettings } from './queries.ts'
import { Erasure, ErasureFilter, ErasurePage, PrivacyChanges, PrivacySettings } from './schema.ts'

const tag = 'Privacy'

const ContactPath = Type.Object({ contact_id: IdOf('Contact') })
const ErasurePath = Type.Object({ erasure_id: IdOf('Erasure') })

export function privacyRoutes(routes: Routes, { tables }: { tables: PersonalTable[] }): void {
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
    handler: async (tx, { body }) => describeSettings(await saveSettings(tx, body.retention ?? {})),
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
    handler: async (sql, { query }) => toCursorPage<Erasure>(await listErasures(sql, query), query.limit),
  })

  routes.read({
    id: 'getErasure',
    method: 'GET',
    url: '/privacy/erasures/{erasure_id}',
    tag,
    summary: 'Get an erasure',
    description: 'Its progress, and afterwards the proof: what was deleted, when, and on whose request.',
    scope: fullAccess,
    params: ErasurePath,
    response: Erasure,
    handler: async (sql, { params }) => found(await findErasure(sql, params.erasure_id), 'Erasure'),
  })
}
