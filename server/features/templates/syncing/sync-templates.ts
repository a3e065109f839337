import type { Database, TenantScope } from '../../../platform/database.ts'
import type { Log } from '../../../platform/log.ts'
import { storable } from '../../../platform/storable.ts'
import { ChatError } from '../../../providers/chat/contract.ts'
import { upstreamOf } from '../../../providers/chat/explain-error.ts'
import type { ChatConnection, ChatConnections } from '../../channels/connections/chat-connections.ts'
import { upstreamFailed, withoutFullStop } from '../../channels/connections/upstream.ts'
import { noteSyncFailure } from './account-queries.ts'
import { openAccountConnection, openEveryAccount } from './open-account-connection.ts'
import type { SyncReport } from './schema.ts'
import { type SyncCounts, syncAccount } from './sync-account.ts'

interface Dependencies {
  database: Database
  chatConnections: ChatConnections
  log: Pick<Log, 'warn'>
}

/** How many business accounts of one request are read at once. */
const atOnce = 4

/**
 * For a waiting caller: the account of one channel, or all of them. A failing account does not hide the others: it is
 * in the report, and the sync fails only when none could be read.
 */
export async function syncTemplates(
  { database, chatConnections }: Omit<Dependencies, 'log'>,
  scope: TenantScope,
  channelId: string | undefined,
): Promise<SyncReport> {
  const sql = database.forTenant(scope)
  const accounts =
    channelId === undefined
      ? await openEveryAccount(sql, chatConnections)
      : [await chatConnections.open(sql, channelId)]
  const counts: SyncCounts[] = []
  const failed: { connection: ChatConnection; error: ChatError }[] = []
  const waiting = accounts.values()
  const syncOneByOne = async () => {
    for (const connection of waiting) {
      const result = await trySync(database, scope, connection)
      if (result instanceof ChatError) failed.push({ connection, error: result })
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
    failures: failed.map(({ connection, error }) => ({
      channel_id: connection.channelId,
      business_account_id: connection.businessAccountId,
      detail: `The platform’s templates could not be read: ${withoutFullStop(error.message)}`,
      upstream: upstreamOf(error),
    })),
  }
}

/** In the background: a failure is recorded at the account, and retried with its next sync. */
export async function syncInTheBackground(
  { database, chatConnections, log }: Dependencies,
  scope: TenantScope,
  businessAccountId: string,
): Promise<void> {
  const sql = database.forTenant(scope)
  const connection = await openAccountConnection(sql, chatConnections, { business_account_id: businessAccountId })
  if (!connection) {
    await noteSyncFailure(sql, businessAccountId, 'No channel leads to this business account any more', null)
    return
  }
  const result = await trySync(database, scope, connection)
  if (result instanceof ChatError)
    log.warn(
      { ...scope, businessAccountId, ...upstreamOf(result) },
      'template sync: business account could not be read',
    )
}

const quarter = 1 / 4
const longer = 6

async function trySync(
  database: Database,
  scope: TenantScope,
  connection: ChatConnection,
): Promise<SyncCounts | ChatError> {
  try {
    return await syncAccount(database, scope, connection)
  } catch (error) {
    if (!(error instanceof ChatError)) throw error
    // Until a setting changes, the platform would only answer the same.
    const hours = error.verdict === 'token_expired' || error.verdict === 'pause' ? longer : quarter
    await noteSyncFailure(database.forTenant(scope), connection.businessAccountId, storable(error.message), hours)
    return error
  }
}
