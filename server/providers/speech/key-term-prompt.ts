import { lowerCaseWords } from '../../platform/lower-case-words.ts'

/** Key terms as the prompt of OpenAI's recognizers: a list for Whisper, a sentence for the others. */
export function keyTermPrompt(model: string, terms: string[] = []): string | undefined {
  if (terms.length === 0) return undefined
  return /whisper/i.test(model) ? terms.join(', ') : `The conversation may contain these names: ${terms.join(', ')}.`
}

const plain = (text: string): string => lowerCaseWords(text).join(' ')

/** Of a sound without words, these recognizers may return a part of the prompt, which the caller did not say. */
export function withoutPrompt(text: string, model: string, terms: string[] = []): string {
  const said = plain(text)
  const prompt = keyTermPrompt(model, terms)
  if (!prompt || !plain(prompt).includes(said)) return text
  const named = terms.filter((term) => said.includes(plain(term)))
  return named.length > 1 || said.startsWith('the conversation may contain') ? '' : text
}
