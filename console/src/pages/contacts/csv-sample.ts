import type { api as types } from '@frontdesk/sdk'

/** The first rows of a file, as examples for the column mapping: in the encoding and the columns that the service read. */

const sampleBytes = 64 * 1024
const sampleRows = 3

type Read = Pick<types.ContactImportReport, 'encoding' | 'columns'>

/** Values by column, in the file's order. */
export async function readSamples(file: Blob, { encoding, columns }: Read): Promise<string[][]> {
  const text = new TextDecoder(encoding).decode(await file.slice(0, sampleBytes).arrayBuffer())
  const [announcement = '', announced] = /^sep=(.)\r?\n/i.exec(text) ?? []
  const rest = text.slice(announcement.length)
  const [header = [], ...rows] =
    (announced ? [announced] : [',', ';', '\t'])
      .map((delimiter) => parse(rest, delimiter).filter((cells) => cells.some((cell) => cell.trim() !== '')))
      .find(([header]) => isHeader(header ?? [], columns)) ?? []
  return header.map((_, column) => rows.flatMap((cells) => cells[column]?.trim() || []).slice(0, sampleRows))
}

/** Some names may differ: the service names columns without a name, and removes the mark against formulas. */
const isHeader = (cells: string[], columns: Read['columns']) =>
  cells.length === columns.length && cells.some((cell, index) => cell.trim() === columns[index]?.column)

function parse(text: string, delimiter: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    rows.at(-1)?.push(cell)
    cell = ''
  }
  for (let at = 0; at < text.length && rows.length < 50; at++) {
    const letter = text[at] as string
    if (isQuoted && letter === '"' && text[at + 1] === '"') cell += text[++at]
    else if (letter === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted
    else if (isQuoted) cell += letter
    else if (letter === delimiter) endCell()
    else if (letter === '\n') {
      endCell()
      rows.push([])
    } else if (letter !== '\r') cell += letter
  }
  endCell()
  return rows
}
