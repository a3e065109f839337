import PDFDocument from 'pdfkit'
import { createPageWriter, type PageWriter } from '../../../../platform/typesetting/page-writer.ts'
import type { Report } from '../report.ts'
import { drawChart } from './draw-chart.ts'
import { drawFailures } from './draw-failures.ts'
import { drawMessage } from './draw-message.ts'
import { drawFacts, drawFunnel, drawHeading } from './draw-summary.ts'
import { content, ink, page } from './page-style.ts'

const gap = 20
const phoneWidth = 190
/** So that the chart always has room below. */
const lowestMessage = 560

/** The report as a PDF of one page, or two where the failures need it. */
export async function renderReport(report: Report): Promise<Uint8Array> {
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    // Otherwise PDFKit reads the files of an unused font.
    font: null as never,
    info: { Title: `${report.name}: campaign report`, Author: report.organization, Creator: 'Frontdesk' },
  })
  const chunks: Uint8Array[] = []
  doc.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const ended = new Promise<void>((resolve, reject) => {
    doc.on('end', resolve)
    doc.on('error', reject)
  })
  draw(createPageWriter(doc), report)
  doc.end()
  await ended
  return Buffer.concat(chunks)
}

function draw(writer: PageWriter, report: Report): void {
  const top = drawHeading(writer, report) + gap - 4
  const leftColumn = { x: content.left, width: content.width - phoneWidth - 24 }
  const afterFacts = drawFacts(writer, report.facts, { ...leftColumn, y: top })
  const afterFunnel = drawFunnel(writer, report, { ...leftColumn, y: afterFacts + gap - 6 })
  const phone = { x: content.left + content.width - phoneWidth, y: top, width: phoneWidth, bottom: lowestMessage }
  const afterMessage = drawMessage(writer, report, phone)
  const afterChart = drawChart(writer, report, Math.max(afterFunnel, afterMessage) + gap)
  if (report.failures.length > 0) drawFailures(writer, report, afterChart + gap)
  drawFooters(writer, report)
}

function drawFooters(writer: PageWriter, report: Report): void {
  const { start, count } = writer.doc.bufferedPageRange()
  const meaning =
    'Sent: accepted by the messaging platform. Delivered includes read. People who switched read receipts off never count as read.'
  const emoji = ' Faces stand for emoji.'
  for (let i = 0; i < count; i++) {
    writer.doc.switchToPage(start + i)
    const y = page.height - 44
    writer.paint((doc) =>
      doc
        .moveTo(content.left, y)
        .lineTo(content.left + content.width, y)
        .lineWidth(0.5)
        .stroke(ink.line),
    )
    const line = { x: content.left, width: content.width, size: 6.8, maxLines: 1, color: ink.muted }
    writer.write('P', `${meaning}${writer.sawEmoji ? emoji : ''}`, { ...line, y: y + 5 })
    writer.write('P', `Campaign ${report.id}`, { ...line, y: y + 15 })
    writer.write('P', `Page ${i + 1} of ${count}`, { ...line, y: y + 15, align: 'right' })
  }
}
