import type { TenantSql } from '../../../platform/database.ts'
import type { ChatConnections } from '../../channels/connections/chat-connections.ts'
import { withoutNulls } from '../create-template.ts'
import { findByName } from '../queries.ts'
import type { NewTemplate, TemplatePreflight } from '../schema.ts'
import { platformWarnings } from './platform-rules.ts'

/** The warnings that creating this template would give, without writing or calling anything. */
export async function preflightTemplate(
  sql: TenantSql,
  input: NewTemplate,
  { chatConnections }: { chatConnections: ChatConnections },
): Promise<TemplatePreflight> {
  const { name, language, category, message_send_ttl_seconds = null } = input
  const connection = await chatConnections.open(sql, input.channel_id)
  const existing = await findByName(sql, connection.businessAccountId, name, language)
  const components = input.components.map(withoutNulls)
  const warnings = platformWarnings({ category, components, message_send_ttl_seconds })
  return { warnings, existing_id: existing?.id ?? null }
}
