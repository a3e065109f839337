import { crc32, deflateRawSync } from 'node:zlib'

/** A small writer of ZIP archives and Word documents, which can also write false headers. */

export interface ZipPart {
  name: string
  content: Buffer | string
  /** False header values. */
  claims?: { size?: number; packed?: number; method?: number; flags?: number; offset?: number }
}

export function zipFile(parts: ZipPart[], { comment = '', count = parts.length } = {}): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, content, claims = {} } of parts) {
    const bytes = Buffer.from(content as string)
    const packed = deflateRawSync(bytes)
    const named = Buffer.from(name)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(claims.flags ?? 0, 2)
    facts.writeUInt16LE(claims.method ?? 8, 4)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(claims.packed ?? packed.length, 14)
    facts.writeUInt32LE(claims.size ?? bytes.length, 18)
    facts.writeUInt16LE(named.length, 22)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(claims.offset ?? at, 10)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, named, packed])
    pieces.push(local)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), facts, tail, named]))
    at += local.length
  }
  const table = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(count & 0xffff, 8)
  end.writeUInt16LE(count & 0xffff, 10)
  end.writeUInt32LE(table.length, 12)
  end.writeUInt32LE(at, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([...pieces, table, end, Buffer.from(comment)])
}

type WordBlock =
  | string
  | { heading: string; level: number }
  | { items: string[]; level?: number }
  | { table: string[][] }

const namespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const types = 'http://schemas.openxmlformats.org/package/2006'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const paragraph = (text: string, properties = ''): string =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}<w:r><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r></w:p>`

function blockXml(block: WordBlock): string {
  if (typeof block === 'string') return paragraph(block)
  if ('heading' in block) return paragraph(block.heading, `<w:pStyle w:val="Heading${block.level}"/>`)
  if ('items' in block) {
    const numbering = `<w:numPr><w:ilvl w:val="${block.level ?? 0}"/><w:numId w:val="1"/></w:numPr>`
    return block.items.map((item) => paragraph(item, numbering)).join('')
  }
  const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`
  return `<w:tbl>${block.table.map((row) => `<w:tr>${row.map(cell).join('')}</w:tr>`).join('')}</w:tbl>`
}

/** The parts of a document, for tests that corrupt one of them. */
export function wordParts(body: string): ZipPart[] {
  const override = (part: string, type: string) =>
    `<Override PartName="/word/${part}.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.${type}+xml"/>`
  const heading = (level: number) =>
    `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/></w:style>`
  return [
    {
      name: '[Content_Types].xml',
      content: `${xml}<Types xmlns="${types}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${override('document', 'document.main')}${override('styles', 'styles')}${override('numbering', 'numbering')}</Types>`,
    },
    {
      name: '_rels/.rels',
      content: `${xml}<Relationships xmlns="${types}/relationships"><Relationship Id="r1" Type="${relations}/officeDocument" Target="word/document.xml"/></Relationships>`,
    },
    {
      name: 'word/_rels/document.xml.rels',
      content: `${xml}<Relationships xmlns="${types}/relationships"><Relationship Id="r1" Type="${relations}/styles" Target="styles.xml"/><Relationship Id="r2" Type="${relations}/numbering" Target="numbering.xml"/></Relationships>`,
    },
    { name: 'word/styles.xml', content: `${xml}<w:styles ${namespace}>${[1, 2, 3].map(heading).join('')}</w:styles>` },
    {
      name: 'word/numbering.xml',
      content: `${xml}<w:numbering ${namespace}><w:abstractNum w:abstractNumId="0">${[0, 1, 2].map((level) => `<w:lvl w:ilvl="${level}"><w:numFmt w:val="bullet"/></w:lvl>`).join('')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
    },
    { name: 'word/document.xml', content: `${xml}<w:document ${namespace}><w:body>${body}</w:body></w:document>` },
  ]
}

export const wordFile = (blocks: WordBlock[]): Buffer => zipFile(wordParts(blocks.map(blockXml).join('')))
