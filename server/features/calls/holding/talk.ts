import type { TenantScope } from '../../../platform/database.ts'
import { fillVariables } from '../../agents/fill-variables.ts'
import { linesIn } from '../../agents/phrases.ts'
import type { OpenAgent } from '../../agents/turn.ts'
import type { ContactBrief } from '../../contacts/schema.ts'
import type { Agents } from '../agents.ts'
import type { AgentOnCall, CallConverse } from '../conversation/contract.ts'
import type { JoinedCall } from '../progress-queries.ts'

interface TalkSetup {
  scope: TenantScope
  agent: OpenAgent
  contact: ContactBrief | undefined
  variables: Record<string, unknown>
}

/** Binds the tenant, agent and contact of a call into the function that the conversation calls for each turn. */
export const talkAs =
  ({ converse }: Agents, call: TalkSetup): CallConverse =>
  (turn) =>
    converse({ ...call, ...turn, medium: 'voice', now: new Date() })

/** Fills in the welcome message. Unknown variables are removed with the surrounding whitespace. */
export const greetingOf = ({ agent, contact, variables }: TalkSetup): string =>
  fillVariables(agent.config.welcome_message ?? '', { contact, variables })
    .replace(/ {2,}/g, ' ')
    .replace(/ ([,.!?])/g, '$1')
    .trim()

/**
 * What the agent says and does when it gives up: transfers a phone call if a number is configured, otherwise promises a
 * call back to a known contact. It promises the same if a transfer fails.
 */
export function givingUpOf(
  { medium, contact_id }: JoinedCall,
  { language, call_settings: { transfer_number: transferTo } }: OpenAgent['config'],
): Required<Pick<AgentOnCall, 'givingUp' | 'notTransferredPhrase'>> {
  const { connecting, callBack, tryLater } = linesIn(language)
  const promise = contact_id === null ? tryLater : callBack
  const isTransferable = medium === 'phone' && transferTo !== null
  return {
    givingUp: isTransferable ? { say: connecting, transferTo } : { say: promise },
    notTransferredPhrase: promise,
  }
}
