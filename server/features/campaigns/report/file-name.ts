/** What file systems refuse, and what could make a name look like another. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\:*?"<>|]+/gu
const mostCharacters = 80
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** `Spring news 2026-11-15.pdf`: a file that finds itself again among others. */
export function fileNameOf(campaignName: string, ending: string): string {
  const whole = [...characters.segment(campaignName.replace(unsafe, ' ').replace(/\s+/g, ' ').trim())]
  const name = whole
    .slice(0, mostCharacters)
    .map(({ segment }) => segment)
    .join('')
    .trim()
  const day = new Date().toISOString().slice(0, 10)
  return `${name.replace(/^\.+/, '') || 'campaign'} ${day}.${ending}`
}
