import type { AgentOnCall } from './contract.ts'

const fallback = 'I am sorry, something went wrong. Could you say that again, please?'
const farewell = 'Thank you for calling. Goodbye.'

/** What is said when nobody else can say anything; agents for other languages bring their own words. */
export const fallbackPhrase = ({ fallbackPhrase: own }: AgentOnCall): string => own ?? fallback
export const farewellPhrase = ({ farewellPhrase: own }: AgentOnCall): string => own ?? farewell

const backChannel = /^(?:(?:yeah|yes|yep|okay|ok|right|sure|alright|mhm+|mm+|hmm+|uh huh|aha|i see)\s*)+$/i

/** A listener's "mhm": said while the other goes on speaking, and not to stop them. */
export const isBackChannel = (text: string): boolean =>
  backChannel.test(text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim())
