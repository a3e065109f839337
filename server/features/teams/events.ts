import { defineEvent } from '../../platform/events.ts'
import { defineRecordEvents } from '../../platform/record-events.ts'
import { AssignmentRule } from './assignment/schema.ts'
import { MemberAvailability } from './availability/schema.ts'
import { Team } from './schema.ts'

const scope = 'inbox:read'

/** A change of the members is an update. */
export const teamEvents = defineRecordEvents('team', scope, Team)
export const assignmentRuleEvents = defineRecordEvents('assignment_rule', scope, AssignmentRule)
/** A member's status or capacity changed. */
export const availabilityChanged = defineEvent('member.availability_changed', scope, MemberAvailability)

export const eventsOfTeams = [...Object.values(teamEvents), ...Object.values(assignmentRuleEvents), availabilityChanged]
