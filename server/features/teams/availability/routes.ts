import type { Routes } from '../../../platform/http/routes.ts'
import { MemberPath } from '../../organizations/members/schema.ts'
import { changeAvailability } from './change-availability.ts'
import { listAvailability } from './queries.ts'
import { Availability, AvailabilityChanges, AvailabilityFilter, AvailabilityPage } from './schema.ts'

const tag = 'Availability'

export function availabilityRoutes(routes: Routes): void {
  routes.read({
    id: 'listAvailability',
    method: 'GET',
    url: '/availability',
    tag,
    summary: 'List the availability of members',
    description: 'A member who has set nothing is online.',
    scope: 'inbox:read',
    query: AvailabilityFilter,
    response: AvailabilityPage,
    handler: (sql, { query }) => listAvailability(sql, query),
  })

  routes.write({
    id: 'updateAvailability',
    method: 'PATCH',
    url: '/availability/{member_id}',
    tag,
    summary: 'Change the availability of a member',
    description:
      'You can change your own status. The status of others, and every capacity, requires full access or `members:manage`. It applies to both modes.',
    scope: 'inbox:write',
    params: MemberPath,
    body: AvailabilityChanges,
    response: Availability,
    errors: [403],
    handler: (tx, { params, body, principal }) => changeAvailability(tx, principal, params.member_id, body),
  })
}
