import type { Database, TenantScope } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import { ChatError, upstreamOf } from '../../providers/chat/contract.ts'
import type { ChatLine, ChatLines } from '../channels/chat-lines.ts'
import { noteSyncFailure } from './account-queries.ts'
import { openAccountLine, openEveryAccount } from './open-account-line.ts'
import type { SyncReport } from './schema.ts'
import { storable } from './storable.ts'
import { type SyncCounts, syncAccount } from './sync-account.ts'
import { upstreamFailed, withoutFullStop } from './upstream.ts'

interface Dependencies {
  database: Database
  lines: ChatLines
  log: Pick<Log, 'warn'>
}

/** How many business accounts of one request are read at once. */
const atOnce = 4

/**
 * For a waiting caller: the account of one channel, or all of them. A failing account does not hide the others: it is
 * in the report, and the sync fails only when none could be read.
 */
export async function syncTemplates(
  { database, lines }: Omit<Dependencies, 'log'>,
  scope: TenantScope,
  channelId: string | undefined,
): Promise<SyncReport> {
  const sql = database.forTenant(scope)
  const accounts = channelId === undefined ? await openEveryAccount(sql, lines) : [await lines.open(sql, channelId)]
  const counts: SyncCounts[] = []
  const failed: { line: ChatLine; error: ChatError }[] = []
  const waiting = accounts.values()
  const syncOneByOne = async () => {
    for (const line of waiting) {
      const result = await trySync(database, scope, line)
      if (result instanceof ChatError) failed.push({ line, error: result })
      else counts.push(result)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, syncOneByOne))
  const [first] = failed
  if (first && counts.length === 0) throw upstreamFailed('The platform’s templates could not be read', first.error)
  const sum = (name: keyof SyncCounts) => counts.reduce((total, each) => total + each[name], 0)
  return {
    added: sum('added'),
    updated: sum('updated'),
    removed: sum('removed'),
    unchanged: sum('unchanged'),
    synced_at: new Date().toISOString(),
    failures: failed.map(({ line, error }) => ({
      channel_id: line.channelId,
      business_account_id: line.businessAccountId,
      detail: `The platform’s templates could not be read: ${withoutFullStop(error.message)}`,
      upstream: upstreamOf(error),
    })),
  }
}

/** In the background: a failure is recorded at the account, and retried with its next sync. */
export async function syncInTheBackground(
  { database, lines, log }: Dependencies,
  scope: TenantScope,
  businessAccountId: string,
): Promise<void> {
  const sql = database.forTenant(scope)
  const line = await openAccountLine(sql, lines, { business_account_id: businessAccountId })
  if (!line) {
    await noteSyncFailure(sql, businessAccountId, 'No channel leads to this business account any more', null)
    return
  }
  const result = await trySync(database, scope, line)
  if (result instanceof ChatError)
    log.warn(
      { ...scope, businessAccountId, ...upstreamOf(result) },
      'template sync: business account could not be read',
    )
}

const quarter = 1 / 4
const longer = 6

async function trySync(database: Database, scope: TenantScope, line: ChatLine): Promise<SyncCounts | ChatError> {
  try {
    return await syncAccount(database, scope, line)
  } catch (error) {
    if (!(error instanceof ChatError)) throw error
    // Until a setting changes, the platform would only answer the same.
    const hours = error.verdict === 'token_expired' || error.verdict === 'pause' ? longer : quarter
    await noteSyncFailure(database.forTenant(scope), line.businessAccountId, storable(error.message), hours)
    return error
  }
}
