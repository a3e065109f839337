import type { TenantTx } from '../../../platform/database.ts'
import { found, invalid, notFound, violates } from '../../../platform/errors.ts'
import { emitWrite } from '../../../platform/record-events.ts'
import { assignmentRuleEvents } from '../events.ts'
import { findRule, lockChannel, removeRule, storeRule } from './rule-queries.ts'
import type { AssignmentRule, AssignmentRuleInput } from './schema.ts'

/** Adds the rule of a channel, or changes the given fields. */
export async function writeRule(tx: TenantTx, channelId: string, given: AssignmentRuleInput): Promise<AssignmentRule> {
  const channel = await lockChannel(tx, channelId)
  const before = await findRule(tx, channelId)
  const {
    team_id = before?.team_id ?? null,
    schedule_id = before?.schedule_id ?? null,
    away_message = before?.away_message ?? null,
  } = given
  if (away_message !== null && schedule_id === null)
    throw invalid(['body', 'schedule_id'], 'An away message needs business hours', 'missing')
  found(channel, 'Channel')
  const after = await storeRule(tx, channelId, { team_id, schedule_id, away_message }).catch((error) => {
    if (violates(error, 'assignment_rules_team_exists')) throw notFound('Team')
    if (violates(error, 'assignment_rules_schedule_exists')) throw notFound('Schedule')
    throw error
  })
  await emitWrite(tx, assignmentRuleEvents, { before, after })
  return after
}

export async function deleteRule(tx: TenantTx, channelId: string): Promise<void> {
  const before = found(await removeRule(tx, channelId), 'Assignment rule')
  await emitWrite(tx, assignmentRuleEvents, { before })
}
