import type { TenantTx } from '../../platform/database.ts'
import { lockOutcomes, saveOutcomes } from './move-queries.ts'
import { pauseCampaigns } from './pause-campaign.ts'

/** How an attempt ended; `turned` is one that had ended well and failed afterwards. */
export interface AttemptEnd {
  campaignId: string
  end: 'good' | 'bad' | 'turned'
}

const remembered = 100
const mostBad = 50

/** What is remembered of the last attempts after these: the latest last, 0 well, 1 badly. */
export function rememberEnds(recent: string, ends: AttemptEnd['end'][]): string {
  let outcomes = recent.padStart(remembered, '0')
  for (const end of ends) {
    if (end !== 'turned') outcomes += end === 'good' ? '0' : '1'
    else {
      // It was counted among the good, and may be the last of them.
      const place = outcomes.lastIndexOf('0')
      if (place >= 0) outcomes = `${outcomes.slice(0, place)}1${outcomes.slice(place + 1)}`
    }
    outcomes = outcomes.slice(-remembered)
  }
  return outcomes.includes('1') ? outcomes : ''
}

const badIn = (outcomes: string): number => outcomes.split('1').length - 1

/** Remembers how attempts ended, and pauses a campaign of which half of the last hundred ended badly. */
export async function watchFailures(tx: TenantTx, ends: AttemptEnd[]): Promise<string[]> {
  const byCampaign = Map.groupBy(ends, ({ campaignId }) => campaignId)
  const unwell = ends.filter(({ end }) => end !== 'good').map(({ campaignId }) => campaignId)
  if (byCampaign.size === 0) return []
  const known = await lockOutcomes(tx, [...byCampaign.keys()], unwell)
  if (known.length === 0) return []
  const rows = known.map(({ id, recent_outcomes }) => ({
    id,
    outcomes: rememberEnds(
      recent_outcomes,
      (byCampaign.get(id) ?? []).map(({ end }) => end),
    ),
  }))
  await saveOutcomes(tx, rows)
  const tripped = rows.filter(({ outcomes }) => badIn(outcomes) >= mostBad)
  return pauseCampaigns(
    tx,
    tripped.map(({ id }) => id),
    {
      reason: 'failure_rate',
      detail: `At least ${mostBad} of the last ${remembered} messages failed: look at the reasons before you resume it`,
    },
  )
}
