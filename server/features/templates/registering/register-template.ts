import type { Database, TenantScope } from '../../../platform/database.ts'
import { newId } from '../../../platform/ids.ts'
import { ChatError, type ChatPlatform } from '../../../providers/chat/contract.ts'
import type { PlatformTemplate, TemplateDraft } from '../../../providers/chat/template-contract.ts'
import type { ChatConnection, ChatConnections } from '../../channels/connections/chat-connections.ts'
import type { Component } from '../content/component-schema.ts'
import { withExampleValues } from '../content/example-values.ts'
import { askForSync } from '../syncing/ask-for-sync.ts'
import { openAccountConnection } from '../syncing/open-account-connection.ts'
import { whileClaimed } from './hold-claim.ts'
import { isLeaving } from './platform-words.ts'
import { outcomeOf, type RegistrationOutcome, recordOutcome } from './record-outcome.ts'
import { type ClaimedTemplate, claimForRegistration, findHold, markAsked } from './registration-queries.ts'
import { sameContent } from './same-content.ts'

interface Dependencies {
  database: Database
  chatConnections: ChatConnections
}

/** The platform's code for "this name already has this language". */
const existsAlready = '2388024'

/**
 * One attempt to register a template with the platform. It can be cut off at any point and retried: each request is
 * recorded before it is sent, and before a second request the platform is searched for the result of the first.
 */
export async function registerTemplate(
  { database, chatConnections }: Dependencies,
  scope: TenantScope,
  templateId: string,
): Promise<void> {
  const sql = database.forTenant(scope)
  const claimId = newId()
  const template = await claimForRegistration(sql, templateId, claimId)
  if (!template) return
  await whileClaimed(database, scope, { templateId, claimId }, async () => {
    const connection = await openAccountConnection(sql, chatConnections, template)
    const heldSeconds = await findHold(sql, template.business_account_id)
    const markNow = async () => (await markAsked(sql, templateId, claimId))?.at
    const outcome = await attempt(template, connection, heldSeconds, markNow)
    // Without the claim another worker is at it, or it was deleted: their outcome counts.
    if (!outcome) return
    const kept = await database.inTenant(scope, (tx) => recordOutcome(tx, template, outcome))
    if (!kept && outcome.kind === 'registered' && connection)
      await takeBack({ database, connection }, scope, outcome.verdict)
  })
}

/** It was deleted here while the platform was creating it. If the platform cannot be told, a sync shows it. */
async function takeBack(
  { database, connection }: { database: Database; connection: ChatConnection },
  scope: TenantScope,
  created: { id: string; name: string },
): Promise<void> {
  try {
    await connection.platform.deleteTemplate(created)
  } catch (error) {
    if (!(error instanceof ChatError)) throw error
    await database.inTenant(scope, (tx) => askForSync(tx, [connection.businessAccountId]))
  }
}

async function attempt(
  template: ClaimedTemplate,
  connection: ChatConnection | undefined,
  heldSeconds: number,
  markNow: () => Promise<string | undefined>,
): Promise<RegistrationOutcome | undefined> {
  if (!connection) return { kind: 'disconnected' }
  if (heldSeconds > 0) return { kind: 'account_held', seconds: heldSeconds }
  const { platform } = connection
  try {
    const there = template.may_exist && (await lookUp(platform, template))
    if (there) return adopt(template, there)
    const askedAt = await markNow()
    return askedAt === undefined ? undefined : await ask(platform, template, askedAt)
  } catch (error) {
    if (error instanceof ChatError) return outcomeOf(error, template.may_exist)
    throw error
  }
}

async function ask(platform: ChatPlatform, template: ClaimedTemplate, askedAt: string): Promise<RegistrationOutcome> {
  const { name, language, category, message_send_ttl_seconds: ttlSeconds } = template
  const components = withExampleValues(template.components as unknown as Component[])
  try {
    const parts = components as object[] as TemplateDraft['components']
    const draft = { name, language, category, components: parts, ttlSeconds }
    const verdict = await platform.createTemplate(draft)
    return { kind: 'registered', verdict: { ...verdict, name }, at: askedAt }
  } catch (error) {
    if (error instanceof ChatError && error.subcode === existsAlready) return whatIsThere(platform, template, error)
    throw error
  }
}

/** The platform says that the name is taken in this language: perhaps by us, when an answer was lost. */
async function whatIsThere(
  platform: ChatPlatform,
  template: ClaimedTemplate,
  refusal: ChatError,
): Promise<RegistrationOutcome> {
  try {
    const there = await lookUp(platform, template)
    if (there) return adopt(template, there)
    // The platform says that it exists but lists none: one of the two will change.
    return outcomeOf(new ChatError({ ...refusal, message: refusal.message, verdict: 'retry' }, refusal), true)
  } catch (error) {
    if (error instanceof ChatError) return outcomeOf(error, true)
    throw error
  }
}

/** A template being deleted will never be ours. A server without search gives no reason not to retry. */
async function lookUp(platform: ChatPlatform, { name, language }: ClaimedTemplate) {
  try {
    const found = await platform.findTemplate({ name, language })
    return found && !isLeaving(found.status) ? found : undefined
  } catch (error) {
    if (error instanceof ChatError && error.verdict === 'fail') return undefined
    throw error
  }
}

/** The template under this name is the one we requested, or another one that stays as it is. */
function adopt(template: ClaimedTemplate, found: PlatformTemplate): RegistrationOutcome {
  if (sameContent(template.components, found.components)) return { kind: 'found', template: found }
  return {
    kind: 'refused',
    reason:
      'The platform has another template with this name and language already. Choose another name, or sync to work with that one.',
  }
}
