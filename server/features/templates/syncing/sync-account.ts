import type { Database, TenantScope, TenantSql } from '../../../platform/database.ts'
import { storable } from '../../../platform/storable.ts'
import { ChatError } from '../../../providers/chat/contract.ts'
import type { PlatformTemplate } from '../../../providers/chat/template-contract.ts'
import type { ChatConnection } from '../../channels/connections/chat-connections.ts'
import { isLeaving } from '../registering/platform-words.ts'
import { beginListing, isLatestListing, listRegistered, lockListing } from './account-queries.ts'
import { reconcile } from './reconcile.ts'

export interface SyncCounts {
  added: number
  updated: number
  removed: number
  unchanged: number
}

/** Far more than an account can hold: a longer list does not come from the platform. */
const mostTemplates = 20_000
/** How many missing templates are looked up one by one, and how many at once; the others wait for the next sync. */
const mostMissing = 200
const atOnce = 8

/** Reads all templates of one business account from the platform, then updates ours in one transaction. */
export async function syncAccount(
  database: Database,
  scope: TenantScope,
  connection: ChatConnection,
): Promise<SyncCounts> {
  const sql = database.forTenant(scope)
  const { at: beganAt } = await beginListing(sql, connection.businessAccountId)
  const listed = await readAll(connection)
  const gone = await findGone(sql, connection, listed)
  return database.inTenant(scope, async (tx) => {
    await lockListing(tx, connection.businessAccountId)
    // Another sync began after this one and has finished: it has read everything again.
    if (!(await isLatestListing(tx, connection.businessAccountId, beganAt)))
      return { added: 0, updated: 0, removed: 0, unchanged: listed.size }
    return reconcile(tx, connection, { beganAt, listed: [...listed.values()], gone })
  })
}

/** By id: a page can repeat entries of the one before when a template was created meanwhile. */
async function readAll({ platform }: ChatConnection): Promise<Map<string, PlatformTemplate>> {
  const listed = new Map<string, PlatformTemplate>()
  for await (const page of platform.listTemplates()) {
    for (const template of page) if (template.status !== 'DELETED') listed.set(template.id, storable(template))
    if (listed.size > mostTemplates)
      throw new ChatError({
        verdict: 'fail',
        scope: 'account',
        code: 'bad_answer',
        subcode: null,
        message: `the platform lists more than ${mostTemplates} templates`,
        retryAfterMs: null,
      })
  }
  return listed
}

/**
 * Our templates that the list lacks and that the platform does not know by id: pages can miss one when another was
 * deleted meanwhile, and a template removed here by mistake is lost to its campaigns.
 */
async function findGone(
  sql: TenantSql,
  { platform, businessAccountId }: ChatConnection,
  listed: Map<string, PlatformTemplate>,
): Promise<string[]> {
  const ours = await listRegistered(sql, businessAccountId)
  const missing = ours.filter(({ remote_template_id }) => !listed.has(remote_template_id)).slice(0, mostMissing)
  const gone: string[] = []
  const waiting = missing.values()
  const askOneByOne = async () => {
    for (const { id, remote_template_id } of waiting) {
      const found = await platform.findTemplate({ id: remote_template_id })
      if (!found || isLeaving(found.status)) gone.push(id)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, askOneByOne))
  return gone
}
