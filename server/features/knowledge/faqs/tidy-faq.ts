import type { NewFaq } from './schema.ts'

/** Trimmed, and without variants that repeat the question or each other. */
export function tidyFaq({ question, answer, variants }: NewFaq): Required<NewFaq> {
  const asked = question.replace(/\s+/g, ' ').trim()
  const seen = new Set([asked.toLowerCase()])
  const others = (variants ?? [])
    .map((variant) => variant.replace(/\s+/g, ' ').trim())
    .filter((variant) => !seen.has(variant.toLowerCase()) && seen.add(variant.toLowerCase()))
  return { question: asked, answer: answer.trim(), variants: others }
}
