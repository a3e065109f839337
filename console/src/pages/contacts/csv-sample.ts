/** The first rows of a file, as examples for the column mapping. The service parses the file itself. */

const sampleBytes = 64 * 1024
const sampleRows = 3

/** Values by column, in the file's order. */
export async function readSamples(file: Blob): Promise<string[][]> {
  const text = decode(new Uint8Array(await file.slice(0, sampleBytes).arrayBuffer())).replace(/^sep=.\r?\n/i, '')
  const lines = parse(text, delimiterOf(text)).filter((cells) => cells.some((cell) => cell.trim() !== ''))
  const [header, ...rows] = lines
  return (header ?? []).map((_, column) => rows.flatMap((cells) => cells[column]?.trim() || []).slice(0, sampleRows))
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    // Streaming mode, because the sample may end within a character.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function delimiterOf(text: string): string {
  const head = text.slice(0, text.search(/\r|\n|$/))
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: head.split(delimiter).length }))
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).delimiter
}

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
