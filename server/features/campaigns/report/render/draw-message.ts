import type { PageWriter } from '../../../../platform/typesetting/page-writer.ts'
import { readMarks, type Span } from '../../../../platform/typesetting/styled-text.ts'
import type { MessagePreview, PreviewCard, PreviewPiece } from '../message-preview.ts'
import type { Report } from '../report.ts'
import { ink } from './page-style.ts'

const padding = 9
const wallpaper = '#e6ece9'
const mediaWords: Record<string, string> = { IMAGE: 'Image', VIDEO: 'Video', DOCUMENT: 'Document', LOCATION: 'Map' }
const buttonHeight = 20
const cardHeight = 44
const cardGap = 5
const mostCards = 3

/** The chat as the customer sees it. Returns where it ends, never below `bottom`. */
export function drawMessage(
  writer: PageWriter,
  { preview, previewNote }: Report,
  at: { x: number; y: number; width: number; bottom: number },
): number {
  if (!preview) return drawEmptyChat(writer, at)
  const inner = { x: at.x + 10, y: at.y + 12, width: at.width - 20 }
  const shown = preview.buttons.slice(0, 4)
  const more = preview.buttons.length - shown.length
  const cards = preview.cards.slice(0, mostCards)
  const moreCards = preview.cards.length - cards.length
  const cardsHeight = cards.length * (cardHeight + cardGap) + (moreCards > 0 ? 12 : 0)
  const below = shown.length * buttonHeight + (more > 0 ? 12 : 0) + cardsHeight + 34
  const parts = layOutBubble(writer, preview, { width: inner.width - 2 * padding, height: at.bottom - inner.y - below })
  const bubbleHeight = parts.reduce((total, { height }) => total + height, 0) + padding * 2
  const endOfBubble = inner.y + bubbleHeight + shown.length * buttonHeight + (more > 0 ? 12 : 0)
  const bottom = endOfBubble + cardsHeight + 12

  writer.paint((doc) => {
    doc.roundedRect(at.x, at.y, at.width, bottom - at.y, 12).fill(wallpaper)
    doc.roundedRect(inner.x, inner.y, inner.width, endOfBubble - inner.y, 8).fill('#ffffff')
  })
  let y = inner.y + padding
  for (const part of parts) {
    part.draw(inner.x + padding, y)
    y += part.height
  }
  y = inner.y + bubbleHeight
  for (const label of shown) {
    const top = y
    writer.paint((doc) =>
      doc
        .moveTo(inner.x, top)
        .lineTo(inner.x + inner.width, top)
        .lineWidth(0.6)
        .stroke(ink.line),
    )
    const box = { x: inner.x + 6, width: inner.width - 12, size: 8.5, maxLines: 1, align: 'center' as const }
    writer.write('P', label, { ...box, y: top + 4, color: ink.link })
    y += buttonHeight
  }
  const note = { ...inner, size: 7, align: 'center' as const, color: ink.muted }
  if (more > 0) writer.write('P', `and ${more} more buttons`, { ...note, y: y - 1 })
  for (const [i, card] of cards.entries())
    drawCard(writer, card, { ...inner, y: endOfBubble + cardGap + i * (cardHeight + cardGap) })
  if (moreCards > 0)
    writer.write('P', `and ${moreCards} more ${moreCards === 1 ? 'card' : 'cards'}`, { ...note, y: bottom - 20 })
  return (
    bottom + 3 + writer.write('P', previewNote, { ...at, y: bottom + 3, size: 7.2, align: 'center', color: ink.muted })
  )
}

