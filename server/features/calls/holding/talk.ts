import type { TenantScope } from '../../../platform/database.ts'
import type { OnFallback } from '../../../providers/fallback/contract.ts'
import type { Speaker } from '../../../providers/speech-to-speech/contract.ts'
import { fillVariables } from '../../agents/fill-variables.ts'
import type { Phrases } from '../../agents/speech-settings.ts'
import type { RunnableTool } from '../../agents/tools/contract.ts'
import type { OpenAgent, Turn } from '../../agents/turn.ts'
import type { ContactBrief } from '../../contacts/schema.ts'
import type { Agents } from '../agents.ts'
import type { AgentOnCall, CallConverse } from '../conversation/contract.ts'
import type { JoinedCall } from '../progress-queries.ts'
import { briefingFor } from '../transfers/briefing.ts'

interface TalkSetup {
  scope: TenantScope
  agent: OpenAgent
  contact: ContactBrief | undefined
  variables: Record<string, unknown>
  memory: string | undefined
  toolsFor(history: Turn[]): RunnableTool[]
  speaker?: Speaker | undefined
  onFallback?: OnFallback
}

/** Binds the tenant, agent and contact of a call into the function that the conversation calls for each turn. */
export const talkAs =
  ({ converse }: Agents, { toolsFor, ...call }: TalkSetup): CallConverse =>
  (turn) =>
    converse({ ...call, ...turn, tools: toolsFor(turn.history), medium: 'voice', now: new Date() })

/** Fills in variables. Unknown ones are removed with the surrounding whitespace. */
const filled = (text: string, { contact, variables }: TalkSetup): string =>
  fillVariables(text, { contact, variables })
    .replace(/ {2,}/g, ' ')
    .replace(/ ([,.!?])/g, '$1')
    .trim()

export const greetingOf = (talk: TalkSetup): string => filled(talk.agent.config.welcome_message ?? '', talk)

/** The agent's own phrases, with variables filled in. */
export const phrasesOf = (talk: TalkSetup): Phrases =>
  Object.fromEntries(
    Object.entries(talk.agent.config.phrases).map(([name, text]) => [name, text && filled(text, talk)]),
  ) as Phrases

/**
 * What happens when the agent gives up: a phone call is transferred if a number is configured, otherwise a known contact
 * is promised a call back. The same is promised if a transfer fails.
 */
export function givingUpOf(
  { medium, contact_id }: JoinedCall,
  { call_settings: { transfer_number: transferTo } }: OpenAgent['config'],
): NonNullable<AgentOnCall['givingUp']> {
  return {
    ...(medium === 'phone' && transferTo !== null && { transferTo }),
    promisesCallBack: contact_id !== null,
  }
}

/** Rules of static agents need a text and a voice for it. */
export function speechToSpeechOf({ type, config: { voice_settings } }: OpenAgent) {
  if (voice_settings?.mode !== 'speech_to_speech' || type === 'static') return undefined
  const { model, provider, provider_voice_id } = voice_settings
  return { model, voice: provider === 'openai' ? provider_voice_id : null }
}

/** What the person hears whom the caller is transferred to; null if they are connected at once. */
export function briefingOf({ agent, contact }: TalkSetup, joined: JoinedCall, reason: string): string | null {
  const { call_settings, language } = agent.config
  const number = joined.direction === 'inbound' ? joined.from_number : joined.to_number
  return call_settings.warm_transfer ? briefingFor(language, { who: contact?.name || number, reason }) : null
}
