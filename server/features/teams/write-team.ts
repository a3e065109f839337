import type { TenantTx } from '../../platform/database.ts'
import { AppError, conflict, found, invalid, violates } from '../../platform/errors.ts'
import { type Principal, refuseTestKey } from '../../platform/http/principal.ts'
import { newId } from '../../platform/ids.ts'
import { emitInBothModes, emitWrite } from '../../platform/record-events.ts'
import { requestAssignment, requestRelease } from './assignment/request-assignment.ts'
import { teamEvents } from './events.ts'
import {
  addTeamMembers,
  findTeam,
  insertTeam,
  lockTeam,
  removeOtherMembers,
  removeTeam,
  type TeamRowToWrite,
  updateTeamRow,
} from './queries.ts'
import type { NewTeam, Team, TeamChanges } from './schema.ts'

const shared = 'Teams hold for live mode too'

export async function createTeam(tx: TenantTx, principal: Principal, given: NewTeam): Promise<Team> {
  refuseTestKey(principal, shared)
  const team = withChanges(
    {
      id: newId(),
      name: '',
      member_ids: [],
      assignment: 'manual',
      schedule_id: null,
      after_hours_team_id: null,
      reassign_after_minutes: null,
    },
    given,
  )
  await insertTeam(tx, team).catch((error) => refuse(error, team))
  await addTeamMembers(tx, team.id, team.member_ids).catch((error) => refuse(error, team))
  const after = (await findTeam(tx, team.id)) as Team
  await emitWrite(tx, teamEvents, { after }, emitInBothModes)
  return after
}

/** A member who leaves the team no longer owns its conversations: they are assigned again. */
export async function updateTeam(tx: TenantTx, principal: Principal, id: string, changes: TeamChanges): Promise<Team> {
  refuseTestKey(principal, shared)
  const before = found(await lockTeam(tx, id), 'Team')
  const team = withChanges(before, changes)
  await updateTeamRow(tx, team).catch((error) => refuse(error, team))
  await addTeamMembers(tx, id, team.member_ids).catch((error) => refuse(error, team))
  await removeOtherMembers(tx, id, team.member_ids)
  const gone = before.member_ids.filter((member) => !team.member_ids.includes(member))
  await (gone.length > 0 ? requestRelease(tx, id, gone) : requestAssignment(tx))
  const after = (await findTeam(tx, id)) as Team
  await emitWrite(tx, teamEvents, { before, after }, emitInBothModes)
  return after
}

/** Deletes a team that no rule and no other team refers to. Its conversations keep their assignees. */
export async function deleteTeam(tx: TenantTx, principal: Principal, id: string): Promise<void> {
  refuseTestKey(principal, shared)
  const before = found(await lockTeam(tx, id), 'Team')
  await removeTeam(tx, id).catch((error) => {
    if ((error as { code?: string }).code !== foreignKeyViolation) throw error
    throw conflict('This team is in use: choose another one there first')
  })
  await emitWrite(tx, teamEvents, { before }, emitInBothModes)
}

const foreignKeyViolation = '23503'

function withChanges(team: TeamRowToWrite, changes: TeamChanges): TeamRowToWrite {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const changed: TeamRowToWrite = { ...team, ...given }
  if (changed.after_hours_team_id === team.id)
    throw invalid(['body', 'after_hours_team_id'], 'A team cannot take over from itself')
  if (changed.after_hours_team_id !== null && changed.schedule_id === null)
    throw invalid(['body', 'after_hours_team_id'], 'Without business hours the team is never closed')
  return { ...changed, name: changed.name.trim() }
}

function refuse(error: unknown, { name }: TeamRowToWrite): never {
  if (violates(error, 'teams_name_is_unique')) throw conflict(`There is a team called ${name} already`)
  if (violates(error, 'team_members_are_members')) throw new AppError(404, 'member_ids names someone who is no member')
  if (violates(error, 'teams_schedule_exists')) throw new AppError(404, 'Schedule not found')
  if (violates(error, 'teams_after_hours_team_exists')) throw new AppError(404, 'Team not found')
  throw error
}
