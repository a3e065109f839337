import { createCsvParser, dialectOf } from '../../../platform/csv-parser.ts'
import { decodeText } from './parse-txt.ts'
import { writeSheet } from './sheets.ts'
import type { ExtractedText, TextBuilder } from './text-builder.ts'

/** Small enough that a row that never ends is not scanned again and again. */
const pieceCharacters = 1 << 22

export function readCsv(bytes: Buffer, builder: TextBuilder): ExtractedText {
  const text = decodeText(bytes)
  const { delimiter, skipped } = dialectOf(text)
  const parser = createCsvParser(delimiter)
  const sheet = writeSheet(builder)
  for (let at = skipped; at < text.length; at += pieceCharacters)
    for (const { cells } of parser.push(text.slice(at, at + pieceCharacters))) sheet.row(cells)
  for (const { cells } of parser.end()) sheet.row(cells)
  sheet.end()
  return builder.finish()
}