/** A card of a carousel, which the customer swipes through: its file, two lines of text and its buttons. */
function drawCard(
  writer: PageWriter,
  { media, body, buttons }: PreviewCard,
  { x, y, width }: { x: number; y: number; width: number },
): void {
  const file = cardHeight - 12
  writer.paint((doc) => {
    doc.roundedRect(x, y, width, cardHeight, 6).fill('#ffffff')
    if (media) doc.roundedRect(x + 6, y + 6, file, file, 4).fill('#e3e8ef')
  })
  if (media)
    writer.write('P', mediaWords[media] ?? media.toLowerCase(), {
      x: x + 6,
      y: y + 6 + file / 2 - 5,
      width: file,
      size: 7,
      maxLines: 1,
      align: 'center',
      color: ink.muted,
    })
  const left = media ? file + 14 : 8
  const box = { x: x + left, width: width - left - 6, align: 'start' as const }
  writer.write('P', toSpans(body), { ...box, y: y + 6, size: 7.6, maxLines: 2, color: ink.text })
  writer.write('P', buttons.join(' · '), { ...box, y: y + cardHeight - 15, size: 7.4, maxLines: 1, color: ink.link })
}

interface Part {
  height: number
  draw(x: number, y: number): void
}

function layOutBubble(writer: PageWriter, preview: MessagePreview, space: { width: number; height: number }): Part[] {
  const { width } = space
  const parts: Part[] = []
  const text = (spans: Span[], look: { size: number; bold?: boolean; color: string; gap: number; height: number }) => {
    const { size, bold = false, color, gap } = look
    const { lines, height } = writer.measure(spans, { width, size, bold })
    if (lines.length === 0) return
    const average = height / lines.length
    const maxLines = height <= look.height ? lines.length : Math.max(1, Math.floor(look.height / average))
    const options = { width, size, bold, maxLines }
    parts.push({
      height: writer.measure(spans, options).height + gap,
      draw: (x, y) => writer.write('P', spans, { ...options, x, y, color, align: 'start' }),
    })
  }
  if (preview.media) parts.push(mediaPart(writer, preview.media, width))
  for (const heading of [toSpans(preview.header), toSpans([{ text: preview.offer, isPlaceholder: false }])])
    if (heading.length > 0) text(heading, { size: 9.5, bold: true, color: ink.text, gap: 3, height: 48 })
  const used = parts.reduce((total, { height }) => total + height, 0)
  const footerSpace = preview.footer ? 26 : 0
  const body = toSpans(preview.body)
  if (body.length > 0)
    text(body, {
      size: 8.6,
      color: ink.text,
      gap: 4,
      height: Math.max(40, space.height - used - footerSpace - 2 * padding),
    })
  if (preview.footer) text([{ text: preview.footer }], { size: 7.4, color: ink.muted, gap: 0, height: 22 })
  return parts
}

function mediaPart(writer: PageWriter, media: string, width: number): Part {
  const height = media === 'DOCUMENT' ? 30 : 64
  return {
    height: height + 6,
    draw(x, y) {
      writer.paint((doc) => doc.roundedRect(x, y, width, height, 5).fill('#e3e8ef'))
      const label = mediaWords[media] ?? media.toLowerCase()
      writer.write('P', label, { x, y: y + height / 2 - 6, width, size: 8.5, align: 'center', color: ink.muted })
    },
  }
}

/** Stands for a placeholder while the marks are parsed: this character does not occur in text. */
const stand = '\uE000'

/** Marks also apply to values, as in the chat; placeholders are highlighted. */
function toSpans(pieces: PreviewPiece[]): Span[] {
  const placeholders = pieces.filter(({ isPlaceholder }) => isPlaceholder)
  let next = 0
  const withPlaceholders = ({ text, ...style }: Span): Span[] =>
    text
      .split(stand)
      .flatMap((words, i) => [
        ...(i === 0 ? [] : [{ ...style, text: `‹${placeholders[next++]?.text}›`, bold: true, color: ink.placeholder }]),
        ...(words === '' ? [] : [{ ...style, text: words }]),
      ])
  return readMarks(pieces.map(({ text, isPlaceholder }) => (isPlaceholder ? stand : text)).join('')).flatMap(
    withPlaceholders,
  )
}

function drawEmptyChat(writer: PageWriter, at: { x: number; y: number; width: number }): number {
  const height = 90
  writer.paint((doc) => doc.roundedRect(at.x, at.y, at.width, height, 12).fill(wallpaper))
  writer.write('P', 'No template', { ...at, y: at.y + height / 2 - 7, size: 9, align: 'center', color: ink.muted })
  return at.y + height
}
