import type { PageWriter } from '../../../../platform/typesetting/page-writer.ts'
import { number } from '../figures.ts'
import type { FunnelStep, Report, Tone } from '../report.ts'
import { content, ink, tones } from './page-style.ts'

const { left, width } = content

/** Campaign, sender and state. Returns where it ends. */
export function drawHeading(writer: PageWriter, report: Report): number {
  let y = 40
  const half = width / 2 - 10
  writer.write('P', 'CAMPAIGN REPORT', { x: left, y, width: half, size: 7.5, bold: true, color: ink.read })
  writer.write('P', report.organization, {
    x: left + width - half,
    y,
    width: half,
    size: 8.5,
    maxLines: 1,
    color: ink.muted,
    align: 'right',
  })
  y += 19
  y += writer.write('H1', report.name, {
    x: left,
    y,
    width,
    size: 20,
    bold: true,
    maxLines: 3,
    color: ink.text,
    leading: 1.22,
  })
  y += 7
  let x = left + drawPill(writer, report.status.word, report.status.tone, left, y) + 6
  if (report.isTest) x += drawPill(writer, 'Test mode', 'calm', x, y) + 6
  const rest = left + width - x
  const asOf = `As of ${report.asOf} (${report.timezone})`
  const height = writer.write('P', [{ text: `${report.status.sentence} ` }, { text: asOf, bold: true }], {
    x: x + 2,
    y: y + 2,
    width: rest - 2,
    size: 8.5,
    maxLines: 4,
    color: ink.muted,
  })
  return y + Math.max(18, height + 4)
}

function drawPill(writer: PageWriter, word: string, tone: Tone, x: number, y: number): number {
  const size = 8
  const { fill, text } = tones[tone]
  const wide = (writer.measure(word, { width, size, bold: true }).lines[0]?.width ?? 0) + 14
  writer.paint((doc) => doc.roundedRect(x, y, wide, 16, 8).fill(fill))
  writer.write('P', word, { x: x + 7, y: y + 2.6, width, size, bold: true, color: text })
  return wide
}

/** Labels and their values, one below the other. */
export function drawFacts(
  writer: PageWriter,
  facts: Report['facts'],
  at: { x: number; y: number; width: number },
): number {
  const labelWidth = 66
  let { y } = at
  for (const { label, value } of facts) {
    writer.write('P', label, { x: at.x, y: y + 0.4, width: labelWidth, size: 8, color: ink.muted })
    const height = writer.write('P', value, {
      x: at.x + labelWidth,
      y,
      width: at.width - labelWidth,
      size: 8.8,
      maxLines: label === 'Audience' ? 6 : 2,
      color: ink.text,
    })
    y += height + 3.5
  }
  return y
}

const barHeight = 20
const colors: Record<string, string> = {
  Recipients: ink.recipients,
  Sent: ink.sent,
  Delivered: ink.delivered,
  Read: ink.read,
  Replied: ink.replied,
}

/** The funnel from the whole audience to those who replied. */
export function drawFunnel(writer: PageWriter, report: Report, at: { x: number; y: number; width: number }): number {
  let y = at.y + drawTitle(writer, 'From recipients to replies', at)
  writer.picture(report.funnel.map(inWords).join(', '), () => {
    for (const step of report.funnel) {
      drawStep(writer, step, { ...at, y })
      y += barHeight + 4
    }
  })
  for (const text of [report.buttons, report.links, report.remainder])
    if (text)
      y += writer.write('P', text, { x: at.x, y: y + 1, width: at.width, size: 8, maxLines: 2, color: ink.muted }) + 2
  return y
}

const inWords = ({ label, count, share }: FunnelStep) => `${label}: ${number(count)}${share && ` (${share})`}`

function drawStep(writer: PageWriter, step: FunnelStep, at: { x: number; y: number; width: number }): void {
  const labelWidth = 54
  const figures = 108
  const track = at.width - labelWidth - figures
  const length = step.count === 0 ? 0 : Math.max(2, track * step.part)
  const x = at.x + labelWidth
  writer.paint((doc) => {
    doc.roundedRect(x, at.y, track, barHeight, 3).fill(ink.panel)
    if (length > 0)
      doc.roundedRect(x, at.y, length, barHeight, Math.min(3, length / 2)).fill(colors[step.label] ?? ink.sent)
  })
  writer.write('P', step.label, { x: at.x, y: at.y + 4.5, width: labelWidth, size: 8.5, color: ink.text })
  const right = x + track + 8
  const lines = [step.share, step.ofPrevious].filter(Boolean).join(' · ')
  writer.write('P', number(step.count), {
    x: right,
    y: at.y + (lines ? -2 : 2.5),
    width: figures - 8,
    size: 11,
    bold: true,
    color: ink.text,
  })
  if (lines)
    writer.write('P', lines, { x: right, y: at.y + 11.5, width: figures - 4, size: 6.8, maxLines: 1, color: ink.muted })
}

export function drawTitle(
  writer: PageWriter,
  text: string,
  at: { x: number; y: number; width: number },
  note = '',
): number {
  const spans = [{ text, bold: true }, ...(note ? [{ text: `   ${note}`, color: ink.muted }] : [])]
  return writer.write('H2', spans, { ...at, size: 10.5, color: ink.text, maxLines: 1 }) + 7
}
