import { writeText } from '../blocks.ts'
import { UnreadableDocument } from '../document.ts'
import type { Table } from '../tables.ts'
import type { ExtractedText, TextBuilder } from '../text-builder.ts'
import { readRtfTables } from './rtf-tables.ts'
import { decoderFor, tokenize } from './rtf-tokens.ts'

/** What a group inherits from the one around it. */
interface State {
  /** Text that goes nowhere: fonts, pictures, properties of the file. */
  skip: boolean
  hidden: boolean
  white: boolean
  tiny: boolean
  highlighted: boolean
  /** Bytes that follow a Unicode character for older programs. */
  fallback: number
  font: number
  /** A footnote or a comment: its text follows the document. */
  note: boolean
}

const skippedDestinations = new Set(
  'fonttbl colortbl stylesheet info pict object fldinst filetbl revtbl rsidtbl generator themedata colorschememapping datastore latentstyles listtable listoverridetable pgptbl xmlnstbl mmathPr operator author company title subject keywords doccomm nonshppict bkmkstart bkmkend pntext listtext pnseclvl atnid atnauthor atntime atnref atnparent wgrffmtfilter panose falt ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn headerl headerr headerf footerl footerr footerf'.split(
    ' ',
  ),
)

const characters: Record<string, string> = {
  tab: '\t',
  line: '\n',
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  emspace: ' ',
  enspace: ' ',
  '~': '\u00a0',
  _: '-',
}

/** The text, then its notes. Headings by the outline level of their style, tables by the row. */
export function readRtf(bytes: Buffer, builder: TextBuilder): ExtractedText {
  const writer = writeText(builder)
  const tables = readRtfTables(bytes)
  const text = bytes.toString('latin1')
  let state: State = {
    skip: false,
    hidden: false,
    white: false,
    tiny: false,
    highlighted: false,
    fallback: 1,
    font: -1,
    note: false,
  }
  const stack: State[] = []
  const notes: string[] = []
  let line = ''
  let note = ''
  let paragraph = { style: 0, outline: undefined as number | undefined, inTable: false, isItem: false }
  let cells: string[] = []
  let rows: string[][] = []
  let pending: number[] = []
  let toSkip = 0

  const isShown = () => !state.skip && !state.hidden && !state.tiny && (!state.white || state.highlighted)
  const put = (piece: string) => {
    if (!isShown()) return
    if (state.note) note += piece
    else line += piece
  }
  /** Bytes of one code page are decoded together: a character may take two. */
  const flushBytes = () => {
    if (pending.length === 0) return
    put(decoderFor(tables.codePageOf(state.font)).decode(Buffer.from(pending)))
    pending = []
  }
  const endTable = () => {
    if (rows.length > 0) writer.table({ rows } satisfies Table)
    rows = []
  }
  const endParagraph = () => {
    const level = paragraph.outline ?? tables.headingLevels.get(paragraph.style)
    if (line.trim() !== '') {
      if (!paragraph.inTable) endTable()
      if (level) writer.heading(line, level)
      else if (paragraph.isItem) writer.item(line, 0)
      else writer.paragraph(line)
    }
    line = ''
  }

  function control(word: string, value: number | undefined) {
    if (characters[word] !== undefined) return put(characters[word])
    switch (word) {
      case 'par':
      case 'sect':
      case 'page':
        if (state.note) note += ' '
        else if (paragraph.inTable) line += ' '
        else endParagraph()
        return
      case 'pard':
        paragraph = { style: 0, outline: undefined, inTable: false, isItem: false }
        return
      case 'plain':
        Object.assign(state, { hidden: false, white: false, tiny: false, highlighted: false })
        return
      case 'intbl':
        paragraph.inTable = true
        return
      case 'ls':
        paragraph.isItem = true
        return
      case 's':
        paragraph.style = value ?? 0
        return
      case 'outlinelevel':
        paragraph.outline = value !== undefined && value < 9 ? value + 1 : undefined
        return
      case 'cell':
      case 'nestcell':
        cells.push(line)
        line = ''
        return
      case 'row':
      case 'nestrow':
        rows.push(cells)
        cells = []
        return
      case 'v':
        state.hidden = value !== 0
        return
      case 'fs':
        state.tiny = value !== undefined && value <= 2
        return
      case 'cf':
        state.white = tables.whiteColors.has(value ?? 0)
        return
      case 'highlight':
      case 'cb':
      case 'chcbpat':
        state.highlighted = value !== undefined && value > 0 && !tables.whiteColors.has(value)
        return
      case 'f':
        state.font = value ?? -1
        return
      case 'uc':
        state.fallback = value ?? 1
        return
      case 'u':
        put(String.fromCharCode((value ?? 63) & 0xffff))
        toSkip = state.fallback
        return
      case 'footnote':
      case 'annotation':
        state.note = true
        state.skip = false
        return
      case 'shptxt':
        state.skip = false
        return
      case 'deleted':
        state.hidden = value !== 0
        return
      case 'bin':
        return
      default:
        if (skippedDestinations.has(word)) {
          if (word === 'pntext' || word === 'listtext') paragraph.isItem = true
          state.skip = true
        }
    }
  }

  for (const token of tokenize(text)) {
    if (token.kind !== 'byte') flushBytes()
    if (token.kind === 'open') stack.push({ ...state })
    else if (token.kind === 'close') {
      const outer = stack.pop()
      if (!outer) continue
      if (state.note && !outer.note) {
        notes.push(note.trim())
        note = ''
      }
      state = outer
      toSkip = 0
    } else if (token.kind === 'ignorable') state.skip ||= !/^(?:shptxt|footnote|annotation)$/.test(token.word)
    else if (token.kind === 'word') {
      if (token.word !== 'u') toSkip = 0
      control(token.word, token.value)
    } else if (toSkip > 0) toSkip--
    else if (token.kind === 'byte') pending.push(token.value)
    else put(token.text)
  }
  flushBytes()
  if (cells.length > 0) rows.push(cells)
  endParagraph()
  endTable()
  for (const each of notes) writer.paragraph(each)
  if (!text.slice(0, 512).trimStart().startsWith('{\\rtf'))
    throw new UnreadableDocument('damaged', 'The rich text document is damaged and cannot be read.')
  return builder.finish()
}
