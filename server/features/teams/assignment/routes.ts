import { found } from '../../../platform/errors.ts'
import { fullAccess } from '../../../platform/http/principal.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { Deleted, deleted } from '../../../platform/schemas.ts'
import { TicketPath } from '../../inbox/schema.ts'
import { Ticket } from '../../inbox/tickets/schema.ts'
import { updateTicket } from '../../inbox/tickets/update-ticket.ts'
import { findRule, findTicketId, listAssignments, listRules } from './rule-queries.ts'
import {
  AssignmentRule,
  AssignmentRuleFilter,
  AssignmentRuleInput,
  AssignmentRulePage,
  AssignmentRulePath,
  TeamOfTicket,
  TicketAssignmentFilter,
  TicketAssignmentPage,
} from './schema.ts'
import { takeTicket } from './take-ticket.ts'
import { deleteRule, writeRule } from './write-rule.ts'

const tag = 'Assignment rules'
const managing = { tag, scope: fullAccess, narrowerScope: 'members:manage' }
const noun = 'Assignment rule'

export function assignmentRoutes(routes: Routes): void {
  routes.read({
    id: 'listAssignmentRules',
    method: 'GET',
    url: '/assignment-rules',
    tag,
    summary: 'List assignment rules',
    description: 'One for each channel that has a team or an away message.',
    scope: 'inbox:read',
    query: AssignmentRuleFilter,
    response: AssignmentRulePage,
    handler: (sql, { query }) => listRules(sql, query),
  })

  routes.read({
    id: 'getAssignmentRule',
    method: 'GET',
    url: '/assignment-rules/{channel_id}',
    tag,
    summary: 'Get the assignment rule of a channel',
    scope: 'inbox:read',
    params: AssignmentRulePath,
    response: AssignmentRule,
    handler: async (sql, { params }) => found(await findRule(sql, params.channel_id), noun),
  })

  routes.write({
    ...managing,
    id: 'putAssignmentRule',
    method: 'PUT',
    url: '/assignment-rules/{channel_id}',
    summary: 'Set the assignment rule of a channel',
    description: 'Adds the rule, or changes the fields that you send.',
    params: AssignmentRulePath,
    body: AssignmentRuleInput,
    response: AssignmentRule,
    handler: (tx, { params, body }) => writeRule(tx, params.channel_id, body),
  })

  routes.write({
    ...managing,
    id: 'deleteAssignmentRule',
    method: 'DELETE',
    url: '/assignment-rules/{channel_id}',
    summary: 'Delete the assignment rule of a channel',
    params: AssignmentRulePath,
    response: Deleted,
    handler: (tx, { params }) => deleteRule(tx, params.channel_id).then(() => deleted(noun)),
  })

  routes.write({
    id: 'takeTicket',
    method: 'POST',
    url: '/inbox/tickets/{inbox_id}/take',
    tag: 'Inbox',
    summary: 'Take a ticket',
    description:
      'Assigns the ticket to you. If another member has it, the response is 409 with their name and id: of several members who take a ticket at once, one gets it.',
    scope: 'inbox:write',
    params: TicketPath,
    response: Ticket,
    errors: [400, 409],
    handler: (tx, { params, principal }) => takeTicket(tx, principal, params.inbox_id),
  })

  routes.write({
    id: 'setTicketTeam',
    method: 'PUT',
    url: '/inbox/tickets/{inbox_id}/team',
    tag: 'Inbox',
    summary: 'Pass a ticket to a team',
    description: 'The assignee is removed; with automatic assignment a member of the new team follows.',
    scope: 'inbox:write',
    params: TicketPath,
    body: TeamOfTicket,
    response: Ticket,
    handler: (tx, { params, body: { team_id } }) => updateTicket(tx, params.inbox_id, { team_id }),
  })

  routes.read({
    id: 'listTicketAssignments',
    method: 'GET',
    url: '/inbox/tickets/{inbox_id}/assignments',
    tag: 'Inbox',
    summary: 'List the assignments of a ticket',
    description: 'Every change of its team or assignee, newest first, with the reason.',
    scope: 'inbox:read',
    params: TicketPath,
    query: TicketAssignmentFilter,
    response: TicketAssignmentPage,
    handler: async (sql, { params, query }) => {
      found(await findTicketId(sql, params.inbox_id), 'Inbox ticket')
      return listAssignments(sql, params.inbox_id, query)
    },
  })
}
