import { nameOfForeign } from './characters.ts'
import type { Span } from './styled-text.ts'
import { type LayoutOptions, type Line, layOut, type Run, weightOf } from './text-layout.ts'

type Document = PDFKit.PDFDocument

interface TextOptions extends LayoutOptions {
  x: number
  y: number
  color?: string
  /** `start`: right-to-left text begins at the right. */
  align?: 'left' | 'right' | 'center' | 'start'
  leading?: number
}

/** Scripts with marks high above or far below their letters: their lines need more height. */
const tall = /arabic|devanagari|thai/
const faint = '#8a94a6'

/** Runs whose drawn glyphs may not be in the order of their letters, and placeholders. */
const isDrawnOtherwise = ({ drawnBy }: Run) =>
  typeof drawnBy === 'string' || !drawnBy.name.startsWith('noto-sans-latin')

/** Readers put these in order themselves, by the positions of their letters: an alternative text would be reversed. */
const isRightToLeft = ({ drawnBy }: Run) => typeof drawnBy !== 'string' && drawnBy.isRightToLeft

/** Writes and draws on the current page of a tagged PDF: each piece of text is an element, shapes are decoration. */
export interface PageWriter {
  doc: Document
  /** Returns the height of the text. */
  write(kind: 'H1' | 'H2' | 'P', text: string | Span[], options: TextOptions): number
  /** The height and lines of a text, without writing it. */
  measure(text: string | Span[], options: LayoutOptions & { leading?: number }): { height: number; lines: Line[] }
  /** Draws decoration, which screen readers skip. */
  paint(draw: (doc: Document) => void): void
  /** Draws a figure with an alternative text for screen readers. */
  picture(alt: string, draw: () => void): void
  /** Whether a placeholder was drawn for an emoji. */
  readonly sawEmoji: boolean
}

