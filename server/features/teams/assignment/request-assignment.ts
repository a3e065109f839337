import type { TenantTx } from '../../../platform/database.ts'
import { assignWaitingJob, releaseTicketsJob } from './job-kinds.ts'

/** Enqueues the assignment of waiting tickets, after a change that may have made a member available. */
export const requestAssignment = (tx: TenantTx): Promise<void> =>
  tx.enqueue(assignWaitingJob, tx.scope, { group: { id: tx.scope.organizationId } })

export const requestRelease = (tx: TenantTx, teamId: string, memberIds: string[]): Promise<void> =>
  tx.enqueue(releaseTicketsJob, { ...tx.scope, teamId, memberIds }, { group: { id: tx.scope.organizationId } })
