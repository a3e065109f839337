import { cleanText } from './clean-text.ts'
import { type Table, tableText } from './tables.ts'
import type { TextBuilder } from './text-builder.ts'

/** What readers of marked-up documents write to, block by block. */
export interface BlockWriter {
  heading(text: string, level: number): void
  paragraph(text: string): void
  item(text: string, depth: number): void
  /** Lines whose white space matters. */
  lines(text: string): void
  table(table: Table): void
}

/** Writes blocks as plain text. */
export function writeText(builder: TextBuilder): BlockWriter {
  let inList = false
  const add = (text: string, isItem = false) => {
    if (text === '') return
    builder.add(text, inList && isItem ? '\n' : '\n\n')
    inList = isItem
  }
  return {
    heading(text, level) {
      inList = false
      builder.addHeading(oneLine(text), level)
    },
    paragraph: (text) => add(cleanText(text).trim()),
    item(text, depth) {
      const clean = cleanText(text).trim()
      if (clean !== '') add(`${'  '.repeat(Math.min(depth, 8))}- ${clean}`, true)
    },
    lines: (text) => add(cleanText(text).replace(/^\n+|\s+$/g, '')),
    table: ({ rows, ...rest }) => add(tableText({ ...rest, rows: rows.map((row) => row.map(oneLine)) })),
  }
}

/** Writes blocks as Markdown, from which the Markdown reader gets the same blocks again. */
export function writeMarkdown(): BlockWriter & { finish(): string } {
  const parts: string[] = []
  let inList = false
  const add = (text: string, isItem = false) => {
    if (text === '') return
    if (parts.length > 0) parts.push(inList && isItem ? '\n' : '\n\n')
    parts.push(text)
    inList = isItem
  }
  return {
    heading: (text, level) => {
      const line = escapeMarkdown(oneLine(text))
      if (line !== '') add(`${'#'.repeat(Math.min(level, 6))} ${line}`)
    },
    paragraph: (text) => add(escapeMarkdown(cleanText(text).trim()).replaceAll('\n', '\\\n')),
    item: (text, depth) => {
      const line = escapeMarkdown(oneLine(text))
      if (line !== '') add(`${'  '.repeat(Math.min(depth, 8))}- ${line}`, true)
    },
    lines: (text) => {
      const clean = cleanText(text).replace(/^\n+|\s+$/g, '')
      const fence = '`'.repeat(Math.max(3, ...(clean.match(/`+/g) ?? []).map((run) => run.length + 1)))
      if (clean !== '') add(`${fence}\n${clean}\n${fence}`)
    },
    table: ({ rows, headerRows = 1 }) => {
      const width = Math.max(0, ...rows.map((row) => row.length))
      const lineOf = (row: string[]) =>
        `| ${Array.from({ length: width }, (_, i) => escapeMarkdown(oneLine(row[i] ?? '')).replaceAll('|', '\\|')).join(' | ')} |`
      const [head = [], ...body] = headerRows > 0 ? rows : [[], ...rows]
      if (width > 0) add([lineOf(head), `|${' --- |'.repeat(width)}`, ...body.map(lineOf)].join('\n'))
    },
    finish: () => parts.join(''),
  }
}

const oneLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ').trim()

/** Characters that would become markup; addresses stay as they are. */
const escapeMarkdown = (text: string): string =>
  text
    .replace(/[\\`*[\]<]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&')
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replace(/^(\s*)([#>+-]|={2,}|~{3,})/gm, '$1\\$2')
    .replace(/^(\s*\d+)([.)])(?=\s)/gm, '$1\\$2')
