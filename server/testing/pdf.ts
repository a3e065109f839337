import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

/** A small writer of PDF files for tests of PDF readers. */

export interface PdfLine {
  text: string
  x: number
  /** From the bottom of the page, in points. */
  y: number
  size?: number
}

interface PdfOptions {
  compress?: boolean
  /** Needed to open the file. */
  userPassword?: string
  /** Restricts what readers may do; the file opens without it. */
  ownerPassword?: string
}

const encoder = new Map([...'€‚ƒ„…†‡ˆ‰Š‹Œ'].map((character, i) => [character, 0x80 + i + (i > 0 ? 1 : 0)]))
for (const [i, character] of [...'‘’“”•–—˜™š›œ'].entries()) encoder.set(character, 0x91 + i)

/** Windows-1252, the encoding of the standard fonts; other characters become a question mark. */
function encodeLatin(text: string): Buffer {
  return Buffer.from(
    Array.from(text, (character) => {
      const code = character.codePointAt(0) as number
      return encoder.get(character) ?? (code < 256 ? code : 0x3f)
    }),
  )
}

/** One object per number, in order, with a correct cross-reference table. */
export function pdfFile(objects: (string | Buffer)[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  const offsets: number[] = []
  let length = (parts[0] as Buffer).length
  const add = (bytes: Buffer) => {
    parts.push(bytes)
    length += bytes.length
  }
  for (const [i, object] of objects.entries()) {
    offsets.push(length)
    add(
      Buffer.concat([
        Buffer.from(`${i + 1} 0 obj\n`),
        Buffer.from(object as string, 'latin1'),
        Buffer.from('\nendobj\n'),
      ]),
    )
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  const start = length
  add(Buffer.from(`xref\n0 ${count}\n0000000000 65535 f \n${table}`))
  add(Buffer.from(`trailer\n<< /Size ${count} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`))
  return Buffer.concat(parts)
}

export function pdfStream(content: Buffer | string, dictionary = ''): Buffer {
  const bytes = Buffer.from(content as string, 'latin1')
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${dictionary} >>\nstream\n`, 'latin1'),
    bytes,
    Buffer.from('\nendstream'),
  ])
}

/** Each page is a list of lines; Helvetica, A4. */
export function textPdf(pages: PdfLine[][], options: PdfOptions = {}): Buffer {
  const { compress = true } = options
  const security =
    options.userPassword !== undefined || options.ownerPassword !== undefined ? secure(options) : undefined
  const firstPage = 4
  const objects: (string | Buffer)[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, i) => `${firstPage + 2 * i} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]
  for (const [i, lines] of pages.entries()) {
    const number = firstPage + 2 * i
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${number + 1} 0 R ` +
        '/Resources << /Font << /F1 3 0 R >> >> >>',
    )
    const content = Buffer.concat(lines.map(drawLine))
    const packed = compress ? deflateSync(content) : content
    objects.push(
      pdfStream(security ? security.encrypt(packed, number + 1) : packed, compress ? '/Filter /FlateDecode' : ''),
    )
  }
  if (!security) return pdfFile(objects)
  objects.push(security.dictionary)
  return pdfFile(objects, `/Encrypt ${objects.length} 0 R /ID [<${security.id}> <${security.id}>]`)
}

function drawLine({ text, x, y, size = 11 }: PdfLine): Buffer {
  const hex = encodeLatin(text).toString('hex')
  return Buffer.from(`BT /F1 ${size} Tf ${x} ${y} Td <${hex}> Tj ET\n`)
}

/** Running text in lines of about `width` characters from the top of the page. */
export function typeset(text: string, { x = 60, top = 770, width = 85, size = 11 } = {}): PdfLine[] {
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of paragraph.split(' ')) {
      if (line && line.length + 1 + word.length > width) {
        lines.push(line)
        line = ''
      }
      line = line ? `${line} ${word}` : word
    }
    lines.push(line)
  }
  return lines.map((line, i) => ({ text: line, x, y: top - i * size * 1.3, size })).filter(({ text }) => text !== '')
}

const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
const padded = (password: string) => Buffer.concat([Buffer.from(password, 'latin1'), padding]).subarray(0, 32)
const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest()

/** The oldest scheme (RC4, 40 bits), which every reader still supports. */
function secure({ userPassword = '', ownerPassword = userPassword }: PdfOptions) {
  const id = md5(Buffer.from('frontdesk'))
  const owner = rc4(md5(padded(ownerPassword)).subarray(0, 5), padded(userPassword))
  const permissions = Buffer.alloc(4)
  permissions.writeInt32LE(-44)
  const key = md5(padded(userPassword), owner, permissions, id).subarray(0, 5)
  const user = rc4(key, padding)
  return {
    id: id.toString('hex'),
    dictionary: `<< /Filter /Standard /V 1 /R 2 /O <${owner.toString('hex')}> /U <${user.toString('hex')}> /P -44 >>`,
    encrypt(bytes: Buffer, object: number) {
      const salt = Buffer.from([object & 255, (object >> 8) & 255, (object >> 16) & 255, 0, 0])
      return rc4(md5(key, salt).subarray(0, 10), bytes)
    },
  }
}

function rc4(key: Buffer, bytes: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i)
  const swap = (a: number, b: number) => {
    const kept = state[a] as number
    state[a] = state[b] as number
    state[b] = kept
  }
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + (state[i] as number) + (key[i % key.length] as number)) & 255
    swap(i, j)
  }
  let i = 0
  let j = 0
  return bytes.map((byte) => {
    i = (i + 1) & 255
    j = (j + (state[i] as number)) & 255
    swap(i, j)
    return byte ^ (state[((state[i] as number) + (state[j] as number)) & 255] as number)
  }) as Buffer
}
