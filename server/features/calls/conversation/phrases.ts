import { linesIn } from '../../agents/phrases.ts'
import type { AgentOnCall } from './contract.ts'

const defaultClosing = 'Thank you for calling. Goodbye.'

/** What is said when a stage fails, unless the call's setup says otherwise. */
export const fallbackPhrase = ({ fallbackPhrase: own, language }: AgentOnCall): string =>
  own ?? linesIn(language).sayAgain
export const givingUpPhrase = ({ givingUp, language }: AgentOnCall): string =>
  givingUp?.say ?? linesIn(language).tryLater
export const closingPhrase = ({ closingPhrase: own }: AgentOnCall): string => own ?? defaultClosing

const backChannel = /^(?:(?:yeah|yes|yep|okay|ok|right|sure|alright|mhm+|mm+|hmm+|uh huh|aha|i see)\s*)+$/i

/** A listener's "mhm": said while the other goes on speaking, and not to stop them. */
export const isBackChannel = (text: string): boolean =>
  backChannel.test(text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim())
