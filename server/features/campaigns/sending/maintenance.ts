import type { Database, TenantTx } from '../../../platform/database.ts'
import type { Log } from '../../../platform/log.ts'
import { type Loop, type LoopOptions, startLoop } from '../../../platform/loop.ts'
import type { ChatConnections } from '../../channels/connections/chat-connections.ts'
import { completeCampaign, failWithoutTemplate } from '../complete-campaign.ts'
import { continueFreezing } from '../freeze-recipients.ts'
import { startDueCampaign } from '../start-campaign.ts'
import {
  analyzeGrownTables,
  findDueCampaigns,
  findFinishedCampaigns,
  findSteps,
  findUnfrozenCampaigns,
  findWithoutTemplate,
  makeForgottenChannelsDue,
  removeDeletedCampaigns,
  removeDeletedDeliveries,
  untilNextStart,
} from './maintenance-queries.ts'
import { settleOrphans } from './queries.ts'

const pollEveryMs = 1_000
/** Deleting a campaign wakes every worker, so this is only a fallback. */
const pollForDeletedEveryMs = 5_000
const removeBatchSize = 5_000
const onFailure: LoopOptions = { fault: 'campaign maintenance: pass failed, trying again', afterFailureMs: 500 }

interface MaintenanceDependencies {
  database: Database
  chatConnections: ChatConnections
  log: Log
}

/**
 * Moves campaigns through their states: starts those that are due, freezes recipients, settles the claims of lost
 * workers, completes campaigns and removes deleted ones. Runs on every worker; row locks keep two workers from taking
 * the same step.
 */
export function startMaintenance(deps: MaintenanceDependencies): Loop {
  const { database, log } = deps
  const system = database.forSystem()

  /** A campaign that fails must not block the others. */
  async function each(
    refs: { organization_id: string; livemode: boolean; id: string }[],
    work: (tx: TenantTx, id: string) => Promise<void>,
  ): Promise<void> {
    for (const { organization_id: organizationId, livemode, id } of refs)
      await database
        .inTenant({ organizationId, livemode }, (tx) => work(tx, id))
        .catch((error) =>
          log.error({ err: error, campaignId: id }, 'campaign maintenance: campaign failed, trying again'),
        )
  }

  const states = startLoop(log, onFailure, async () => {
    if (!(await findSteps(system)).are_possible) return pollEveryMs
    await each(await findDueCampaigns(system), (tx, id) => startDueCampaign(tx, id, deps))
    await each(await findWithoutTemplate(system), failWithoutTemplate)
    await settleOrphans(system)
    await makeForgottenChannelsDue(system)
    await each(await findFinishedCampaigns(system), completeCampaign)
    const { ms } = await untilNextStart(system)
    return Math.max(20, Math.min(pollEveryMs, ms ?? pollEveryMs))
  })

  const freezing = startLoop(log, onFailure, async () => {
    await analyzeGrownTables(system)
    const unfrozen = await findUnfrozenCampaigns(system)
    await each(unfrozen, continueFreezing)
    return unfrozen.length > 0 ? 5 : pollEveryMs
  })

  const removing = startLoop(log, onFailure, async () => {
    const { n } = await removeDeletedDeliveries(system, removeBatchSize)
    if (n < removeBatchSize) await removeDeletedCampaigns(system)
    return n > 0 ? 5 : pollForDeletedEveryMs
  })

  const loops = [states, freezing, removing]
  return {
    wake() {
      for (const loop of loops) loop.wake()
    },
    async close() {
      await Promise.all(loops.map((loop) => loop.close()))
    },
  }
}
