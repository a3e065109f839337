import type { TenantScope } from '../../../platform/database.ts'
import type { OnFallback } from '../../../providers/fallback/contract.ts'
import type { Speaker } from '../../../providers/speech-to-speech/contract.ts'
import { fillVariables } from '../../agents/answering/fill-variables.ts'
import type { OpenAgent, Turn } from '../../agents/answering/turn.ts'
import type { Phrases } from '../../agents/config/speech-settings.ts'
import type { RunnableTool } from '../../agents/tools/contract.ts'
import type { ContactBrief } from '../../contacts/schema.ts'
import type { Agents } from '../agents.ts'
import type { AgentOnCall, CallConverse } from '../conversation/contract.ts'
import { defaultPhrase } from '../conversation/default-phrases.ts'
import type { JoinedCall } from '../progress-queries.ts'

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
const filled = (text: string, { contact, variables }: Pick<TalkSetup, 'contact' | 'variables'>): string =>
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

/** A briefing is spoken: more would keep the caller waiting. */
const longestReason = 500

/** What the person hears whom the caller is transferred to; null if they are connected at once. */
export function briefingOf(talk: TalkSetup, joined: JoinedCall, reason: string): string | null {
  const { agent, contact } = talk
  const { call_settings, language, phrases } = agent.config
  if (!call_settings.warm_transfer) return null
  const number = joined.direction === 'inbound' ? joined.from_number : joined.to_number
  const caller = contact?.name || number
  const said = { caller, reason: reason.slice(0, longestReason).toWellFormed().trim() }
  return filled(phrases.briefing ?? defaultPhrase('briefing', language), {
    contact,
    variables: { ...talk.variables, ...said },
  })
}
