import { contentWords } from '../../../platform/content-words.ts'
import type { TenantSql } from '../../../platform/database.ts'
import { sampleTexts } from './queries.ts'

const mostTerms = 30
/** A word that is capitalized once may be a mistake or the beginning of a line. */
const leastUses = 2
/** Up to three capitalized words in the middle of a sentence. */
const name = /(?<=[\p{Ll}\p{N},]\s)\p{Lu}[\p{L}\p{N}’'-]{2,29}(?:\s\p{Lu}[\p{L}\p{N}’'-]{2,29}){0,2}/gu

/** Names that the documents use often, the most frequent first: products, places, people. */
export async function documentTerms(sql: TenantSql, documentIds: string[] | undefined): Promise<string[]> {
  const uses = new Map<string, number>()
  for (const { text } of await sampleTexts(sql, documentIds ?? null))
    for (const [term] of text.matchAll(name)) uses.set(term, (uses.get(term) ?? 0) + 1)
  return [...uses]
    .filter(([term, count]) => count >= leastUses && contentWords(term).size > 0)
    .sort(([a, uses], [b, others]) => others - uses || (a < b ? -1 : 1))
    .slice(0, mostTerms)
    .map(([term]) => term)
}
