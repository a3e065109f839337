import { found } from '../../platform/errors.ts'
import { fullAccess } from '../../platform/http/principal.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { Deleted, deleted } from '../../platform/schemas.ts'
import { findPolicy, listPolicies } from './policy-queries.ts'
import { NewSlaPolicy, SlaPolicy, SlaPolicyChanges, SlaPolicyFilter, SlaPolicyPage, SlaPolicyPath } from './schema.ts'
import { createPolicy, deletePolicy, updatePolicy } from './write-policy.ts'

const tag = 'SLA policies'
const managing = { tag, scope: fullAccess, narrowerScope: 'members:manage' }

export function slaRoutes(routes: Routes): void {
  routes.read({
    id: 'listSlaPolicies',
    method: 'GET',
    url: '/sla-policies',
    tag,
    summary: 'List SLA policies',
    scope: 'inbox:read',
    query: SlaPolicyFilter,
    response: SlaPolicyPage,
    handler: (sql, { query }) => listPolicies(sql, query),
  })

  routes.write({
    ...managing,
    id: 'createSlaPolicy',
    method: 'POST',
    url: '/sla-policies',
    summary: 'Create an SLA policy',
    description:
      'A ticket follows one policy: the one for its team and priority, else for its priority, else for its team, else the one for every ticket. A change also moves the due times of open tickets, within seconds. Policies apply to both modes, so test keys cannot change them.',
    body: NewSlaPolicy,
    response: SlaPolicy,
    status: 201,
    errors: [404, 409],
    handler: (tx, { body, principal }) => createPolicy(tx, principal, body),
  })

  routes.read({
    id: 'getSlaPolicy',
    method: 'GET',
    url: '/sla-policies/{policy_id}',
    tag,
    summary: 'Get an SLA policy',
    scope: 'inbox:read',
    params: SlaPolicyPath,
    response: SlaPolicy,
    handler: async (sql, { params }) => found(await findPolicy(sql, params.policy_id), 'Policy'),
  })

  routes.write({
    ...managing,
    id: 'updateSlaPolicy',
    method: 'PATCH',
    url: '/sla-policies/{policy_id}',
    summary: 'Update an SLA policy',
    params: SlaPolicyPath,
    body: SlaPolicyChanges,
    response: SlaPolicy,
    errors: [409],
    handler: (tx, { params, body, principal }) => updatePolicy(tx, principal, params.policy_id, body),
  })

  routes.write({
    ...managing,
    id: 'deleteSlaPolicy',
    method: 'DELETE',
    url: '/sla-policies/{policy_id}',
    summary: 'Delete an SLA policy',
    params: SlaPolicyPath,
    response: Deleted,
    handler: (tx, { params, principal }) => deletePolicy(tx, principal, params.policy_id).then(() => deleted('Policy')),
  })
}
