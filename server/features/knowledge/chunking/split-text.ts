import type { Heading, ParsedDocument } from '../parsing/document.ts'
import { type Border, scanBorders, strengths } from './scan-borders.ts'

/** A part of a chunk that is small enough to be embedded. */
interface ChunkPart {
  /** Offsets count code points of the document's text, as PostgreSQL and Python do. */
  start: number
  end: number
  /** Exactly the text between the two offsets. */
  text: string
}

export interface Chunk extends ChunkPart {
  /** A chunk never crosses a page boundary; null where the document has no pages. */
  page: number | null
  /** Contiguous; together they are the whole chunk. */
  children: ChunkPart[]
}

/** A document with its chunks, which are cut in the parser's process: a long text takes a while. */
export interface ChunkedDocument extends ParsedDocument {
  chunks: Chunk[]
}

interface SplitOptions {
  /** Approximate length of a chunk. */
  tokens?: number
  childTokens?: number
}

type Splittable = Pick<ParsedDocument, 'text' | 'pages'> & Partial<ParsedDocument>

/** Where a chunk's children begin and end: pairs of a string index and the code points before it. */
export interface ChunkCuts {
  page: number | null
  cuts: [position: number, codePoints: number][]
}

export function chunksAt(text: string, found: ChunkCuts[]): Chunk[] {
  return found.map(({ page, cuts }) => {
    const part = (from: number, to: number): ChunkPart => {
      const [[begin, start], [finish, end]] = [cuts[from], cuts[to]] as [[number, number], [number, number]]
      return { start, end, text: text.slice(begin, finish) }
    }
    const last = cuts.length - 1
    return { ...part(0, last), page, children: Array.from({ length: last }, (_, i) => part(i, i + 1)) }
  })
}

/** Chunks do not overlap; between two of them there is at most white space. */
export function findCuts(document: Splittable, { tokens = 400, childTokens = 200 }: SplitOptions = {}): ChunkCuts[] {
  const { text, pages, headings = [], language = 'english' } = document
  const codePoints = countCodePoints(text)
  const regions = pages.length > 0 ? pages : [{ number: null, start: 0, end: text.length }]
  const markHeading = headingMarker(headings)
  const found: ChunkCuts[] = []
  for (const { number: page, start, end } of regions) {
    const next = scanBorders(text, { start, end, isEnglish: language === 'english' })
    for (const borders of pack(next, start, tokens, markHeading)) {
      const positions = divide(borders, childTokens)
      if (!/\S/.test(text.slice(positions[0], positions.at(-1)))) continue
      found.push({ page, cuts: positions.map((position) => [position, codePoints(position)]) })
    }
  }
  return found
}

/** Each chunk as its borders, including the first and the last. Looks two chunks ahead, never further. */
function* pack(
  next: () => Border | undefined,
  start: number,
  tokens: number,
  markHeading: (border: Border) => void,
): Generator<Border[]> {
  let window: Border[] = [{ position: start, tokens: 0, strength: strengths.paragraph }]
  for (let border = next(); ; border = next()) {
    if (border) {
      markHeading(border)
      window.push({ ...border })
    }
    while (window.length > 1 && (!border || spanOf(window) > 2 * leeway * tokens)) {
      const cut = cutChunk(window, tokens, !border)
      yield window.slice(0, cut + 1)
      window = window.slice(cut)
    }
    if (!border) return
  }
}

const spanOf = (borders: Border[]): number => (borders.at(-1) as Border).tokens - (borders[0] as Border).tokens

/** The least length of a chunk, as a share of the target. */
const worth: number[] = []
worth[strengths.inWord] = -0.5
worth[strengths.word] = 0
worth[strengths.clause] = 0.05
worth[strengths.line] = 0.15
worth[strengths.sentence] = 0.25
worth[strengths.paragraph] = 0.35
worth[strengths.heading] = 0.5

/** How much a chunk may exceed its target for a better end: without it, chunks would be too short on average. */
const leeway = 1.15

/** Full chunks, and equal ones once the end is in sight. */
function cutChunk(borders: Border[], tokens: number, isEnd: boolean): number {
  const span = spanOf(borders)
  const longest = tokens * leeway
  if (isEnd && span <= longest) return borders.length - 1
  return bestCut(borders, isEnd ? span / Math.ceil(span / longest) : tokens, longest)
}

/** Where to cut into equal parts of about this many tokens: a fifth more is fine, a thin slice at the end is not. */
function divide(borders: Border[], tokens: number): number[] {
  const positions = [(borders[0] as Border).position]
  let rest = borders
  while (rest.length > 1) {
    const span = spanOf(rest)
    const count = Math.max(1, Math.round(span / tokens))
    const cut = count === 1 && span <= tokens * 1.2 ? rest.length - 1 : bestCut(rest, span / count, tokens * 1.2)
    positions.push((rest[cut] as Border).position)
    rest = rest.slice(cut)
  }
  return positions
}

/** Index of the border to cut at: close to the target length, at a good place, and within the maximum. */
function bestCut(borders: Border[], wished: number, longest: number): number {
  const from = (borders[0] as Border).tokens
  let best = 1
  let bestScore = Number.NEGATIVE_INFINITY
  for (let i = 1; i < borders.length; i++) {
    const { tokens, strength } = borders[i] as Border
    if (tokens - from > longest && i > 1) break
    const score = (worth[strength] as number) - Math.abs(tokens - from - wished) / wished
    if (score < bestScore) continue
    best = i
    bestScore = score
  }
  return best
}

/** A heading stays with what follows it: before it is the best place to cut, after it and inside it the worst. */
function headingMarker(headings: Heading[]): (border: Border) => void {
  let i = 0
  return (border) => {
    while (i < headings.length && endOf(headings[i] as Heading) + 2 < border.position) i++
    const heading = headings[i]
    if (!heading || border.position < heading.offset) return
    border.strength = border.position === heading.offset ? strengths.heading : strengths.inWord
  }
}

const endOf = ({ offset, text }: Heading): number => offset + text.length

/** Converts JavaScript string indices into counts of code points; they must come in ascending order. */
function countCodePoints(text: string): (position: number) => number {
  let known = 0
  let pairs = 0
  return (position) => {
    for (; known < position; known++) {
      const code = text.charCodeAt(known)
      if (code >= 0xdc00 && code <= 0xdfff) pairs++
    }
    return position - pairs
  }
}
