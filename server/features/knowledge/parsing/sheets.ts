import { cleanText } from './clean-text.ts'
import { columnNames, gridLine, looksLikeHeader, recordLine } from './tables.ts'
import type { TextBuilder } from './text-builder.ts'

/** Some values, but not all, are in several columns. */
function spansColumns(row: string[]): boolean {
  const values = row.filter((cell) => cell !== '')
  const different = new Set(values).size
  return different > 1 && different < values.length
}

/** A title that spans all columns is written once. */
const titleLine = (row: string[]): string => gridLine([...new Set(row.filter((cell) => cell !== ''))])

/**
 * Writes the rows of a sheet as they come. Each group of rows between empty ones is a table of its own, unless it
 * continues the columns of the one before. Every row carries the names of its columns.
 */
export function writeSheet(builder: TextBuilder) {
  let names: string[] = []
  let group: string[][] = []
  /** Titles and notes may come before the header; after this many rows the table counts as having none. */
  const lookAhead = 12
  let isOpen = false

  const write = (line: string, separator: string) => builder.add(line, separator)

  function decideHeader() {
    const width = Math.max(0, ...group.map((row) => row.filter((cell) => cell !== '').length))
    const at = group.findIndex((row, i) => i < group.length - 1 && looksLikeHeader(row, width))
    // A row of merged cells directly above, such as a year above its quarters, is part of the header.
    const first = at > 0 && spansColumns(group[at - 1] as string[]) ? at - 1 : at
    const above = at < 0 ? [] : group.slice(0, first)
    if (at >= 0) {
      for (const [i, row] of above.entries()) write(titleLine(row), i === 0 ? '\n\n' : '\n')
      names = columnNames(group.slice(first, at + 1))
      group = group.slice(at + 1)
    } else if (width > names.length || group.every((row) => row.filter((cell) => cell !== '').length <= 1)) names = []
    for (const [i, row] of group.entries()) write(lineOf(row), i === 0 && above.length === 0 ? '\n\n' : '\n')
    group = []
    isOpen = true
  }

  const lineOf = (row: string[]) => {
    if (names.length > 0) return recordLine(row, names)
    return new Set(row).size === 1 ? titleLine(row) : gridLine(row)
  }

  return {
    /** An empty row ends a group. */
    row(cells: string[]) {
      const clean = cells.map((cell) => cleanText(cell).replace(/\s+/g, ' ').trim())
      if (clean.every((cell) => cell === '')) {
        if (group.length > 0) decideHeader()
        isOpen = false
        return
      }
      if (isOpen) return write(lineOf(clean), '\n')
      group.push(clean)
      if (group.length >= lookAhead) decideHeader()
    },
    end() {
      if (group.length > 0) decideHeader()
    },
  }
}
