import { type TenantTx, TryAgain } from '../../platform/database.ts'
import { conflict } from '../../platform/errors.ts'
import { emit } from '../../platform/events.ts'
import { newId } from '../../platform/ids.ts'
import type { ChatConnections } from '../channels/connections/chat-connections.ts'
import { templateCreated } from './events.ts'
import { enqueueRegistration } from './job-kinds.ts'
import { findByName, insertTemplate } from './queries.ts'
import { platformWarnings } from './registering/platform-rules.ts'
import type { NewTemplate, Template, Warning } from './schema.ts'
import { noteAccount } from './syncing/account-queries.ts'

/** Stored at once; a job that commits with the row registers it with the platform. */
export async function createTemplate(
  tx: TenantTx,
  input: NewTemplate,
  { chatConnections }: { chatConnections: ChatConnections },
): Promise<Template & { warnings: Warning[] }> {
  const { name, language, category, message_send_ttl_seconds = null } = input
  // Opening a connection reads the channel and makes no request.
  const connection = await chatConnections.open(tx, input.channel_id)
  const components = input.components.map(withoutNulls)
  const template = await insertTemplate(tx, {
    id: newId(),
    channel_id: connection.channelId,
    account_id: connection.accountId,
    business_account_id: connection.businessAccountId,
    name,
    language,
    category,
    components,
    message_send_ttl_seconds,
  })
  if (!template) {
    const existing = await findByName(tx, connection.businessAccountId, name, language)
    // Deleted since: the name is free again.
    if (!existing) throw new TryAgain(new Error('a template name was taken and is free again'))
    throw conflict(`A template with the name ${name} and the language ${language} exists already`, existing.id)
  }
  await Promise.all([
    noteAccount(tx, connection.businessAccountId),
    enqueueRegistration(tx, tx.scope, template.id),
    emit(tx, templateCreated, template),
  ])
  return { ...template, warnings: platformWarnings({ category, components, message_send_ttl_seconds }) }
}

/** Null for an optional member means absent, at any depth. */
export function withoutNulls<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutNulls) as T
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)])) as T
}
