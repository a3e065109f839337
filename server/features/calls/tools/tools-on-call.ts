import type { TenantScope } from '../../../platform/database.ts'
import type { OpenAgent, Turn } from '../../agents/answering/turn.ts'
import type { RunnableTool } from '../../agents/tools/contract.ts'
import type { Sending } from '../../inbox/sending/send-message.ts'
import type { CallMedia } from '../conversation/contract.ts'
import type { JoinedCall } from '../progress-queries.ts'
import { type Keypad, pressKeysTool } from './press-keys.ts'
import { sendMessageTool } from './send-message.ts'

interface CallWithTools {
  scope: TenantScope
  joined: JoinedCall
  agent: OpenAgent
  media: CallMedia
}

/** What the agent can do on this call besides its own tools, for each turn. */
export function toolsOnCall(sending: Sending, { scope, joined, agent, media }: CallWithTools) {
  const { send_messages, press_keys } = agent.config.call_settings
  const keypad: Keypad = {}
  return (history: Turn[]): RunnableTool[] => {
    const turn = history.filter(({ speaker }) => speaker === 'caller').length
    const { id: callId, contact_id: contactId, medium } = joined
    return [
      ...(send_messages && contactId ? [sendMessageTool(sending, { scope, callId, contactId, agent, turn })] : []),
      ...(press_keys && medium === 'phone' ? [pressKeysTool(media, { turn, keypad })] : []),
    ]
  }
}
