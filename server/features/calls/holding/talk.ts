import type { TenantScope } from '../../../platform/database.ts'
import type { ContactBrief, OpenAgent } from '../../agents/converse.ts'
import type { Agents } from '../agents.ts'
import type { CallConverse } from '../conversation/contract.ts'

export interface TalkSetup {
  scope: TenantScope
  agent: OpenAgent
  contact: ContactBrief | undefined
  variables: Record<string, unknown>
}

/** Binds one call's tenant, agent and caller into what the conversation asks for each turn. */
export const talkAs =
  ({ converse }: Agents, call: TalkSetup): CallConverse =>
  (turn) =>
    converse({ ...call, ...turn, medium: 'voice', now: new Date() })

/** Fills `{{name}}` with what is known; what is not known is left out rather than read aloud. */
export function filledIn(text: string, variables: Record<string, unknown>, contact: ContactBrief | undefined): string {
  const known: Record<string, unknown> = {
    ...(contact && { name: contact.name, 'contact.name': contact.name, 'contact.phone_number': contact.phone_number }),
    ...variables,
  }
  return text
    .replace(/\{\{\s*([\w.]+)\s*\}\}/g, (_, name: string) => {
      const value = known[name]
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
    })
    .replace(/ {2,}/g, ' ')
    .replace(/ ([,.!?])/g, '$1')
    .trim()
}
