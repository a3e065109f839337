import type { TenantSql } from '../../../platform/database.ts'
import { guessWords } from './guess-words.ts'
import { type KeywordQuery, type KeywordRanking, rankByKeyword } from './queries.ts'

/** By the words as they are; a word that no document has is replaced by what may have been meant. */
export async function rankByWords(sql: TenantSql, query: KeywordQuery): Promise<KeywordRanking> {
  const ranking = await rankByKeyword(sql, query)
  const guesses = await guessWords(sql, ranking.unknown)
  return guesses.length === 0 ? ranking : rankByKeyword(sql, { ...query, guesses })
}
