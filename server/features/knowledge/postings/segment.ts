/**
 * The postings of some documents, immutable, in typed arrays: their size is known exactly, and the garbage collector
 * has a dozen objects to look at instead of a million.
 */
export interface Segment {
  documents: SegmentDocument[]
  /** Of the documents, each once. */
  languages: string[]
  /** By chunk: its place in `documents`, its ordinal and its number of lexemes. */
  documentOf: Uint32Array
  ordinals: Uint32Array
  lengths: Uint16Array
  /** All lexemes in UTF-8, in byte order, one behind the other; `lexemeEnds[i]` is where the i-th ends. */
  lexemes: Buffer
  lexemeEnds: Uint32Array
  /** The postings of the i-th lexeme end at `postingEnds[i]`: the chunk, and in the lowest six bits its frequency. */
  postings: Uint32Array
  postingEnds: Uint32Array
  bytes: number
}

export interface SegmentDocument {
  id: string
  /** Differs when the text of the document was replaced. */
  revision: number
  language: string
  chunk_count: number
}

/** An object with an id, a revision and a place in a map. */
const bytesPerDocument = 400
export const frequencyBits = 6

/** A builder of one segment: documents are added one after the other, then `build` sorts what they have. */
export function createSegmentBuilder() {
  const documents: SegmentDocument[] = []
  const terms = new Map<string, number>()
  let counts = new Uint32Array(1024)
  let termOf = new Uint32Array(4096)
  let postings = new Uint32Array(4096)
  let size = 0
  let chunks = 0
  const lengths: number[] = []

  function add(term: number, posting: number): void {
    if (size === postings.length) {
      termOf = grown(termOf)
      postings = grown(postings)
    }
    termOf[size] = term
    postings[size++] = posting
    counts[term] = (counts[term] as number) + 1
  }

  return {
    chunks: () => chunks,
    addDocument(document: SegmentDocument): void {
      documents.push(document)
      chunks += document.chunk_count
    },
    /** A row of postings of the document added last: `packed` as `document_lexemes` has them. */
    addPostings(lexeme: string, part: number, packed: Iterable<number>): void {
      const document = documents.at(-1) as SegmentDocument
      const first = chunks - document.chunk_count + part * 1024
      let term = terms.get(lexeme)
      if (term === undefined) {
        term = terms.size
        terms.set(lexeme, term)
        if (term === counts.length) counts = grown(counts)
      }
      for (const each of packed) {
        const chunk = first + (each >>> 16)
        if (chunk >= chunks) continue
        lengths[chunk] = each & 1023
        add(term, (chunk << frequencyBits) | ((each >>> 10) & 63))
      }
    },
    build(): Segment {
      const sorted = [...terms].map(([lexeme, term]) => ({ bytes: Buffer.from(lexeme), term }))
      sorted.sort((a, b) => Buffer.compare(a.bytes, b.bytes))
      const lexemes = Buffer.concat(sorted.map(({ bytes }) => bytes))
      const lexemeEnds = new Uint32Array(sorted.length)
      const postingEnds = new Uint32Array(sorted.length)
      /** Where the next posting of a term goes. */
      const next = new Uint32Array(sorted.length)
      let [letters, before] = [0, 0]
      for (const [place, { bytes, term }] of sorted.entries()) {
        lexemeEnds[place] = letters += bytes.length
        next[term] = before
        postingEnds[place] = before += counts[term] as number
      }
      const ordered = new Uint32Array(size)
      for (let i = 0; i < size; i++) {
        const term = termOf[i] as number
        ordered[next[term] as number] = postings[i] as number
        next[term] = (next[term] as number) + 1
      }
      const languages = [...new Set(documents.map(({ language }) => language))]
      const table = { ...chunkTable(documents, chunks, lengths), lexemes, lexemeEnds, postings: ordered, postingEnds }
      return { documents, languages, ...table, bytes: documents.length * bytesPerDocument + bytesOf(table) }
    },
  }
}

const grown = (array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> => {
  const larger = new Uint32Array(array.length * 2)
  larger.set(array)
  return larger
}

function chunkTable(documents: SegmentDocument[], chunks: number, known: number[]) {
  const documentOf = new Uint32Array(chunks)
  const ordinals = new Uint32Array(chunks)
  let at = 0
  for (const [place, { chunk_count }] of documents.entries())
    for (let ordinal = 0; ordinal < chunk_count; ordinal++) {
      documentOf[at] = place
      ordinals[at++] = ordinal
    }
  return { documentOf, ordinals, lengths: Uint16Array.from({ length: chunks }, (_, chunk) => known[chunk] ?? 0) }
}

const bytesOf = (arrays: Record<string, { byteLength: number }>): number =>
  Object.values(arrays).reduce((sum, { byteLength }) => sum + byteLength, 0)

/** The range of a lexeme's postings; empty when no document of the segment has it. */
export function postingsOf(segment: Segment, lexeme: Buffer): { start: number; end: number } {
  const place = placeOf(segment, lexeme)
  const isFound = place < segment.lexemeEnds.length && compareAt(segment, place, lexeme) === 0
  if (!isFound) return { start: 0, end: 0 }
  return { start: segment.postingEnds[place - 1] ?? 0, end: segment.postingEnds[place] as number }
}

/** The lexemes that begin with `prefix`, in order. */
export function* lexemesLike(segment: Segment, prefix: string): Generator<string> {
  const start = Buffer.from(prefix)
  for (let place = placeOf(segment, start); place < segment.lexemeEnds.length; place++) {
    const lexeme = segment.lexemes.toString('utf8', segment.lexemeEnds[place - 1] ?? 0, segment.lexemeEnds[place])
    if (!lexeme.startsWith(prefix)) return
    yield lexeme
  }
}

/** The first place whose lexeme does not come before this one. */
function placeOf(segment: Segment, lexeme: Buffer): number {
  let [low, high] = [0, segment.lexemeEnds.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareAt(segment, middle, lexeme) < 0) low = middle + 1
    else high = middle
  }
  return low
}

const compareAt = ({ lexemes, lexemeEnds }: Segment, place: number, lexeme: Buffer): number =>
  lexemes.compare(lexeme, 0, lexeme.length, lexemeEnds[place - 1] ?? 0, lexemeEnds[place])
