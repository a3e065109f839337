import type { PageWriter } from '../../../../platform/typesetting/page-writer.ts'
import { amount } from '../figures.ts'
import type { FailureRow, Report } from '../report.ts'
import { drawTitle } from './draw-summary.ts'
import { content, ink, page } from './page-style.ts'

const { left, width } = content
const columns = { count: 62, meaning: 222, gap: 12 }
const advice = {
  x: left + columns.count + columns.meaning + columns.gap,
  width: width - columns.count - columns.meaning - columns.gap,
}
const rowGap = 9
const headHeight = 35
const moreHeight = 16
const mostPages = 2

/** What did not arrive, why, and what to do about it; the rest goes to a second page, and ends there. */
export function drawFailures(writer: PageWriter, { failures, otherFailures }: Report, top: number): void {
  let y = top
  let shown = 0
  let pages = writer.doc.bufferedPageRange().count
  const turnPage = () => {
    writer.doc.addPage()
    pages++
    y = page.margin
  }
  // A title with nothing below it would be worse than an empty end of a page.
  const [first] = failures
  if (first && top + headHeight + heightOfRow(writer, first) + rowGap > content.bottom) turnPage()
  y = drawHead(writer, y)
  for (const row of failures) {
    const height = heightOfRow(writer, row) + rowGap
    const isLast = shown === failures.length - 1 && otherFailures === 0
    if (y + height > content.bottom - (isLast || pages === 1 ? 0 : moreHeight)) {
      if (pages === mostPages) break
      turnPage()
      y = drawHead(writer, y, 'continued')
    }
    const at = y
    writer.paint((doc) =>
      doc
        .moveTo(left, at)
        .lineTo(left + width, at)
        .lineWidth(0.5)
        .stroke(ink.line),
    )
    drawRow(writer, row, y + rowGap / 2)
    y += height
    shown++
  }
  const leftOut = failures.length - shown
  if (leftOut === 0 && otherFailures === 0) return
  if (y + moreHeight > content.bottom && pages < mostPages) turnPage()
  const reasons = otherFailures === 0 ? amount(leftOut, 'further reason') : 'further reasons'
  writer.write('P', `… and ${reasons}: the CSV export has every delivery.`, {
    x: left,
    y: y + 3,
    width,
    size: 8,
    color: ink.muted,
  })
}

function drawHead(writer: PageWriter, top: number, note = ''): number {
  const y = top + drawTitle(writer, 'What did not arrive, and what to do', { x: left, y: top, width }, note)
  const head = { y, size: 7.2, color: ink.muted }
  writer.write('P', 'Recipients', { ...head, x: left, width: columns.count })
  writer.write('P', 'Reason', { ...head, x: left + columns.count, width: columns.meaning })
  writer.write('P', 'What to do', { ...head, ...advice })
  return top + headHeight
}

const meaningText = { width: columns.meaning, size: 8.8, bold: true, maxLines: 3 }
const wordsText = { width: columns.meaning, size: 7.4, maxLines: 2 }
const adviceText = { width: advice.width, size: 8.4, maxLines: 5 }

const small = ({ kind, code, words }: FailureRow) => [kind, code, words].filter(Boolean).join(' · ')

function heightOfRow(writer: PageWriter, row: FailureRow): number {
  const reason = writer.measure(row.meaning, meaningText).height + writer.measure(small(row), wordsText).height
  return Math.max(reason, writer.measure(row.advice, adviceText).height, 24)
}

function drawRow(writer: PageWriter, row: FailureRow, y: number): void {
  const count = { x: left, width: columns.count - 4 }
  writer.write('P', row.count, { ...count, y: y - 1, size: 10.5, bold: true, color: ink.text })
  writer.write('P', row.share, { ...count, y: y + 13, size: 7.4, color: ink.muted })
  const x = left + columns.count
  const height = writer.write('P', row.meaning, { ...meaningText, x, y, color: ink.text })
  writer.write('P', small(row), { ...wordsText, x, y: y + height, color: ink.muted })
  writer.write('P', row.advice, { ...adviceText, x: advice.x, y, color: ink.text })
}
