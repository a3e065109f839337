import { wordFile, wordParts, type ZipPart, zipFile } from './docx.ts'
import { textPdf, typeset } from './pdf.ts'
import { cutAt, type HostileFile, ole, png, randomBytes, sentence, spoil, times } from './spoil.ts'

export function hostileWordFiles(): HostileFile[] {
  const honest = wordFile([{ heading: 'Title', level: 1 }, ...times(20, (i) => `${i}. ${sentence}`)])
  const file = (name: string, bytes: Buffer, rest: Partial<HostileFile> = {}): HostileFile => ({
    name,
    type: 'docx',
    bytes,
    ...rest,
  })
  const paragraph = `<w:p><w:r><w:t>${sentence}</w:t></w:r></w:p>`
  const withBody = (body: string) => zipFile(wordParts(body))
  /** Replaces the main part of a valid document. */
  const withDocument = (content: Buffer | string, claims: ZipPart['claims'] = {}) =>
    zipFile(
      wordParts(paragraph).map((part) => (part.name === 'word/document.xml' ? { ...part, content, claims } : part)),
    )
  const entities = `<!DOCTYPE x [<!ENTITY a "ha">${times(9, (i) => `<!ENTITY ${'bcdefghij'[i]} "${`&${'abcdefghi'[i]};`.repeat(10)}">`).join('')}]>`
  return [
    file('empty', Buffer.alloc(0), { refused: ['empty'] }),
    file('a picture', png, { refused: ['mislabelled'] }),
    file('a text', Buffer.from(sentence), { refused: ['mislabelled'] }),
    file('a PDF', textPdf([typeset(sentence)]), { refused: ['mislabelled'] }),
    file('an archive of something else', zipFile([{ name: 'a.txt', content: sentence }]), { refused: ['mislabelled'] }),
    file(
      'a spreadsheet',
      zipFile([
        { name: '[Content_Types].xml', content: '<x/>' },
        { name: 'xl/workbook.xml', content: '<x/>' },
      ]),
      { refused: ['mislabelled'] },
    ),
    file('password', ole, { refused: ['encrypted'] }),
    file('parts with a password', withDocument(sentence, { flags: 1 }), { refused: ['encrypted'] }),
    file('an archive without parts', zipFile([]), { refused: ['mislabelled', 'damaged'] }),
    file('a document without words', withBody('<w:p/>'), { refused: ['empty'] }),
    ...times(8, (i) =>
      file(`noise ${i}`, Buffer.concat([Buffer.from('PK\x03\x04'), randomBytes(i + 100, 2000)]), {
        refused: ['damaged'],
      }),
    ),
    ...times(12, (i) => file(`truncated ${i}`, cutAt(honest, (i + 1) / 13), { refused: ['damaged', 'mislabelled'] })),
    ...times(32, (i) => file(`spoilt ${i}`, spoil(honest, i + 200, 2 + i * 3))),
    file('zip bomb', withDocument(Buffer.alloc(64 << 20, 32)), { refused: ['bomb'] }),
    file('zip bomb of paragraphs', withBody(paragraph.repeat(200_000)), { refused: ['bomb', 'too_long'] }),
    file('zip bomb that lies about its size', withDocument(Buffer.alloc(64 << 20, 32), { size: 1000 }), {
      refused: ['damaged'],
    }),
    file('a part that claims to be huge', withDocument(sentence, { size: 0xfffffff0 }), { refused: ['bomb'] }),
    file('a part that claims to be packed huge', withDocument(sentence, { packed: 0xfffffff0 }), {
      refused: ['damaged'],
    }),
    file('a part that begins elsewhere', withDocument(sentence, { offset: 7 }), { refused: ['damaged'] }),
    file(
      'parts that share their bytes',
      zipFile(times(50, (i) => ({ name: `word/d${i}.xml`, content: sentence, claims: { offset: 0 } }))),
      { refused: ['damaged'] },
    ),
    file('a part twice', zipFile([...wordParts(paragraph), ...wordParts(paragraph)]), { refused: ['damaged'] }),
    file('twenty thousand parts', zipFile(times(20_000, (i) => ({ name: `word/${i}.xml`, content: '' }))), {
      refused: ['bomb'],
    }),
    file('a 64-bit archive', zipFile(wordParts(paragraph), { count: 0xffff }), { refused: ['bomb'] }),
    file('more parts promised than there are', zipFile(wordParts(paragraph), { count: 900 }), { refused: ['damaged'] }),
    file('a packing that nobody knows', withDocument(sentence, { method: 99 }), { refused: ['damaged'] }),
    file(
      'names that lead out of the archive',
      zipFile([...wordParts(paragraph), { name: '../../../etc/cron.d/x.xml', content: '<x/>' }]),
    ),
    file('entities that grow', withDocument(`${entities}<w:document>&j;</w:document>`), { refused: ['bomb'] }),
    file('an entity that is a file', withDocument('<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><x>&f;</x>'), {
      refused: ['bomb'],
    }),
    file(
      'entities in another encoding',
      withDocument(
        Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${entities}<w:document>&j;</w:document>`, 'utf16le'),
      ),
      { refused: ['bomb', 'damaged'] },
    ),
    file('no XML', withDocument(randomBytes(1, 4000)), { refused: ['damaged', 'empty'] }),
    file('XML that does not end', withDocument(`<w:document><w:body>${paragraph}`)),
    file('XML that is only depth', withDocument('<a>'.repeat(60_000)), {
      refused: ['damaged', 'empty', 'memory', 'timeout'],
      greedy: true,
    }),
    file(
      'tables in tables in tables',
      withBody(`${'<w:tbl><w:tr><w:tc>'.repeat(3000)}${paragraph}${'</w:tc></w:tr></w:tbl>'.repeat(3000)}`),
    ),
    file('an attribute without end', withDocument(`<w:document a="${'x'.repeat(3 << 20)}"/>`), {
      refused: ['damaged', 'empty'],
    }),
    file(
      'a picture from elsewhere',
      withBody(
        `${paragraph}<w:p><w:r><w:drawing><wp:inline xmlns:wp="w"><a:graphic xmlns:a="a"><a:blip r:link="r9" xmlns:r="r"/></a:graphic></wp:inline></w:drawing></w:r></w:p>`,
      ),
    ),
  ]
}
