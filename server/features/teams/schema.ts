import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../platform/http/pagination.ts'
import { Id, Instant, Nullable, OneOf } from '../../platform/schemas.ts'

const assignmentMethods = ['manual', 'round_robin', 'least_busy'] as const

const name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: ['Support'] })
const memberIds = Type.Array(Id, { maxItems: 500, uniqueItems: true, examples: [[]] })
const assignment = (options: object = {}) =>
  OneOf(assignmentMethods, {
    description:
      'Who gets a waiting conversation: a member who takes it, each member in turn, or the member with the fewest open tickets',
    ...options,
  })
const scheduleId = Nullable({
  ...Id,
  description: 'Business hours: outside them, no conversation is assigned automatically. Null: always open',
  examples: [null],
})
const afterHoursTeamId = Nullable({
  ...Id,
  description: 'The team that conversations pass to when a contact writes outside the business hours',
  examples: [null],
})
const reassignAfter = Nullable(
  Type.Integer({
    minimum: 1,
    maximum: 10_080,
    description: 'Assigns the conversation to another member after so many opening minutes without a reply',
    examples: [30],
  }),
)

export const Team = Type.Object(
  {
    id: Id,
    organization_id: Id,
    name,
    member_ids: memberIds,
    assignment: assignment(),
    schedule_id: scheduleId,
    after_hours_team_id: afterHoursTeamId,
    reassign_after_minutes: reassignAfter,
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Team' },
)
export type Team = Static<typeof Team>

const changes = {
  name: Type.Optional(name),
  member_ids: Type.Optional(memberIds),
  assignment: Type.Optional(assignment()),
  schedule_id: Type.Optional(scheduleId),
  after_hours_team_id: Type.Optional(afterHoursTeamId),
  reassign_after_minutes: Type.Optional(reassignAfter),
}

export const NewTeam = Type.Object(
  { ...changes, name, assignment: assignment({ default: 'manual' }) },
  { title: 'NewTeam', examples: [{ name: 'Support', assignment: 'round_robin', reassign_after_minutes: 30 }] },
)
export type NewTeam = Static<typeof NewTeam>

export const TeamChanges = Type.Object(changes, { title: 'TeamChanges', examples: [{ assignment: 'least_busy' }] })
export type TeamChanges = Static<typeof TeamChanges>

export const TeamPath = Type.Object({ team_id: Id })
export const TeamFilter = Type.Object({ ...CursorQuery })
export type TeamFilter = Static<typeof TeamFilter>
export const TeamPage = CursorPage(Team)
