import type { Category } from './template-kinds.ts'

/** How long WhatsApp tries to deliver a message, in seconds. -1 means 30 days. */

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Windows to choose from, within WhatsApp's limits, and what applies without a choice. */
export const lifetimes: Record<Category, { usual: string; choices: number[] }> = {
  AUTHENTICATION: { usual: '10 minutes', choices: [minute, 5 * minute, 15 * minute, -1] },
  UTILITY: { usual: '30 days', choices: [5 * minute, hour, 12 * hour] },
  MARKETING: { usual: '30 days', choices: [12 * hour, day, 7 * day] },
}

const units = [
  ['day', day],
  ['hour', hour],
  ['minute', minute],
] as const

export function lifetimeText(seconds: number): string {
  if (seconds === -1) return '30 days'
  const [unit, size] = units.find(([, each]) => seconds % each === 0) ?? ['second', 1]
  return new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / size)
}
