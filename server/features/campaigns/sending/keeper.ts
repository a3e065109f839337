import type { Database, TenantTx } from '../../../platform/database.ts'
import type { Log } from '../../../platform/log.ts'
import { lookUpOnly } from '../../../platform/look-up-only.ts'
import { type Loop, startLoop } from '../../../platform/loop.ts'
import type { ChatConnections } from '../../channels/chat-connections.ts'
import { completeCampaign, failWithoutTemplate } from '../complete-campaign.ts'
import { goOnFreezing } from '../freeze-recipients.ts'
import { startDueCampaign } from '../start-campaign.ts'
import {
  analyzeGrownTables,
  findDueCampaigns,
  findFinishedCampaigns,
  findUnfrozenCampaigns,
  findWithoutTemplate,
  removeEmptied,
  removeSome,
  untilNextStart,
  wakeForgotten,
} from './keeper-queries.ts'
import { onFault } from './on-fault.ts'
import { settleOrphans } from './queries.ts'

const lookEveryMs = 1_000
/** Whoever deletes a campaign wakes everybody. */
const lookForRemovedEveryMs = 5_000
const mostRemoved = 5_000

export interface KeeperDependencies {
  database: Database
  chatConnections: ChatConnections
  log: Log
}

/** Starts campaigns when their time has come, freezes their recipients, ends and removes them. Every worker does; none twice. */
export function startKeeping(deps: KeeperDependencies): Loop {
  const { database, log } = deps
  const system = database.forSystem()

  /** One that fails must not keep the others waiting. */
  async function each(
    places: { organization_id: string; livemode: boolean; id: string }[],
    work: (tx: TenantTx, id: string) => Promise<void>,
  ): Promise<void> {
    for (const { organization_id: organizationId, livemode, id } of places)
      await database
        .inTenant({ organizationId, livemode }, (tx) => work(tx, id))
        .catch((error) =>
          log.error({ err: error, campaign: id }, 'a campaign could not be moved on and will be tried again'),
        )
  }

  const states = startLoop(log, onFault, async () => {
    await each(await findDueCampaigns(system), (tx, id) => startDueCampaign(tx, id, deps))
    await each(await findWithoutTemplate(system), failWithoutTemplate)
    await database.inSystem((tx) => Promise.all([lookUpOnly(tx), settleOrphans(tx)]))
    await wakeForgotten(system)
    await each(await findFinishedCampaigns(system), completeCampaign)
    const { ms } = await untilNextStart(system)
    return Math.max(20, Math.min(lookEveryMs, ms ?? lookEveryMs))
  })

  const freezing = startLoop(log, onFault, async () => {
    await analyzeGrownTables(system)
    const unfrozen = await findUnfrozenCampaigns(system)
    await each(unfrozen, goOnFreezing)
    return unfrozen.length > 0 ? 5 : lookEveryMs
  })

  const removing = startLoop(log, onFault, async () => {
    const [, { n }] = await database.inSystem((tx) => Promise.all([lookUpOnly(tx), removeSome(tx, mostRemoved)]))
    if (n < mostRemoved) await removeEmptied(system)
    return n > 0 ? 5 : lookForRemovedEveryMs
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
