/** Characters with which a spreadsheet formula starts, or that are dropped before one (including full-width forms). */
const risky = /^'*[=+\-@\t\r\n＝＋－＠]/
const guarded = /^''*[=+\-@\t\r\n＝＋－＠]/
const plainNumber = /^[+-]\d+(?:\.\d+)?$/

/** A leading apostrophe makes a cell text; a plain number, also a phone number, is harmless and stays unchanged. */
const guardCell = (text: string): string => (risky.test(text) && !plainNumber.test(text) ? `'${text}` : text)

/** The reverse: an import removes the apostrophes that the export, or a person, added. */
export const unguardCell = (cell: string): string =>
  cell.charCodeAt(0) === 39 && guarded.test(cell) ? cell.slice(1) : cell

const quotable = /[",\r\n]/

function toCsvCell(text: string): string {
  const cell = guardCell(text)
  return quotable.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** A row of a CSV file. */
export const toCsvLine = (cells: string[]): string => `${cells.map(toCsvCell).join(',')}\r\n`
