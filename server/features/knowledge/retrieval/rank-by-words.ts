import type { TenantSql } from '../../../platform/database.ts'
import { guessWords } from './guess-words.ts'
import { type KeywordQuery, type KeywordRanking, listLexemesLike, rankByKeyword } from './queries.ts'

const maxLexemes = 3000

/** Ranks in the database. A word that no document has is replaced by what may have been meant. */
export async function rankByWords(sql: TenantSql, query: KeywordQuery): Promise<KeywordRanking> {
  const ranking = await rankByKeyword(sql, query)
  const guesses = await guessWords(ranking.unknown, (words, prefix) =>
    listLexemesLike(sql, words, { prefix, limit: maxLexemes }),
  )
  return guesses.length === 0 ? ranking : rankByKeyword(sql, { ...query, guesses })
}
