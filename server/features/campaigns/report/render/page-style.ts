import type { Tone } from '../report.ts'

/** A4, in points. */
export const page = { width: 595.28, height: 841.89, margin: 44 }
export const content = { left: page.margin, width: page.width - 2 * page.margin, bottom: page.height - 52 }

export const ink = {
  text: '#1b2430',
  muted: '#5c6778',
  line: '#dde2ea',
  panel: '#f5f7fa',
  sent: '#a9cfc8',
  delivered: '#4fa396',
  read: '#0c6b5e',
  replied: '#0b6cad',
  recipients: '#cfd6e0',
  placeholder: '#0c6b5e',
  link: '#0b6cad',
}

export const tones: Record<Tone, { fill: string; text: string }> = {
  good: { fill: '#d9f0e3', text: '#0f5132' },
  busy: { fill: '#dcebfa', text: '#0b4a7d' },
  bad: { fill: '#fbe3dc', text: '#8a2d13' },
  calm: { fill: '#e7eaf0', text: '#38414f' },
}
