/** A table in rows of cells, all texts in one line. */
export interface Table {
  rows: string[][]
  /** How many rows at the top name the columns; where the file does not say, it is guessed. */
  headerRows?: number
}

/** A table up to this length fits into a chunk with its header: it is written as it looks. */
const shortTable = 600

/**
 * One line per row. In a long table each value carries the name of its column, because the row may end up in another
 * chunk than the header: "Plan: Basic | Price: 10 €".
 */
export function tableText(table: Table): string {
  const rows = table.rows.map((row) => row.map((cell) => cell.replace(/\s+/g, ' ').trim())).filter(hasText)
  const grid = rows.map(gridLine)
  if (grid.reduce((length, line) => length + line.length + 1, 0) <= shortTable) return grid.join('\n')
  return recordLines({ ...table, rows }).join('\n')
}

/** One line per row, with the names of the columns in each, whatever the table's length. */
function recordLines({ rows, headerRows = guessHeader(rows) }: Table): string[] {
  if (headerRows === 0) return rows.map(gridLine)
  const names = columnNames(rows.slice(0, headerRows))
  const records = rows.slice(headerRows).map((row) => recordLine(row, names))
  return records.length > 0 ? records : rows.map(gridLine)
}

export function recordLine(row: string[], names: string[]): string {
  return row
    .map((cell, i) => (cell === '' ? '' : names[i] ? `${names[i]}: ${cell}` : cell))
    .filter((cell) => cell !== '')
    .join(' | ')
}

/** Two header rows, such as a year above its quarters, make one name: "2026 Q1". */
export function columnNames(header: string[][]): string[] {
  const width = Math.max(0, ...header.map((row) => row.length))
  return Array.from({ length: width }, (_, i) => [...new Set(header.map((row) => row[i] ?? ''))].join(' ').trim())
}

export const gridLine = (row: string[]): string =>
  row.slice(0, row.findLastIndex((cell) => cell !== '') + 1).join(' | ')

const hasText = (row: string[]): boolean => row.some((cell) => cell !== '')

/** A first row of different names, none of them a number, above at least one more row. */
export function looksLikeHeader(row: string[], width: number): boolean {
  const names = row.filter((cell) => cell !== '')
  return (
    names.length >= Math.max(2, width * 0.6) &&
    new Set(names).size === names.length &&
    names.every((name) => name.length <= 80 && /\p{L}/u.test(name) && !isValue(name))
  )
}

/** Amounts, dates and times: values of a table's body, not of its header. */
const isValue = (text: string): boolean => /^[\p{Sc}\d\s.,:/%+()-]+$/u.test(text.replace(/\p{Sc}|[A-Z]{3}/gu, ''))

const guessHeader = (rows: string[][]): number => {
  const width = Math.max(0, ...rows.map((row) => row.length))
  return rows.length > 1 && looksLikeHeader(rows[0] as string[], width) ? 1 : 0
}
