import type { Database, TenantScope } from '../../../platform/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { ChatError, type ClickCount } from '../../../providers/chat/contract.ts'
import type { ChatConnections } from '../../channels/chat-connections.ts'
import { findSentTemplate, type LinkClicks, lockClicks, saveClicks, saveClicksError } from './queries.ts'

/** Reads how often the links of a campaign's message were clicked. The platform counts by template and day. */
export async function readLinkClicks(
  { database, chatConnections }: { database: Database; chatConnections: ChatConnections },
  scope: TenantScope,
  campaignId: string,
): Promise<void> {
  const sql = database.forTenant(scope)
  const sent = await findSentTemplate(sql, campaignId)
  if (!sent) return
  try {
    const { platform, usesMarketingMessages } = await chatConnections.open(sql, sent.channel_id)
    const counts = await platform.readClicks({
      templateId: sent.remote_template_id,
      from: new Date(sent.since),
      until: new Date(),
      asMarketing: usesMarketingMessages && sent.template_category === 'MARKETING',
    })
    await database.inTenant(scope, async (tx) => {
      const known = await lockClicks(tx, campaignId)
      if (known) await saveClicks(tx, campaignId, merged(known.link_clicks, counts))
    })
  } catch (error) {
    // The channel was disconnected, the account has no template analytics, or the platform cannot be reached.
    if (!(error instanceof ChatError || (error instanceof AppError && error.status < 500))) throw error
    await saveClicksError(sql, campaignId, error.message)
  }
}

/** After seven days the platform sets its counts to zero: the highest count of each day is kept. */
function merged(known: LinkClicks, counts: ClickCount[]): LinkClicks {
  const clicks = { ...known }
  for (const { day, label, kind, count } of counts) {
    const before = clicks[day]?.[label] ?? { clicks: 0, people: 0 }
    const people = kind === 'people' ? Math.max(before.people, count) : before.people
    // Some accounts get the number of people alone, each of whom clicked at least once.
    clicks[day] = { ...clicks[day], [label]: { people, clicks: Math.max(before.clicks, count) } }
  }
  return clicks
}
