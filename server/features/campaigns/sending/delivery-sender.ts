import type { Database, TenantScope } from '../../../platform/database.ts'
import { ChatError, type OutgoingMessage } from '../../../providers/chat/contract.ts'
import type { FileStore } from '../../../providers/files/contract.ts'
import { type ChatConnection, sendsAsMarketing } from '../../channels/connections/chat-connections.ts'
import { hiddenCode } from '../../templates/content/hide-codes.ts'
import { parametersOf, storedMediaIn } from '../../templates/content/parameters.ts'
import { type FrozenTemplate, recipientOf } from '../../templates/content/render-message.ts'
import { createMediaUploads } from '../../templates/media/upload-for-sending.ts'
import { judgeFailure, type SendOutcome } from '../deliveries/judge-failure.ts'
import { findSendingCampaigns } from '../deliveries/move-queries.ts'
import type { ClaimedDelivery, SendQueue } from './send-queues.ts'

/** After a fault of the database or the file store. */
const fileFaultDelayMs = 5_000
const maxTemplates = 1_000

/** Posts deliveries as messages of their campaigns' templates, which it caches. */
export function createDeliverySender({ database, files }: { database: Database; files: FileStore }) {
  const templates = new Map<string, FrozenTemplate & { category: string | null }>()
  const uploads = createMediaUploads({ database, files })

  /** Reads the templates of campaigns that are not cached yet. */
  async function cacheTemplates(scope: TenantScope, campaignIds: string[]): Promise<void> {
    const missing = [...new Set(campaignIds)].filter((id) => !templates.has(id))
    if (missing.length === 0) return
    if (templates.size > maxTemplates) templates.clear()
    for (const campaign of await findSendingCampaigns(database.forTenant(scope), missing))
      templates.set(campaign.id, {
        name: campaign.template_name ?? '',
        language: campaign.template_language ?? '',
        components: campaign.template_components ?? [],
        category: campaign.template_category,
      })
  }

  /** Posts the message. Every failure is an outcome. */
  async function send(
    { connection, scope }: SendQueue,
    item: ClaimedDelivery,
    onWritten: () => void,
  ): Promise<SendOutcome> {
    let message: OutgoingMessage
    try {
      message = await messageOf(item, scope, connection)
    } catch (error) {
      // A header's file could not be uploaded: the message was not sent.
      if (error instanceof ChatError) return judgeFailure(error, item.attempts + 1)
      if (error instanceof FileFault) return error.outcome
      return { kind: 'failed', code: 'not_sendable', reason: (error as Error).message, optsOut: false }
    }
    try {
      const { id } = await connection.platform.send(message, onWritten)
      return { kind: 'accepted', chatMessageId: id }
    } catch (error) {
      return judgeFailure(error, item.attempts + 1)
    }
  }

  async function messageOf(item: ClaimedDelivery, scope: TenantScope, connection: ChatConnection) {
    const template = templates.get(item.campaignId)
    if (!template) throw new Error('The campaign of this message was deleted')
    const { name, language, category } = template
    if (Object.values(item.variables).includes(hiddenCode))
      throw new Error('The one-time code of this message is not kept once WhatsApp has it: send a new one')
    const asMarketing = sendsAsMarketing(connection, category)
    const media = storedMediaIn(template.components, item.variables)
    const uploaded = media.length > 0 ? await uploads(scope, connection, media).catch(toFileFault) : undefined
    const components = parametersOf(template, item.variables, uploaded)
    // The platform returns this id with every receipt. It matches a receipt to a request whose answer was lost.
    const callbackData = item.id
    return { type: 'template' as const, to: recipientOf(item), callbackData, name, language, components, asMarketing }
  }

  return { cacheTemplates, send }
}

/** The database or the file store failed while a header's file was prepared: the message is sent later. */
class FileFault extends Error {
  readonly outcome: SendOutcome = {
    kind: 'again',
    delayMs: fileFaultDelayMs,
    code: 'file_unavailable',
    reason: 'The file of the header could not be read. Frontdesk tries again.',
  }
}

const toFileFault = (error: unknown): never => {
  throw error instanceof ChatError
    ? error
    : new FileFault('the file of a header could not be prepared', { cause: error })
}
