import { fullAccess, type Principal, refuseTestKey } from '../../platform/http/principal.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { Deleted, deleted } from '../../platform/schemas.ts'
import { describeKeys } from './describe-keys.ts'
import { NewProviderKey, ProviderKey, ProviderKeyList, ProviderKeyPath, ProviderKeyTest } from './schema.ts'
import { type KeyTesting, testOwnKey } from './test-own-key.ts'
import { type KeyWriting, removeKey, setKey } from './write-key.ts'

const tag = 'Provider keys'
const managing = { tag, scope: fullAccess }

/** Each test is a request to a provider. */
const testsPerMinute = 20

const refuseTest = (principal: Principal) => refuseTestKey(principal, 'Provider keys are used by live mode')

export function providerKeyRoutes(routes: Routes, deps: KeyWriting & KeyTesting): void {
  routes.read({
    ...managing,
    id: 'listProviderKeys',
    method: 'GET',
    url: '/provider-keys',
    summary: 'List provider keys',
    description:
      'Whose key live mode uses for each provider of models, speech and embeddings. Keys are never shown, only their last four characters.',
    response: ProviderKeyList,
    handler: async (sql) => ({ data: await describeKeys(sql, deps.installed) }),
  })

  routes.write({
    ...managing,
    id: 'setProviderKey',
    method: 'PUT',
    url: '/provider-keys/{provider}',
    summary: 'Set a provider key',
    description:
      'Sets or replaces the organization’s own key. All live requests to the provider use it at once, and its account pays for them. Test keys cannot change provider keys.',
    params: ProviderKeyPath,
    body: NewProviderKey,
    response: ProviderKey,
    handler: (tx, { params, body, principal }) => {
      refuseTest(principal)
      return setKey(tx, params.provider, body.key, deps)
    },
  })

  routes.write({
    ...managing,
    id: 'deleteProviderKey',
    method: 'DELETE',
    url: '/provider-keys/{provider}',
    summary: 'Delete a provider key',
    description: 'Live mode uses the installation’s key again, if there is one.',
    params: ProviderKeyPath,
    response: Deleted,
    handler: (tx, { params, principal }) => {
      refuseTest(principal)
      return removeKey(tx, params.provider, deps).then(() => deleted('Provider key'))
    },
  })

  routes.callOut({
    ...managing,
    id: 'testProviderKey',
    method: 'POST',
    url: '/provider-keys/{provider}/test',
    summary: 'Test a provider key',
    description:
      'Asks the provider whether it accepts the organization’s own key, with a request that costs nothing. 404 without an own key.',
    params: ProviderKeyPath,
    response: ProviderKeyTest,
    rateLimit: { name: 'provider-key-tests', perMinute: testsPerMinute },
    handler: ({ params, principal }) => {
      refuseTest(principal)
      return testOwnKey(principal.scope.organizationId, params.provider, deps)
    },
  })
}
