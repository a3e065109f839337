import type { TenantSql } from '../../../platform/database.ts'
import { languageOf } from '../../../platform/language-of.ts'
import { sampleLanguages } from './queries.ts'

/** Languages whose words are not stemmed, by their script. Japanese uses Chinese characters too, so it comes first. */
const scripts: [language: string, script: RegExp][] = [
  ['Japanese', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['Chinese', /\p{Script=Han}/u],
  ['Korean', /\p{Script=Hangul}/u],
  ['Thai', /\p{Script=Thai}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Bengali', /\p{Script=Bengali}/u],
]

/** Their documents are stored as Arabic and Russian ones. */
const stemmedAlike: Record<string, string> = { fa: 'Persian', uk: 'Ukrainian' }

/** The English names of the languages that most of the documents are in, the most frequent first. */
export async function documentLanguages(sql: TenantSql, documentIds: string[] | undefined): Promise<string[]> {
  const samples = await sampleLanguages(sql, documentIds ?? null)
  const names = samples.flatMap(({ language, sample }) =>
    language === 'simple'
      ? (scripts.find(([, script]) => script.test(sample))?.[0] ?? [])
      : (stemmedAlike[languageOf(sample, '')] ?? capitalized(language)),
  )
  return [...new Set(names)]
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
