import { shortened } from './figures.ts'

/** Characters that file systems refuse, or that make a name look like another. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\:*?"<>|]+/gu
const mostCharacters = 80

/** `Spring news 2026-11-15.pdf`: a name that sorts and can be found again. */
export function fileNameOf(campaignName: string, ending: string): string {
  const name = shortened(
    campaignName
      .replace(unsafe, ' ')
      .replace(/\s+/g, ' ')
      .replace(/^[. ]+/, '')
      .trim(),
    mostCharacters,
  )
  const day = new Date().toISOString().slice(0, 10)
  return `${name || 'campaign'} ${day}.${ending}`
}
