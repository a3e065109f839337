import { anyScope, fullAccess } from '../../platform/http/principal.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { describeSettings } from './describe-settings.ts'
import { findSettings, saveSettings } from './queries.ts'
import { PrivacyChanges, PrivacySettings } from './schema.ts'

const tag = 'Privacy'

export function privacyRoutes(routes: Routes): void {
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
}
