import type { TenantScope } from '../../../platform/database.ts'
import { addChatTokens } from '../queries.ts'
import type { Conversing, Usage } from './turn.ts'

/** Adds to the organization's month. A failure is only logged, so that the caller still gets the text. */
export async function countTokens({ knowledge, log }: Conversing, scope: TenantScope, usage: Usage): Promise<void> {
  if (usage.input_tokens + usage.output_tokens === 0) return
  const ownKey = usage.own_key ?? { input_tokens: 0, output_tokens: 0 }
  await addChatTokens(knowledge.database.forTenant(scope), usage, ownKey).catch((error) =>
    log.error({ err: error }, 'agents: counting tokens failed'),
  )
}
