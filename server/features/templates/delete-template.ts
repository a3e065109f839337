import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, TenantScope, TenantSql } from '../../platform/database.ts'
import { AppError, conflict, found } from '../../platform/errors.ts'
import { emit } from '../../platform/events.ts'
import { newId } from '../../platform/ids.ts'
import type { ChatConnection, ChatConnections } from '../channels/connections/chat-connections.ts'
import { failWith } from '../channels/connections/upstream.ts'
import { templateDeleted } from './events.ts'
import { deleteTemplateRow } from './queries.ts'
import { whileClaimed } from './registering/hold-claim.ts'
import { type ClaimedTemplate, claimForDeletion } from './registering/registration-queries.ts'
import { sameContent } from './registering/same-content.ts'
import { syncSoon } from './syncing/account-queries.ts'
import { openAccountConnection } from './syncing/open-account-connection.ts'

/** Longer than the platform may take to answer a pending registration. */
const waitMs = 40_000
const lookEveryMs = 100

/**
 * Deletes at the platform first, then here: a template that is gone here but exists there could not be managed.
 * Whatever fails in between, the template stays here and can be deleted again.
 */
export async function deleteTemplate(
  { database, chatConnections }: { database: Database; chatConnections: ChatConnections },
  scope: TenantScope,
  id: string,
  { localOnly }: { localOnly: boolean },
): Promise<void> {
  const sql = database.forTenant(scope)
  const claimId = newId()
  const template = await claim(sql, id, claimId)
  await whileClaimed(database, scope, { templateId: id, claimId }, async () => {
    // The platform does not have a template that was never requested, or that it refused.
    if (template.remote_template_id !== null || template.may_exist) {
      const connection = await openAccountConnection(sql, chatConnections, template)
      if (connection) await deleteThere(connection, template)
      else if (!localOnly) throw disconnected(template)
    }
    await database.inTenant(scope, async (tx) => {
      const gone = await deleteTemplateRow(tx, id)
      if (gone) await emit(tx, templateDeleted, gone)
      // If the platform accepts it later after all, it is synced back.
      if (template.may_exist) await syncSoon(tx, template.business_account_id)
    })
  })
}

/** Waits for a pending registration: its answer says what there is to delete. */
async function claim(sql: TenantSql, id: string, claimId: string): Promise<ClaimedTemplate> {
  for (const end = Date.now() + waitMs; ; await sleep(lookEveryMs)) {
    const template = found(await claimForDeletion(sql, id, claimId), 'Template')
    if (template.claimed) return template
    if (Date.now() > end)
      throw conflict('A request about this template is running at the platform: try again in a minute')
  }
}

async function deleteThere({ platform }: ChatConnection, template: ClaimedTemplate): Promise<void> {
  const { name, language, components } = template
  try {
    let { remote_template_id: remoteId } = template
    if (remoteId === null) {
      // Requested without an answer. Another template under this name is not ours to delete.
      const found = await platform.findTemplate({ name, language })
      remoteId = found && sameContent(components, found.components) ? found.id : null
    }
    if (remoteId !== null) await platform.deleteTemplate({ id: remoteId, name })
  } catch (error) {
    failWith('The platform did not delete the template')(error)
  }
}

const disconnected = ({ business_account_id }: ClaimedTemplate) =>
  new AppError(
    409,
    `The template may live on at the platform, and no channel leads to its business account ${business_account_id} any more. ` +
      'Connect a channel to that account first, or delete the template at the platform yourself and repeat this with local_only=true.',
  )
