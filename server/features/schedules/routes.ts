import { found } from '../../platform/errors.ts'
import { anyScope, fullAccess } from '../../platform/http/principal.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { Deleted, deleted } from '../../platform/schemas.ts'
import { findScheduleRow, findState, listSchedules } from './queries.ts'
import {
  NewSchedule,
  Schedule,
  ScheduleChanges,
  ScheduleFilter,
  SchedulePage,
  SchedulePath,
  ScheduleState,
  StateQuery,
} from './schema.ts'
import { createSchedule, deleteSchedule, updateSchedule } from './write-schedule.ts'

const tag = 'Business hours'
const reading = { tag, scope: anyScope }
const managing = { tag, scope: fullAccess, narrowerScope: 'members:manage' }

export function scheduleRoutes(routes: Routes): void {
  routes.read({
    ...reading,
    id: 'listSchedules',
    method: 'GET',
    url: '/schedules',
    summary: 'List business hours',
    query: ScheduleFilter,
    response: SchedulePage,
    handler: (sql, { query }) => listSchedules(sql, query),
  })

  routes.write({
    ...managing,
    id: 'createSchedule',
    method: 'POST',
    url: '/schedules',
    summary: 'Create business hours',
    description:
      'Business hours apply to both modes, so test keys cannot change them. A change of the clocks within a span makes it shorter or longer by that hour.',
    body: NewSchedule,
    response: Schedule,
    status: 201,
    errors: [409],
    handler: (tx, { body, principal }) => createSchedule(tx, principal, body),
  })

  routes.read({
    ...reading,
    id: 'getSchedule',
    method: 'GET',
    url: '/schedules/{schedule_id}',
    summary: 'Get business hours',
    params: SchedulePath,
    response: Schedule,
    handler: async (sql, { params }) => found(await findScheduleRow(sql, params.schedule_id), 'Schedule'),
  })

  routes.read({
    ...reading,
    id: 'getScheduleState',
    method: 'GET',
    url: '/schedules/{schedule_id}/state',
    summary: 'Check business hours at a time',
    params: SchedulePath,
    query: StateQuery,
    response: ScheduleState,
    handler: async (sql, { params, query }) =>
      found(await findState(sql, params.schedule_id, query.at ?? null, query.minutes), 'Schedule'),
  })

  routes.write({
    ...managing,
    id: 'updateSchedule',
    method: 'PATCH',
    url: '/schedules/{schedule_id}',
    summary: 'Update business hours',
    description: 'Replaces the fields that you send: `weekly_hours` and `holidays` as a whole.',
    params: SchedulePath,
    body: ScheduleChanges,
    response: Schedule,
    errors: [409],
    handler: (tx, { params, body, principal }) => updateSchedule(tx, principal, params.schedule_id, body),
  })

  routes.write({
    ...managing,
    id: 'deleteSchedule',
    method: 'DELETE',
    url: '/schedules/{schedule_id}',
    summary: 'Delete business hours',
    description: 'Business hours that a team, a channel, an agent, a campaign or an SLA policy uses cannot be deleted.',
    params: SchedulePath,
    response: Deleted,
    errors: [409],
    handler: (tx, { params, principal }) =>
      deleteSchedule(tx, principal, params.schedule_id).then(() => deleted('Schedule')),
  })
}
