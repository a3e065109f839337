import type { Resolver } from 'node:dns/promises'
import type { Database } from '../../../platform/database.ts'
import { conflict, found } from '../../../platform/errors.ts'
import { fullAccess, refuseTestKey } from '../../../platform/http/principal.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { Deleted, deleted } from '../../../platform/schemas.ts'
import { randomToken } from '../../../platform/secrets.ts'
import { lockMembers } from '../members/queries.ts'
import { managerOf, mayManage } from '../members/rules.ts'
import { givenRole } from '../roles/given-role.ts'
import { deleteDomain, insertDomain, listDomains } from './queries.ts'
import { Domain, DomainFilter, DomainPage, DomainPath, NewDomain } from './schema.ts'
import { verifyDomain } from './verify-domain.ts'

const tag = 'Members'

interface DomainDependencies {
  database: Database
  resolver: Resolver
}

export function domainRoutes(routes: Routes, { database, resolver }: DomainDependencies): void {
  routes.read({
    id: 'listDomains',
    method: 'GET',
    url: '/domains',
    tag,
    summary: 'List domains',
    scope: fullAccess,
    query: DomainFilter,
    response: DomainPage,
    handler: (sql, { query }) => listDomains(sql, query),
  })

  routes.write({
    id: 'createDomain',
    method: 'POST',
    url: '/domains',
    tag,
    summary: 'Add a domain',
    description:
      'People who sign in with single sign-on and a verified email of this domain join without an invitation, once the domain is verified. Add the TXT record that the response names to your DNS, then verify it.',
    scope: fullAccess,
    body: NewDomain,
    response: Domain,
    status: 201,
    errors: [409],
    handler: async (tx, { body, principal }) => {
      const manager = managerOf(principal, await lockMembers(tx, [principal.person?.userId]))
      mayManage(manager, await givenRole(tx, body.role))
      const domain = body.domain.toLowerCase()
      const added = await insertDomain(tx, { ...body, domain }, randomToken(20))
      if (!added) throw conflict(`${domain} has been added already`)
      return added
    },
  })

  routes.callOut({
    id: 'verifyDomain',
    method: 'POST',
    url: '/domains/{domain_id}/verify',
    tag,
    summary: 'Verify a domain',
    description:
      'Looks up the TXT record. 409 if it is missing. Verified domains are checked again every day; after seven days without the record, people no longer join.',
    scope: fullAccess,
    params: DomainPath,
    response: Domain,
    errors: [409],
    handler: ({ params, principal }) => {
      refuseTestKey(principal, 'Domains hold for live mode too')
      return verifyDomain({ database, resolver }, principal.scope, params.domain_id)
    },
  })

  routes.write({
    id: 'deleteDomain',
    method: 'DELETE',
    url: '/domains/{domain_id}',
    tag,
    summary: 'Delete a domain',
    description:
      'People with an email of this domain can no longer join without an invitation. Members who joined stay.',
    scope: fullAccess,
    params: DomainPath,
    response: Deleted,
    handler: async (tx, { params, principal }) => {
      refuseTestKey(principal, 'Domains hold for live mode too')
      found(await deleteDomain(tx, params.domain_id), 'Domain')
      return deleted('Domain')
    },
  })
}
