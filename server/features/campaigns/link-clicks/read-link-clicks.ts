import type { Database, TenantScope, TenantSql } from '../../../platform/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { ChatError } from '../../../providers/chat/contract.ts'
import type { ClickCount } from '../../../providers/chat/template-contract.ts'
import type { ChatConnections } from '../../channels/connections/chat-connections.ts'
import { findSentTemplate, type LinkClicks, lockClicks, type SentTemplate, saveClicks } from './queries.ts'

/** Reads how often the links of a campaign's message were clicked. The platform counts by template and day. */
export async function readLinkClicks(
  { database, chatConnections }: { database: Database; chatConnections: ChatConnections },
  scope: TenantScope,
  campaignId: string,
): Promise<void> {
  const sql = database.forTenant(scope)
  const sent = await findSentTemplate(sql, campaignId)
  if (!sent) return
  const { counts, error } = await askPlatform(chatConnections, sql, sent)
  await database.inTenant(scope, async (tx) => {
    const known = await lockClicks(tx, campaignId)
    if (known) await saveClicks(tx, campaignId, merged(known.link_clicks, counts), error)
  })
}

/** Counts of each API that may have sent the campaign. Those of one that cannot be asked are missing, with its error. */
async function askPlatform(chatConnections: ChatConnections, sql: TenantSql, sent: SentTemplate) {
  const connection = await chatConnections.open(sql, sent.channel_id).catch(expected)
  if (connection instanceof Error) return { counts: [], error: connection.message }
  const { platform, usesMarketingMessages } = connection
  const current = sent.is_marketing && usesMarketingMessages
  const apis = sent.is_marketing && sent.has_switched ? [current, !current] : [current]
  const query = { templateId: sent.remote_template_id, from: new Date(sent.since), until: new Date() }
  const answers = await Promise.all(
    apis.map((asMarketing) => platform.readClicks({ ...query, asMarketing }).catch(expected)),
  )
  const failure = answers.find((answer) => answer instanceof Error)
  return {
    counts: answers.flatMap((answer) => (answer instanceof Error ? [] : answer)),
    error: failure?.message ?? null,
  }
}

/** The channel was disconnected, the account has no template analytics, or the platform cannot be reached. */
function expected(error: unknown): Error {
  if (error instanceof ChatError || (error instanceof AppError && error.status < 500)) return error
  throw error
}

/**
 * After seven days the platform sets its counts to zero: the highest count of each day is kept, which is also right
 * while a part of the counts is missing.
 */
function merged(known: LinkClicks, counts: ClickCount[]): LinkClicks {
  const clicks = { ...known }
  for (const { day, label, ...sum } of summed(counts)) {
    const labels = new Map(Object.entries(clicks[day] ?? {}))
    const before = labels.get(label)
    const people = Math.max(before?.people ?? 0, sum.people)
    // Some accounts get the number of people alone, each of whom clicked at least once.
    labels.set(label, { people, clicks: Math.max(before?.clicks ?? 0, sum.clicks, people) })
    clicks[day] = Object.fromEntries(labels)
  }
  return clicks
}

/** Each API counts its own messages, so counts of the same day, label and kind add up. */
function summed(counts: ClickCount[]) {
  const sums = new Map<string, { day: string; label: string; clicks: number; people: number }>()
  for (const { day, label, kind, count } of counts) {
    const key = `${day} ${label}`
    const sum = sums.get(key) ?? { day, label, clicks: 0, people: 0 }
    sums.set(key, { ...sum, [kind]: sum[kind] + count })
  }
  return sums.values()
}
