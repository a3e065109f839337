import { once } from '../../../platform/once.ts'

const counted = once(() => new Intl.NumberFormat('en'))

export const number = (n: number): string => counted().format(n)

/** `1 recipient`, `12,000 recipients`. */
export const amount = (n: number, noun: string): string => `${number(n)} ${n === 1 ? noun : `${noun}s`}`

/** Rounded shares never say 0% or 100% unless it is exact. */
export function share(part: number, whole: number): string {
  if (whole === 0) return ''
  if (part === 0 || part === whole) return part === 0 ? '0%' : '100%'
  const percent = Math.min(99.9, Math.max(0.1, Math.round((part / whole) * 1000) / 10))
  return `${part / whole < 0.001 ? '< ' : ''}${percent}%`
}

/** `a, b or c`, or the first of them and how many more there are. */
export function listed(items: string[], most: number): string {
  const shown = items.slice(0, most)
  const more = items.length - shown.length
  if (more > 0) return `${shown.join(', ')} and ${number(more)} more`
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`
}

/** Formats instants in one time zone. */
export function clockOf(timeZone: string) {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'short' })
  return (instant: string): string => format.format(new Date(instant))
}

/** `40 seconds`, `12 minutes`, `3.5 hours`, `12 days`. */
export function duration(seconds: number): string {
  const units: [string, number][] = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ]
  for (const [unit, length] of units)
    if (seconds >= 2 * length) {
      const n = seconds / length
      return amount(n < 10 ? Math.round(n * 10) / 10 : Math.round(n), unit)
    }
  return amount(Math.max(1, Math.round(seconds)), 'second')
}

/** External text inside ours: isolated, so that its direction does not reorder ours. */
export const isolated = (text: string): string => `\u2068${text}\u2069`

const graphemes = once(() => new Intl.Segmenter('en', { granularity: 'grapheme' }))

export function shortened(text: string, most: number): string {
  const characters = [...graphemes().segment(text)]
  if (characters.length <= most) return text
  return `${characters
    .slice(0, most - 1)
    .map(({ segment }) => segment)
    .join('')}…`
}
