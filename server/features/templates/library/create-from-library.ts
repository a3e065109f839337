import type { Database, TenantScope } from '../../../platform/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { emit } from '../../../platform/events.ts'
import { storable } from '../../../platform/storable.ts'
import { ChatError, type ChatPlatform } from '../../../providers/chat/contract.ts'
import type { PlatformTemplate } from '../../../providers/chat/template-contract.ts'
import type { ChatConnection, ChatConnections } from '../../channels/connections/chat-connections.ts'
import { upstreamFailed, withoutFullStop } from '../../channels/connections/upstream.ts'
import { announceChanges } from '../announce.ts'
import { templateApproved, templateCreated } from '../events.ts'
import { applyListing, wholeSecond } from '../facts.ts'
import { findByName, insertKnownTemplates, lockByName, updateKnownTemplates } from '../queries.ts'
import { isRefusal } from '../registering/is-refusal.ts'
import { syncSoon } from '../syncing/account-queries.ts'
import { askForSync } from '../syncing/ask-for-sync.ts'
import { newTemplate } from '../syncing/reconcile.ts'
import type { LibraryChoice } from './library-schema.ts'

interface Dependencies {
  database: Database
  chatConnections: ChatConnections
}

const refused = (why: string, extra: Record<string, unknown> = {}, cause?: unknown) =>
  new AppError(400, `Failed to create template from library: ${why}`, extra, cause)

/** The platform creates it at once, without a review; it is stored here too. */
export async function createFromLibrary(
  { database, chatConnections }: Dependencies,
  scope: TenantScope,
  libraryName: string,
  { channelId, choice }: { channelId: string; choice: LibraryChoice },
) {
  const sql = database.forTenant(scope)
  const connection = await chatConnections.open(sql, channelId)
  const { language, name = libraryName } = choice
  const existing = await findByName(sql, connection.businessAccountId, name, language)
  if (existing) throw refused(`the template ${name} exists already for this language`, { existing_id: existing.id })
  // If this process dies here, a sync finds what the platform created.
  await database.inTenant(scope, (tx) => syncSoon(tx, connection.businessAccountId))
  const began = new Date()
  const created = await ask(connection.platform, libraryName, { ...choice, name })
  const listed = await readBack(connection.platform, { ...created, name, language })
  const template_id = await store({ database, connection }, scope, listed, wholeSecond(began))
  const { id, status, category } = created
  return { id, status, category, template_id }
}

async function ask(platform: ChatPlatform, libraryName: string, choice: LibraryChoice & { name: string }) {
  const { name, language, button_inputs: buttonInputs } = choice
  try {
    const category = await categoryOf(platform, libraryName, language)
    return await platform.createTemplateFromLibrary({
      name,
      language,
      category,
      libraryTemplateName: libraryName,
      ...(buttonInputs && { buttonInputs }),
    })
  } catch (error) {
    if (!(error instanceof ChatError)) throw error
    if (isRefusal(error)) throw refused(withoutFullStop(error.message), {}, error)
    const isUnknown = error.verdict === 'unknown'
    throw upstreamFailed(`The platform did not ${isUnknown ? 'say whether it created' : 'create'} the template`, error)
  }
}

/** Nearly all are UTILITY; used for servers that do not list their library. */
async function categoryOf(platform: ChatPlatform, name: string, language: string): Promise<string> {
  try {
    const items = await platform.listLibrary({ name })
    const same = items.filter((item) => item.name === name)
    return (same.find((item) => item.language === language) ?? same[0])?.category || 'UTILITY'
  } catch (error) {
    if (error instanceof ChatError && error.verdict === 'fail') return 'UTILITY'
    throw error
  }
}

/** With its text, which only the platform knows. It exists even if it cannot be read right now. */
async function readBack(
  platform: ChatPlatform,
  created: { id: string; status: string; category: string; name: string; language: string },
): Promise<PlatformTemplate> {
  const known = { ...created, components: [], qualityScore: '', rejectedReason: null }
  try {
    const found = await platform.findTemplate({ id: created.id })
    // Its status is the replied one; later changes arrive by webhook.
    return { ...known, ...(found && { components: found.components, rejectedReason: found.rejectedReason }) }
  } catch (error) {
    if (error instanceof ChatError) return known
    throw error
  }
}

function store(
  { database, connection }: { database: Database; connection: ChatConnection },
  scope: TenantScope,
  listed: PlatformTemplate,
  at: string,
): Promise<string | null> {
  const template = storable(listed)
  return database.inTenant(scope, async (tx) => {
    if (template.components.length === 0) await askForSync(tx, [connection.businessAccountId])
    const [created] = await insertKnownTemplates(tx, [newTemplate(connection, template, at)])
    if (created) {
      await emit(tx, templateCreated, created)
      if (created.status === 'APPROVED') await emit(tx, templateApproved, created)
      return created.id
    }
    const before = await lockByName(tx, connection.businessAccountId, template.name, template.language)
    if (before?.registration !== 'registered') {
      // Another request is about to register this name, and will learn that it is taken.
      await askForSync(tx, [connection.businessAccountId])
      return null
    }
    // A sync was faster.
    const [after] = await updateKnownTemplates(tx, [applyListing(before, template, at)])
    if (after) await announceChanges(tx, [{ before, after }])
    return before.id
  })
}
