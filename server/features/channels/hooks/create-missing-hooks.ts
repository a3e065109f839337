import type { Database } from '../../../platform/database.ts'
import type { Log } from '../../../platform/log.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import { listChannelsWithoutHook } from '../queries.ts'
import { hookOfChannel } from './hook-of-channel.ts'

/**
 * Creates hooks at startup for channels from before hooks existed. A migration cannot, because it cannot decrypt their
 * secrets.
 */
export async function createMissingHooks(database: Database, secrets: SecretBox, log: Log): Promise<void> {
  for (const { organization_id, livemode, id } of await listChannelsWithoutHook(database.forSystem()))
    try {
      await hookOfChannel(database.forTenant({ organizationId: organization_id, livemode }), id, { secrets })
    } catch (error) {
      log.error({ err: error, channel: id }, 'channel hooks: creating a missing hook failed')
    }
}
