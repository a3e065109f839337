import type { Database } from '../../platform/database.ts'
import { emitInBothModes } from '../../platform/record-events.ts'
import { teamEvents } from './events.ts'
import { findTeams } from './queries.ts'

/** Announces that a removed member is no longer in these teams. The database has taken them out with the membership. */
export async function announceTeamsOfRemoved(
  database: Database,
  {
    organizationId,
    livemode,
    memberId,
    teamIds = [],
  }: { organizationId: string; livemode: boolean; memberId: string; teamIds?: string[] },
): Promise<void> {
  if (teamIds.length === 0) return
  await database.inTenant({ organizationId, livemode }, async (tx) => {
    for (const team of await findTeams(tx, teamIds)) {
      const member_ids = [...team.member_ids, memberId].sort()
      await emitInBothModes(tx, teamEvents.updated, team, { member_ids })
    }
  })
}
