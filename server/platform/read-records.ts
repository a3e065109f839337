import { type CsvParser, type CsvRecord, createCsvParser, dialectOf } from './csv-parser.ts'

/** Why nothing can be read from the file, in words for the caller. */
export class UnreadableFile extends Error {}

/** The size of a whole request body; a longer row is an unclosed quote, or no CSV. */
const maxRowCharacters = 1024 * 1024

/** The file's records as its bytes arrive, each batch with the number of bytes read so far. */
export async function* readRecords(
  chunks: AsyncIterable<Buffer>,
  encoding: string,
): AsyncGenerator<{ records: CsvRecord[]; readBytes: number }> {
  const decoder = new TextDecoder(encoding)
  let parser: CsvParser | undefined
  let readBytes = 0
  let row = 0
  for await (const chunk of chunks) {
    if (readBytes === 0) refuseOtherFormats(chunk, encoding)
    const text = decoder.decode(chunk, { stream: true })
    const { delimiter, skipped } = parser ? { delimiter: '', skipped: 0 } : dialectOf(text)
    parser ??= createCsvParser(delimiter)
    const records = parser.push(skipped > 0 ? text.slice(skipped) : text)
    row = records.at(-1)?.row ?? row
    if (parser.waiting > maxRowCharacters)
      throw new UnreadableFile(
        `Row ${row + 1} is longer than ${maxRowCharacters.toLocaleString('en')} characters: either a quote in it is never closed, or this is not a CSV file`,
      )
    readBytes += chunk.length
    if (records.length > 0) yield { records, readBytes }
  }
  if (!parser) throw new UnreadableFile('The file is empty')
  const records = [...parser.push(decoder.decode()), ...parser.end()]
  if (records.length > 0) yield { records, readBytes }
}

const otherFormats: [string, string][] = [
  ['504b0304', 'an Excel workbook or another ZIP archive'],
  ['d0cf11e0', 'an old Excel workbook'],
  ['25504446', 'a PDF document'],
  ['1f8b', 'a gzip archive'],
]

function refuseOtherFormats(bytes: Buffer, encoding: string): void {
  const start = bytes.subarray(0, 4).toString('hex')
  for (const [signature, name] of otherFormats)
    if (start.startsWith(signature)) throw new UnreadableFile(`This is ${name}, not text: save it as CSV (UTF-8) first`)
  // Text in these encodings has control bytes: zeros, or the escape sequences of ISO-2022-JP.
  if (encoding.startsWith('utf-16') || encoding === 'iso-2022-jp') return
  const sample = bytes.subarray(0, 4096)
  const controls = sample.filter((byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 13).length
  if (controls > 2 && controls > sample.length / 20)
    throw new UnreadableFile('This is not a text file: save it as CSV (UTF-8) first')
}
