import type { TenantSql, TenantTx } from '../../platform/database.ts'
import { readCursorPage } from '../../platform/http/pagination.ts'
import { sql } from '../../platform/sql.ts'
import { Team, type TeamFilter } from './schema.ts'

const columns = sql`id, organization_id, name, assignment, schedule_id, after_hours_team_id, reassign_after_minutes,
  created_at, updated_at, array(select user_id from team_members where team_id = teams.id order by user_id) as member_ids`

export const listTeams = (tx: TenantSql, filter: TeamFilter) =>
  readCursorPage<Team>(tx, { columns, from: sql`teams` }, filter)

export const findTeam = (tx: TenantSql, id: string) => tx.maybe(Team)`select ${columns} from teams where id = ${id}`

/** Two statements: in the one that waits for the lock, the members would be those from before the wait. */
export async function lockTeam(tx: TenantTx, id: string): Promise<Team | undefined> {
  const [, team] = await Promise.all([tx.run`select from teams where id = ${id} for no key update`, findTeam(tx, id)])
  return team
}

export const findTeams = (tx: TenantSql, ids: string[]) =>
  tx.all(Team)`select ${columns} from teams where id = any(${ids}::uuid[]) order by id`

export type TeamRowToWrite = Omit<Team, 'organization_id' | 'created_at' | 'updated_at'>

export const insertTeam = (tx: TenantTx, team: TeamRowToWrite) =>
  tx.run`
    insert into teams (id, name, assignment, schedule_id, after_hours_team_id, reassign_after_minutes)
    values (${team.id}, ${team.name}, ${team.assignment}, ${team.schedule_id}, ${team.after_hours_team_id},
      ${team.reassign_after_minutes})`

export const updateTeamRow = (tx: TenantTx, team: TeamRowToWrite) =>
  tx.run`
    update teams set name = ${team.name}, assignment = ${team.assignment}, schedule_id = ${team.schedule_id},
      after_hours_team_id = ${team.after_hours_team_id}, reassign_after_minutes = ${team.reassign_after_minutes},
      updated_at = now()
    where id = ${team.id}`

export const addTeamMembers = (tx: TenantTx, teamId: string, userIds: string[]) =>
  tx.run`
    insert into team_members (team_id, user_id) select ${teamId}, * from unnest(${userIds}::uuid[])
    on conflict do nothing`

export const removeOtherMembers = (tx: TenantTx, teamId: string, userIds: string[]) =>
  tx.run`delete from team_members where team_id = ${teamId} and user_id <> all(${userIds}::uuid[])`

export const removeTeam = (tx: TenantTx, id: string) => tx.run`delete from teams where id = ${id}`
