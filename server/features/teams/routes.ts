import { found } from '../../platform/errors.ts'
import { fullAccess } from '../../platform/http/principal.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { Deleted, deleted } from '../../platform/schemas.ts'
import { findTeam, listTeams } from './queries.ts'
import { NewTeam, Team, TeamChanges, TeamFilter, TeamPage, TeamPath } from './schema.ts'
import { createTeam, deleteTeam, updateTeam } from './write-team.ts'

const tag = 'Teams'
const managing = { tag, scope: fullAccess, narrowerScope: 'members:manage' }

export function teamRoutes(routes: Routes): void {
  routes.read({
    id: 'listTeams',
    method: 'GET',
    url: '/teams',
    tag,
    summary: 'List teams',
    scope: 'inbox:read',
    query: TeamFilter,
    response: TeamPage,
    handler: (sql, { query }) => listTeams(sql, query),
  })

  routes.write({
    ...managing,
    id: 'createTeam',
    method: 'POST',
    url: '/teams',
    summary: 'Create a team',
    description: 'Teams apply to both modes, so test keys cannot change them.',
    body: NewTeam,
    response: Team,
    status: 201,
    errors: [404, 409],
    handler: (tx, { body, principal }) => createTeam(tx, principal, body),
  })

  routes.read({
    id: 'getTeam',
    method: 'GET',
    url: '/teams/{team_id}',
    tag,
    summary: 'Get a team',
    scope: 'inbox:read',
    params: TeamPath,
    response: Team,
    handler: async (sql, { params }) => found(await findTeam(sql, params.team_id), 'Team'),
  })

  routes.write({
    ...managing,
    id: 'updateTeam',
    method: 'PATCH',
    url: '/teams/{team_id}',
    summary: 'Update a team',
    description:
      '`member_ids` replaces the members. Open tickets of the team that a removed member was assigned to are assigned again.',
    params: TeamPath,
    body: TeamChanges,
    response: Team,
    errors: [409],
    handler: (tx, { params, body, principal }) => updateTeam(tx, principal, params.team_id, body),
  })

  routes.write({
    ...managing,
    id: 'deleteTeam',
    method: 'DELETE',
    url: '/teams/{team_id}',
    summary: 'Delete a team',
    description: 'A team that an assignment rule, an SLA policy or another team refers to cannot be deleted.',
    params: TeamPath,
    response: Deleted,
    errors: [409],
    handler: (tx, { params, principal }) => deleteTeam(tx, principal, params.team_id).then(() => deleted('Team')),
  })
}
