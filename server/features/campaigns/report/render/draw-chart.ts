import type { PageWriter } from '../../../../platform/typesetting/page-writer.ts'
import { number } from '../figures.ts'
import type { Bar, Report } from '../report.ts'
import { drawTitle } from './draw-summary.ts'
import { content, ink } from './page-style.ts'

const { left, width } = content
const plotHeight = 92
const axis = 34

/** When messages were sent, and their outcome since. Returns where it ends. */
export function drawChart(writer: PageWriter, { chart, timezone }: Report, top: number): number {
  const place = { x: left, y: top, width }
  if (!chart) {
    const y = top + drawTitle(writer, 'Sends over time', place)
    return y + writer.write('P', 'Nothing has been sent yet.', { ...place, y, size: 8.5, color: ink.muted })
  }
  const y = top + drawTitle(writer, 'Sends over time', place, `per ${chart.step}, ${timezone}`)
  drawLegend(writer, top)
  const highest = Math.max(...chart.bars.map(({ sent }) => sent))
  const ceiling = niceCeiling(highest)
  const total = chart.bars.reduce((sum, { sent }) => sum + sent, 0)
  const busiest = chart.bars.find(({ sent }) => sent === highest) as Bar
  const alt = `${number(total)} messages sent, most of them (${number(highest)}) at ${busiest.label}`
  writer.picture(alt, () => {
    for (const value of [0, ceiling / 2, ceiling]) {
      if (!Number.isInteger(value)) continue
      const at = y + plotHeight * (1 - value / ceiling)
      writer.paint((doc) =>
        doc
          .moveTo(left + axis, at)
          .lineTo(left + width, at)
          .lineWidth(0.5)
          .stroke(ink.line),
      )
      const box = { x: left, width: axis - 6, size: 7, align: 'right' as const, color: ink.muted }
      writer.write('P', number(value), { ...box, y: at - 5 })
    }
    drawBars(writer, chart.bars, ceiling, y)
  })
  return y + plotHeight + 16
}

function drawBars(writer: PageWriter, bars: Bar[], ceiling: number, top: number): void {
  // A few bars are not stretched to the width of the page.
  const slot = Math.min(46, (width - axis) / bars.length)
  const wide = slot * 0.72
  writer.paint((doc) => {
    for (const [i, bar] of bars.entries()) {
      const x = left + axis + i * slot + (slot - wide) / 2
      const layers = [
        [bar.sent, ink.sent],
        [bar.delivered, ink.delivered],
        [bar.read, ink.read],
      ] as const
      for (const [count, color] of layers) {
        const height = count === 0 ? 0 : Math.max(0.8, (plotHeight * count) / ceiling)
        if (height > 0) doc.rect(x, top + plotHeight - height, wide, height).fill(color)
      }
    }
  })
  const widest =
    Math.max(...bars.map(({ label }) => writer.measure(label, { width, size: 7 }).lines[0]?.width ?? 0)) + 8
  const every = Math.ceil(widest / slot)
  for (const [i, { label }] of bars.entries()) {
    if (i % every !== 0) continue
    const middle = left + axis + i * slot + slot / 2
    const x = Math.min(Math.max(middle - widest / 2, left), left + width - widest)
    writer.write('P', label, { x, y: top + plotHeight + 3, width: widest, size: 7, align: 'center', color: ink.muted })
  }
}

function drawLegend(writer: PageWriter, top: number): void {
  let x = left + width
  const entries = [
    ['read', ink.read],
    ['delivered, not read', ink.delivered],
    ['sent, not delivered', ink.sent],
  ] as const
  for (const [label, color] of entries) {
    const wide = writer.measure(label, { width, size: 7 }).lines[0]?.width ?? 0
    x -= wide
    writer.write('P', label, { x, y: top + 2.5, width: wide + 1, size: 7, color: ink.muted })
    x -= 9
    const left = x
    writer.paint((doc) => doc.rect(left, top + 4.5, 6, 6).fill(color))
    x -= 9
  }
}

/** The next of 1, 2, 5, 10, 20, 50 … */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 5, 10].map((each) => each * power).find((each) => each >= value) as number
}
