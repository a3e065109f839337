import type { TenantSql } from '../../../platform/database.ts'
import { guessWords } from './guess-words.ts'
import { type KeywordQuery, type KeywordRanking, rankByKeyword } from './queries.ts'

/** By the words as they are; and where no document has one of them, by what it may have been meant to be. */
export async function rankByWords(sql: TenantSql, query: KeywordQuery): Promise<KeywordRanking> {
  const ranking = await rankByKeyword(sql, query)
  const guesses = await guessWords(sql, ranking.unknown)
  return guesses.length === 0 ? ranking : rankByKeyword(sql, { ...query, guesses })
}