export function createPageWriter(doc: Document): PageWriter {
  const root = doc.struct('Document')
  doc.addStructure(root)
  let inPicture = false
  let sawEmoji = false
  const registered = new Set<string>()

  const spansOf = (text: string | Span[]) => (typeof text === 'string' ? [{ text }] : text)
  const measure: PageWriter['measure'] = (text, options) => {
    const lines = layOut(spansOf(text), options)
    return { lines, height: lines.reduce((total, line) => total + heightOf(line, options), 0) }
  }

  function drawLine(line: Line, x: number, baseline: number, options: TextOptions): void {
    const draw = (run: Run) => drawRun(run, x + run.x, baseline, options)
    const withText = (actual: string, runs: Run[]) => {
      doc.markContent('Span', { actual })
      runs.forEach(draw)
      endTextSpan(options.size)
    }
    if (!line.runs.some(isDrawnOtherwise)) line.runs.forEach(draw)
    else if (!line.runs.some(isRightToLeft)) withText(line.text, line.runs)
    else
      for (const run of line.runs)
        if (isDrawnOtherwise(run) && !isRightToLeft(run)) withText(run.text, [run])
        else draw(run)
  }

  /**
   * PDF readers position the text of a span by the coordinates and the font in effect where the span ends. PDFKit has
   * restored both by then: the text would be upside down at the other end of the page, and be read last.
   */
  function endTextSpan(size: number): void {
    const { _font: font } = doc as unknown as { _font?: { id: string } }
    doc.save()
    doc.transform(1, 0, 0, -1, 0, doc.page.height)
    if (font) doc.addContent(`BT /${font.id} ${size} Tf ET`)
    doc.endMarkedContent()
    doc.restore()
  }

  function drawRun(run: Run, x: number, baseline: number, { size, bold = false, color = '#000' }: TextOptions): void {
    const { drawnBy, text, style, width } = run
    if (drawnBy === 'emoji') {
      sawEmoji = true
      drawEmoji(doc, x, baseline, size)
      return
    }
    if (drawnBy === 'foreign') {
      drawForeign(text, { x, baseline, size, width })
      return
    }
    const weight = weightOf(style, bold)
    const name = `${drawnBy.name}-${weight}`
    if (!registered.has(name)) {
      registered.add(name)
      doc.registerFont(name, drawnBy.open(weight) as never)
    }
    doc
      .font(name)
      .fontSize(size)
      .fillColor(style.color ?? color)
    doc.text(text, x, baseline, {
      lineBreak: false,
      baseline: 'alphabetic',
      // Without it PDFKit shapes word by word, which loses the order of words that run from right to left.
      features: [],
      ...(style.oblique && { oblique: true }),
    })
    for (const dot of drawnBy.open(weight).layout(text, []).dots)
      doc
        .save()
        .translate(x + (dot.x / 1000) * size, baseline - (dot.y / 1000) * size)
        .scale(size / 1000, -size / 1000)
        .path(dot.shape)
        .fill()
        .restore()
    if (style.strike)
      doc
        .moveTo(x, baseline - size * 0.3)
        .lineTo(x + width, baseline - size * 0.3)
        .lineWidth(size / 14)
        .stroke(style.color ?? color)
  }

  function drawForeign(text: string, at: { x: number; baseline: number; size: number; width: number }): void {
    const size = at.size * 0.8
    const [label] = layOut([{ text: nameOfForeign(text) }], { width: 1000, size })
    doc
      .roundedRect(at.x + 0.5, at.baseline - at.size * 0.82, at.width - 1, at.size * 1.08, at.size * 0.3)
      .lineWidth(0.5)
      .stroke(faint)
    if (label)
      drawLine(label, at.x + (at.width - label.width) / 2, at.baseline - at.size * 0.06, {
        ...at,
        y: 0,
        size,
        color: faint,
      })
  }

  function paintText(text: string | Span[], options: TextOptions): number {
    const { x, y, width, size, align = 'left' } = options
    const { lines, height } = measure(text, options)
    let top = y
    for (const line of lines) {
      const atRight = align === 'right' || (align === 'start' && line.isRightToLeft)
      const left = x + (align === 'center' ? (width - line.width) / 2 : atRight ? width - line.width : 0)
      const lineHeight = heightOf(line, options)
      drawLine(line, left, top + lineHeight / 2 + size * 0.36, options)
      top += lineHeight
    }
    return height
  }

  return {
    doc,
    measure,
    write(kind, text, options) {
      if (inPicture) return paintText(text, options)
      const element = doc.struct(kind)
      root.add(element)
      element.add(doc.markStructureContent(kind))
      const height = paintText(text, options)
      doc.endMarkedContent()
      element.end()
      return height
    },
    paint(draw) {
      if (inPicture) {
        draw(doc)
        return
      }
      doc.markContent('Artifact')
      draw(doc)
      doc.endMarkedContent()
    },
    picture(alt, draw) {
      const element = doc.struct('Figure', { alt })
      root.add(element)
      element.add(doc.markStructureContent('Figure'))
      inPicture = true
      draw()
      inPicture = false
      doc.endMarkedContent()
      element.end()
    },
    get sawEmoji() {
      return sawEmoji
    },
  }
}

function heightOf(line: Line, { size, leading = 1.36 }: { size: number; leading?: number }): number {
  const isTall = line.runs.some(({ drawnBy }) => typeof drawnBy !== 'string' && tall.test(drawnBy.name))
  return size * (isTall ? Math.max(leading, 1.62) : leading)
}

/** Placeholder for an emoji: a face of a few lines. */
function drawEmoji(doc: Document, x: number, baseline: number, size: number): void {
  const radius = size * 0.46
  const [cx, cy] = [x + size * 0.6, baseline - size * 0.34]
  doc
    .lineWidth(size / 15)
    .strokeColor(faint)
    .fillColor(faint)
  doc.circle(cx, cy, radius).stroke()
  for (const side of [-1, 1]) doc.circle(cx + side * radius * 0.36, cy - radius * 0.22, radius * 0.11).fill()
  const smile = radius * 0.5
  doc
    .moveTo(cx - smile, cy + radius * 0.2)
    .quadraticCurveTo(cx, cy + radius * 0.78, cx + smile, cy + radius * 0.2)
    .stroke()
}
