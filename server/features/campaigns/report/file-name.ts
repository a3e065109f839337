import { shortened } from './figures.ts'

/** What file systems refuse, and what could make a name look like another. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\:*?"<>|]+/gu
const mostCharacters = 80

/** `Spring news 2026-11-15.pdf`: a file that finds itself again among others. */
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
