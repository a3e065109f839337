import type { TenantTx } from '../../platform/database.ts'
import { conflict, found, invalid, notFound, violates } from '../../platform/errors.ts'
import { type Principal, refuseTestKey } from '../../platform/http/principal.ts'
import { newId } from '../../platform/ids.ts'
import { emitInBothModes, emitWrite } from '../../platform/record-events.ts'
import { policyEvents } from './events.ts'
import { lockPolicy, type PolicyRowToWrite, removePolicy, storePolicy } from './policy-queries.ts'
import type { NewSlaPolicy, SlaPolicy, SlaPolicyChanges } from './schema.ts'

const shared = 'SLA policies hold for live mode too'

const nothing = {
  team_id: null,
  priority: null,
  schedule_id: null,
  first_reply_minutes: null,
  next_reply_minutes: null,
  resolution_minutes: null,
}

export async function createPolicy(tx: TenantTx, principal: Principal, given: NewSlaPolicy): Promise<SlaPolicy> {
  refuseTestKey(principal, shared)
  return store(tx, { ...nothing, ...given, id: newId() })
}

export async function updatePolicy(
  tx: TenantTx,
  principal: Principal,
  id: string,
  changes: SlaPolicyChanges,
): Promise<SlaPolicy> {
  refuseTestKey(principal, shared)
  const before = found(await lockPolicy(tx, id), 'Policy')
  return store(tx, { ...before, ...changes }, before)
}

export async function deletePolicy(tx: TenantTx, principal: Principal, id: string): Promise<void> {
  refuseTestKey(principal, shared)
  const before = found(await removePolicy(tx, id), 'Policy')
  await emitWrite(tx, policyEvents, { before }, emitInBothModes)
}

async function store(tx: TenantTx, policy: PolicyRowToWrite, before?: SlaPolicy): Promise<SlaPolicy> {
  if (!policy.first_reply_minutes && !policy.next_reply_minutes && !policy.resolution_minutes)
    throw invalid(['body', 'first_reply_minutes'], 'A policy needs at least one target', 'missing')
  const after = await storePolicy(tx, { ...policy, name: policy.name.trim() }).catch((error) => {
    if (violates(error, 'sla_policies_apply_once'))
      throw conflict('There is a policy for this team and priority already: change that one')
    if (violates(error, 'sla_policies_team_exists')) throw notFound('Team')
    if (violates(error, 'sla_policies_schedule_exists')) throw notFound('Schedule')
    throw error
  })
  await emitWrite(tx, policyEvents, { before, after }, emitInBothModes)
  return after
}
