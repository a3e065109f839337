import { linesIn } from '../../agents/phrases.ts'
import type { AgentOnCall } from './contract.ts'

/** By language, for inbound and outbound calls. */
const closings: Record<string, string> = {
  ar: 'شكرًا لكم. مع السلامة.',
  de: 'Vielen Dank. Auf Wiederhören.',
  es: 'Muchas gracias. Adiós.',
  fr: 'Merci beaucoup. Au revoir.',
  hi: 'धन्यवाद। नमस्ते।',
  it: 'Grazie mille. Arrivederci.',
  ja: 'ありがとうございました。失礼いたします。',
  nl: 'Dank u wel. Tot ziens.',
  pl: 'Dziękujemy. Do widzenia.',
  pt: 'Agradecemos a atenção. Até logo.',
  tr: 'Teşekkür ederiz. Hoşça kalın.',
  zh: '谢谢，再见。',
}

/** Each phrase is the one of the call's setup, or a default in the agent's language. */
export const fallbackPhrase = ({ fallbackPhrase: own, language }: AgentOnCall): string =>
  own ?? linesIn(language).sayAgain
export const givingUpPhrase = ({ givingUp, language }: AgentOnCall): string =>
  givingUp?.say ?? linesIn(language).tryLater
export const notTransferredPhrase = ({ notTransferredPhrase: own, language }: AgentOnCall): string =>
  own ?? linesIn(language).tryLater
export const closingPhrase = ({ closingPhrase: own, language }: AgentOnCall): string =>
  own ?? closings[language.slice(0, 2).toLowerCase()] ?? 'Thank you. Goodbye.'

const backChannel = /^(?:(?:yeah|yes|yep|okay|ok|right|sure|alright|mhm+|mm+|hmm+|uh huh|aha|i see)\s*)+$/i

/** A back-channel such as "mhm": the caller signals attention and does not want to interrupt. */
export const isBackChannel = (text: string): boolean =>
  backChannel.test(text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim())
