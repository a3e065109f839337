import { linesIn } from '../../agents/phrases.ts'
import type { AgentOnCall } from './contract.ts'

const defaultClosing = 'Thank you for calling. Goodbye.'

/** Phrases for failures: from the call's setup, or the default in the agent's language. */
export const fallbackPhrase = ({ fallbackPhrase: own, language }: AgentOnCall): string =>
  own ?? linesIn(language).sayAgain
export const givingUpPhrase = ({ givingUp, language }: AgentOnCall): string =>
  givingUp?.say ?? linesIn(language).tryLater
export const closingPhrase = ({ closingPhrase: own }: AgentOnCall): string => own ?? defaultClosing

const backChannel = /^(?:(?:yeah|yes|yep|okay|ok|right|sure|alright|mhm+|mm+|hmm+|uh huh|aha|i see)\s*)+$/i

/** A back-channel such as "mhm": the caller signals attention and does not want to interrupt. */
export const isBackChannel = (text: string): boolean =>
  backChannel.test(text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim())
