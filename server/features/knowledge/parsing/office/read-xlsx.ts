import { type Archive, openArchive, partOfType, relationId } from '../archive.ts'
import { UnreadableDocument } from '../document.ts'
import { attribute, child, childrenNamed, isElement, type MarkupElement, textOf } from '../markup/read-markup.ts'
import { writeSheet } from '../sheets.ts'
import type { ExtractedText, TextBuilder } from '../text-builder.ts'
import { type CellFormat, formatNumber, readCellFormats } from './cell-formats.ts'

interface Workbook {
  strings: string[]
  formats: CellFormat[]
  startsIn1904: boolean
}

/** Sheets in their order, each under its name. Hidden sheets, rows, columns and cells are left out. */
export function readXlsx(bytes: Buffer, builder: TextBuilder): ExtractedText {
  const archive = openArchive(bytes, 'xlsx')
  const main = partOfType(archive.relations(''), 'officeDocument') ?? 'xl/workbook.xml'
  const book = child(archive.tree(main), 'workbook')
  if (!book) throw new UnreadableDocument('damaged', 'The Excel workbook is damaged and cannot be read.')
  const relations = archive.relations(main)
  const workbook: Workbook = {
    strings: readStrings(archive, partOfType(relations, 'sharedStrings') ?? ''),
    formats: readCellFormats(archive, partOfType(relations, 'styles') ?? ''),
    startsIn1904: /^(?:1|true)$/.test(attribute(child(book, 'workbookPr') ?? book, 'date1904') ?? ''),
  }
  for (const sheet of childrenNamed(child(book, 'sheets'), 'sheet')) {
    if (/hidden/i.test(attribute(sheet, 'state') ?? '')) continue
    const part = relations.get(relationId(sheet))
    if (part?.type !== 'worksheet') continue
    const rows = readRows(archive, part.target, workbook)
    if (rows.length === 0) continue
    builder.addHeading((attribute(sheet, 'name') ?? '').trim(), 1)
    const writer = writeSheet(builder)
    for (const row of rows) writer.row(row)
    writer.end()
  }
  return builder.finish()
}

function readStrings(archive: Archive, part: string): string[] {
  const strings: string[] = []
  archive.elements(part, ['si'], (item) => strings.push(richText(item)))
  return strings
}

/** Runs of text, without the pronunciation that East Asian workbooks add. */
const richText = (item: MarkupElement): string =>
  item.children
    .filter((node): node is MarkupElement => isElement(node) && (node.name === 't' || node.name === 'r'))
    .map((node) => (node.name === 't' ? textOf(node) : textOf(child(node, 't'))))
    .join('')

/** Rows far to the right or below are layout; a sheet may have 16,384 columns. */
const maxColumns = 1000
/** Cells that merged areas may fill: titles span a few, an area built to exhaust memory spans millions. */
const maxMergedCells = 200_000

interface Sheet {
  rows: Map<number, string[]>
  hiddenColumns: Set<number>
  last: number
}

function readRows(archive: Archive, part: string, workbook: Workbook): string[][] {
  const sheet: Sheet = { rows: new Map(), hiddenColumns: new Set(), last: 0 }
  const hiddenRows = new Set<number>()
  let mergedCells = maxMergedCells
  archive.elements(part, ['col', 'row', 'mergeCell'], (element) => {
    if (element.name === 'row') readRow(element, sheet, hiddenRows, workbook)
    else if (element.name === 'col') hideColumns(element, sheet)
    else mergedCells -= fillMerged(sheet, attribute(element, 'ref') ?? '', mergedCells)
  })
  for (const number of hiddenRows) sheet.rows.delete(number)
  const rows: string[][] = []
  let previous = 0
  for (const [number, cells] of [...sheet.rows].sort(([a], [b]) => a - b)) {
    // Rows that are missing were empty: they separate tables. Hidden rows do not.
    const gap = Array.from({ length: Math.min(2, number - previous - 1) }, (_, i) => previous + 1 + i)
    if (gap.some((each) => !hiddenRows.has(each))) rows.push([])
    rows.push(
      Array.from({ length: cells.length }, (_, i) => cells[i] ?? '').filter((_, i) => !sheet.hiddenColumns.has(i)),
    )
    previous = number
  }
  return rows
}

const isSet = (element: MarkupElement, name: string): boolean => /^(?:1|true)$/.test(attribute(element, name) ?? '')

function hideColumns(column: MarkupElement, { hiddenColumns }: Sheet): void {
  if (!isSet(column, 'hidden') && attribute(column, 'width') !== '0') return
  const [first, last] = [Number(attribute(column, 'min')), Math.min(maxColumns, Number(attribute(column, 'max')))]
  for (let i = first; i <= last; i++) hiddenColumns.add(i - 1)
}

function readRow(row: MarkupElement, sheet: Sheet, hiddenRows: Set<number>, workbook: Workbook): void {
  const number = Number(attribute(row, 'r')) || sheet.last + 1
  sheet.last = number
  if (isSet(row, 'hidden')) hiddenRows.add(number)
  const cells: string[] = []
  let next = 0
  for (const cell of childrenNamed(row, 'c')) {
    const column = columnOf(attribute(cell, 'r') ?? '') ?? next
    next = column + 1
    if (column < maxColumns) cells[column] = cellText(cell, workbook)
  }
  if (cells.some((cell) => cell)) sheet.rows.set(number, cells)
}

/** "C7" is in column 2. */
function columnOf(reference: string): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0]
  if (!letters) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function cellText(cell: MarkupElement, { strings, formats, startsIn1904 }: Workbook): string {
  const format = formats[Number(attribute(cell, 's') ?? 0)]
  if (format?.isHidden) return ''
  const value = textOf(child(cell, 'v'))
  switch (attribute(cell, 't')) {
    case 's':
      return strings[Number(value)] ?? ''
    case 'inlineStr':
      return richText(child(cell, 'is') ?? cell)
    case 'b':
      return value === '1' ? 'yes' : 'no'
    case 'e':
      return ''
    case 'd':
      return value.replace('T', ' ').replace(/(?: 00:00)?:00(?:\.0+)?Z?$/, '')
    case 'str':
      return value
    default:
      return formatNumber(value, format?.code ?? '', startsIn1904)
  }
}

/** Gives every cell of a merged area its value: a heading above three columns belongs to all of them. */
function fillMerged({ rows, last }: Sheet, reference: string, budget: number): number {
  const [, left, top, right, bottom] = /^([A-Z]+)(\d+):([A-Z]+)(\d+)$/.exec(reference) ?? []
  if (!left || !right) return 0
  const [first, end] = [columnOf(left) ?? 0, Math.min(columnOf(right) ?? 0, maxColumns - 1)]
  const value = rows.get(Number(top))?.[first]
  if (!value) return 0
  let filled = 0
  for (let number = Number(top); number <= Math.min(Number(bottom), last) && filled < budget; number++) {
    const row = rows.get(number)
    // A row of nothing but merged cells is part of the area above it.
    if (!row) continue
    for (let column = first; column <= end; column++, filled++) row[column] ||= value
  }
  return filled
}
