/** Key terms as the prompt of OpenAI's recognizers: a list for Whisper, a sentence for the others. */
export function keyTermPrompt(model: string, terms: string[] = []): string | undefined {
  if (terms.length === 0) return undefined
  return /whisper/i.test(model) ? terms.join(', ') : `The conversation may contain these names: ${terms.join(', ')}.`
}
