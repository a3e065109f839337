import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const { resolve } = createRequire(import.meta.url)

export const languageDataPackage = (language: string): string => `@tesseract.js-data/${language}`

/** The compressed data of a language for text recognition; nothing when its package is not installed. */
export function languageDataFile(language: string): string | undefined {
  try {
    const folder = dirname(resolve(`${languageDataPackage(language)}/package.json`))
    const file = join(folder, '4.0.0_best_int', `${language}.traineddata.gz`)
    return existsSync(file) ? file : undefined
  } catch {
    return undefined
  }
}
