import type { Database, TenantTx } from '../../../platform/database.ts'
import type { Log } from '../../../platform/log.ts'
import { type Loop, type LoopOptions, startLoop } from '../../../platform/loop.ts'
import type { ChatConnections } from '../../channels/connections/chat-connections.ts'
import { completeCampaign, failWithoutTemplate } from '../complete-campaign.ts'
import { continueFreezing } from '../freeze-recipients.ts'
import { startDueCampaign } from '../start-campaign.ts'
import {
  analyzeGrownTables,
  checkForSteps,
  findDueCampaigns,
  findFinishedCampaigns,
  findUnfrozenCampaigns,
  findWithoutTemplate,
  makeForgottenChannelsDue,
  removeDeletedCampaigns,
  removeDeletedDeliveries,
  settleOrphans,
  untilNextStart,
} from './maintenance-queries.ts'

const pollEveryMs = 1_000
/** Shortest wait for a campaign that is about to be due. */
const minWaitMs = 20
/** Wait between two batches of the same step. */
const nextBatchAfterMs = 5
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

  /** Does the work for each campaign in a transaction of its own. One that fails must not block the others. */
  async function forEach(
    campaigns: { organization_id: string; livemode: boolean; id: string }[],
    work: (tx: TenantTx, id: string) => Promise<void>,
  ): Promise<void> {
    for (const { organization_id: organizationId, livemode, id } of campaigns)
      await database
        .inTenant({ organizationId, livemode }, (tx) => work(tx, id))
        .catch((error) =>
          log.error({ err: error, campaignId: id }, 'campaign maintenance: campaign failed, trying again'),
        )
  }

  const states = startLoop(log, onFailure, async () => {
    if (!(await checkForSteps(system)).are_possible) return pollEveryMs
    await forEach(await findDueCampaigns(system), (tx, id) => startDueCampaign(tx, id, deps))
    await forEach(await findWithoutTemplate(system), failWithoutTemplate)
    await settleOrphans(system)
    await makeForgottenChannelsDue(system)
    await forEach(await findFinishedCampaigns(system), completeCampaign)
    const { ms } = await untilNextStart(system)
    return Math.max(minWaitMs, Math.min(pollEveryMs, ms ?? pollEveryMs))
  })

  const freezing = startLoop(log, onFailure, async () => {
    await analyzeGrownTables(system)
    const unfrozen = await findUnfrozenCampaigns(system)
    await forEach(unfrozen, continueFreezing)
    return unfrozen.length > 0 ? nextBatchAfterMs : pollEveryMs
  })

  const removing = startLoop(log, onFailure, async () => {
    const { n } = await removeDeletedDeliveries(system, removeBatchSize)
    if (n < removeBatchSize) await removeDeletedCampaigns(system)
    return n > 0 ? nextBatchAfterMs : pollForDeletedEveryMs
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
