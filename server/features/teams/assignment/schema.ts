import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../../platform/http/pagination.ts'
import { Id, Instant, Nullable, OneOf } from '../../../platform/schemas.ts'

const rule = {
  team_id: Nullable({ ...Id, description: 'The team that gets new conversations of the channel' }),
  schedule_id: Nullable({
    ...Id,
    description: 'Business hours of the channel, for the away message',
    examples: [null],
  }),
  away_message: Nullable(
    Type.String({
      maxLength: 4096,
      pattern: '\\S',
      description:
        'Sent when a contact writes outside the business hours and no agent answers: once for each conversation and closed period',
      examples: ['We are closed and will answer tomorrow.'],
    }),
  ),
}

export const AssignmentRule = Type.Object(
  { id: { ...Id, description: 'Id of the channel' }, ...rule, created_at: Instant, updated_at: Instant },
  { title: 'AssignmentRule' },
)
export type AssignmentRule = Static<typeof AssignmentRule>

export const AssignmentRuleInput = Type.Object(
  {
    team_id: Type.Optional(rule.team_id),
    schedule_id: Type.Optional(rule.schedule_id),
    away_message: Type.Optional(rule.away_message),
  },
  { title: 'AssignmentRuleInput', examples: [{ away_message: null }] },
)
export type AssignmentRuleInput = Static<typeof AssignmentRuleInput>

export const AssignmentRulePath = Type.Object({ channel_id: Id })
export const AssignmentRuleFilter = Type.Object({ ...CursorQuery })
export type AssignmentRuleFilter = Static<typeof AssignmentRuleFilter>
export const AssignmentRulePage = CursorPage(AssignmentRule)

export const TicketAssignment = Type.Object(
  {
    id: Id,
    ticket_id: Id,
    team_id: Nullable(Id),
    assignee_id: Nullable({ ...Id, description: 'The member after the change' }),
    previous_assignee_id: Nullable(Id),
    reason: OneOf(
      ['manual', 'taken', 'automatic', 'no_reply', 'after_hours', 'left_team', 'member_removed', 'routed'] as const,
      { description: 'Why it changed', examples: ['automatic'] },
    ),
    actor_type: OneOf(['user', 'key', 'system'] as const),
    actor_id: Nullable(Id),
    created_at: Instant,
  },
  { title: 'TicketAssignment' },
)
export type TicketAssignment = Static<typeof TicketAssignment>

export const TicketAssignmentFilter = Type.Object({ ...CursorQuery })
export type TicketAssignmentFilter = Static<typeof TicketAssignmentFilter>
export const TicketAssignmentPage = CursorPage(TicketAssignment)

export const TeamOfTicket = Type.Object(
  { team_id: Nullable(Id) },
  { title: 'TeamOfTicket', examples: [{ team_id: null }] },
)
