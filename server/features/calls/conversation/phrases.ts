import { primaryLanguage } from '../../../platform/primary-language.ts'
import type { PhraseName } from '../../agents/config/speech-settings.ts'
import type { AgentOnCall } from './contract.ts'
import { defaultPhrase, hasPhrasesIn } from './default-phrases.ts'

/** What the service itself says on one call, in the language of the call. */
export interface CallPhrases {
  /** The language of the call: the agent's, or the caller's once it was detected. */
  language(): string
  /** The recognizer detected the caller's language. */
  callerSpeaks(language: string): void
  /** The agent's own phrase while the call is in the agent's language, otherwise the default of the call's language. */
  get(name: PhraseName): string
  /** What the agent announces when it gives up. */
  givingUp(): string
  /** What it announces if the carrier did not accept a transfer. */
  notTransferred(): string
  /** The message for an answering machine. */
  voicemail(): string
}

const isSameLanguage = (a: string, b: string): boolean => primaryLanguage(a) === primaryLanguage(b)

export function createCallPhrases({
  language: first,
  phrases = {},
  welcomeMessage,
  givingUp,
}: AgentOnCall): CallPhrases {
  let language = first
  const get = (name: PhraseName): string =>
    (isSameLanguage(language, first) && phrases[name]) || defaultPhrase(name, language)
  const promise = () => get(givingUp?.promisesCallBack ? 'call_back' : 'try_later')
  return {
    language: () => language,
    callerSpeaks(detected) {
      // Without phrases in the caller's language, the agent's are still better than English ones.
      if (isSameLanguage(detected, first)) language = first
      else if (hasPhrasesIn(detected)) language = detected
    },
    get,
    givingUp: () => (givingUp?.transferTo === undefined ? promise() : get('connecting')),
    notTransferred: promise,
    voicemail: () => phrases.voicemail || [welcomeMessage, get('voicemail')].filter(Boolean).join(' '),
  }
}
