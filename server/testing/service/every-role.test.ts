import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInRoles, scopesOfRole } from '../../features/organizations/schema.ts'
import { covers } from '../../platform/http/principal.ts'
import { newId } from '../../platform/ids.ts'
import { startTestApp } from '../app.ts'
import { operationsOf } from '../documented-requests.ts'
import { person } from '../people.ts'

const app = await startTestApp()
const acme = await app.organization()
const operations = operationsOf((await app.call('GET', 'openapi.json')).body).filter(
  ({ operation }) => operation['x-required-scope'] !== undefined,
)

/** Any credential may call these: the stream stays open, and removing another member needs more than leaving. */
const withOwnRules = ['streamEvents', 'removeMember']

for (const role of builtInRoles)
  test(`the role ${role} opens exactly the operations whose scope it has`, async () => {
    assert.ok(operations.length > 100)
    const { call } = await person(app, acme.id, role)
    const scopes = new Set<string>(scopesOfRole[role])
    for (const { id, method, path, operation } of operations) {
      if (withOwnRules.includes(id)) continue
      const { 'x-required-scope': scope, 'x-narrower-scope': narrower = scope } = operation
      const answer = await call(method, path.replaceAll(/\{\w+\}/g, newId()))
      const isRefused = answer.status === 403 && answer.body.error?.reason === 'insufficient_scope'
      assert.equal(isRefused, !covers(scopes, scope) && !covers(scopes, narrower), `${id}: ${answer.text}`)
      if (isRefused) assert.equal(answer.body.error.required_scope, scope, id)
    }
  })
