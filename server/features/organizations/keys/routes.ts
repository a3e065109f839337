import { found } from '../../../platform/errors.ts'
import { fullAccess } from '../../../platform/http/principal.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { Deleted } from '../../../platform/schemas.ts'
import { Key, KeyChanges, KeyFilter, KeyPage, KeyPath, KeyRoll, KeyWithSecret, NewKey } from '../schema.ts'
import { mintKey } from './mint-key.ts'
import { findKey, listKeys } from './queries.ts'
import { revokeKey } from './revoke-key.ts'
import { rollKey } from './roll-key.ts'
import { modesOf } from './rules.ts'
import { updateKey } from './update-key.ts'

const tag = 'Keys'
const secrets = ['secret']

export function keyRoutes(routes: Routes): void {
  routes.read({
    id: 'listKeys',
    method: 'GET',
    url: '/keys',
    tag,
    summary: 'List keys',
    description: 'Includes revoked and expired keys. A test key sees only test keys.',
    scope: fullAccess,
    query: KeyFilter,
    response: KeyPage,
    handler: (sql, { query, principal }) => listKeys(sql, modesOf(principal), query),
  })

  routes.write({
    id: 'createKey',
    method: 'POST',
    url: '/keys',
    tag,
    summary: 'Create a key',
    description: 'The response is the only place where the secret appears. A test key can create only test keys.',
    scope: fullAccess,
    body: NewKey,
    response: KeyWithSecret,
    status: 201,
    secrets,
    handler: (tx, { body, principal }) => mintKey(tx, principal, body),
  })

  routes.read({
    id: 'getKey',
    method: 'GET',
    url: '/keys/{key_id}',
    tag,
    summary: 'Get a key',
    scope: fullAccess,
    params: KeyPath,
    response: Key,
    handler: async (sql, { params, principal }) => found(await findKey(sql, modesOf(principal), params.key_id), 'Key'),
  })

  routes.write({
    id: 'updateKey',
    method: 'PATCH',
    url: '/keys/{key_id}',
    tag,
    summary: 'Update a key',
    description:
      'Renames a key or changes `allowed_ips`, which takes effect everywhere within five seconds. A request from another address answers 403; open streams from there end.',
    scope: fullAccess,
    params: KeyPath,
    body: KeyChanges,
    response: Key,
    errors: [409],
    handler: (tx, { params, body, principal }) => updateKey(tx, principal, params.key_id, body),
  })

  routes.write({
    id: 'revokeKey',
    method: 'DELETE',
    url: '/keys/{key_id}',
    tag,
    summary: 'Revoke a key',
    description: 'Takes effect everywhere within five seconds. The key stays in the list.',
    scope: fullAccess,
    params: KeyPath,
    response: Deleted,
    handler: async (tx, { params, principal }) => {
      await revokeKey(tx, principal, params.key_id)
      return { message: 'Key revoked successfully' }
    },
  })

  routes.write({
    id: 'rollKey',
    method: 'POST',
    url: '/keys/{key_id}/roll',
    tag,
    summary: 'Roll a key',
    description: 'Creates a new key with the same permissions. The old key keeps working for `overlap_seconds`.',
    scope: fullAccess,
    params: KeyPath,
    body: KeyRoll,
    response: KeyWithSecret,
    status: 201,
    errors: [409],
    secrets,
    handler: (tx, { params, body, principal }) => rollKey(tx, principal, params.key_id, body),
  })
}
