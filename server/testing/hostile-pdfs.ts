import { deflateSync } from 'node:zlib'
import { wordFile } from './docx.ts'
import { pdfFile, pdfStream, textPdf, typeset } from './pdf.ts'
import { cutAt, type HostileFile, png, randomBytes, sentence, spoil, times } from './spoil.ts'

/** A page that draws `content` with these further resources; objects are numbered from 5 on. */
function onePage(
  content: Buffer,
  { resources = '', objects = [] as (string | Buffer)[], mediaBox = '0 0 595 842' } = {},
) {
  return pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [${mediaBox}] /Contents 4 0 R /Resources << ${resources} >> >>`,
    content,
    ...objects,
  ])
}

const helvetica = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const font = '/Font << /F1 5 0 R >>'
const draw = (text: string) => `BT /F1 12 Tf 50 700 Td (${text}) Tj ET\n`
const packed = (content: Buffer | string) => pdfStream(deflateSync(content), '/Filter /FlateDecode')

export function hostilePdfs(): HostileFile[] {
  const honest = textPdf(times(3, (i) => typeset(`Page ${i + 1}. ${sentence.repeat(12)}`)))
  const file = (name: string, bytes: Buffer, rest: Partial<HostileFile> = {}): HostileFile => ({
    name,
    type: 'pdf',
    bytes,
    ...rest,
  })
  return [
    file('empty', Buffer.alloc(0), { refused: ['empty'] }),
    file('nothing but a header', Buffer.from('%PDF-1.7\n'), { refused: ['damaged', 'empty'] }),
    file('a picture', png, { refused: ['mislabelled'] }),
    file('a text', Buffer.from(sentence), { refused: ['mislabelled'] }),
    file('a web page', Buffer.from(`<!DOCTYPE html><p>${sentence}`), { refused: ['mislabelled'] }),
    file('a Word document', wordFile([sentence]), { refused: ['mislabelled'] }),
    file('password', textPdf([typeset(sentence)], { userPassword: 'secret' }), { refused: ['encrypted'] }),
    file('scanned', scanned(), { refused: ['scanned'] }),
    file('blank pages', textPdf(times(5, () => [])), { refused: ['empty', 'scanned'] }),
    ...times(6, (i) =>
      file(`noise ${i}`, Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(i, 3000)]), {
        refused: ['damaged', 'empty'],
      }),
    ),
    ...times(8, (i) => file(`noise without a header ${i}`, randomBytes(i + 50, 2000), { refused: ['mislabelled'] })),
    ...times(10, (i) => file(`truncated ${i}`, cutAt(honest, (i + 1) / 11))),
    ...times(20, (i) => file(`spoilt ${i}`, spoil(honest, i, 3 + i * 4))),
    ...times(4, (i) => file(`junk before the header ${i}`, Buffer.concat([randomBytes(i + 9, 250 * i), honest]))),
    file('flate bomb of zeros', onePage(packed(Buffer.alloc(120 << 20))), { greedy: true }),
    file(
      'flate bomb of text',
      onePage(packed(draw(sentence).repeat(200_000)), { resources: font, objects: [helvetica] }),
      { greedy: true },
    ),
    file(
      'flate bomb in a flate bomb',
      onePage(pdfStream(deflateSync(deflateSync(Buffer.alloc(150 << 20))), '/Filter [/FlateDecode /FlateDecode]')),
      { greedy: true },
    ),
    file('forms that draw each other a billion times', laughingForms(), { greedy: true }),
    file(
      'a form that draws itself',
      onePage(pdfStream('/X Do'), {
        resources: '/XObject << /X 5 0 R >>',
        objects: [
          pdfStream('/X Do', '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>'),
        ],
      }),
    ),
    file(
      'a page tree that is its own child',
      pdfFile(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count 3 /Kids [2 0 R 2 0 R] >>']),
      { refused: ['damaged', 'empty'] },
    ),
    file('a deep page tree', deepPageTree(3000)),
    file(
      'two billion pages',
      pdfFile([
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Count 2147483647 /Kids [3 0 R] >>',
        '<< /Type /Page /Parent 2 0 R >>',
      ]),
      { greedy: true },
    ),
    file(
      'a negative number of pages',
      pdfFile(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count -5 /Kids [] >>']),
      { refused: ['damaged', 'empty'] },
    ),
    file(
      'ten thousand empty pages',
      textPdf(
        times(10_000, () => []),
        { compress: false },
      ),
      { greedy: true },
    ),
    file(
      'a table of objects that leads to itself',
      Buffer.from(
        honest.toString('latin1').replace(/trailer\n<< /, `trailer\n<< /Prev ${honest.lastIndexOf('xref\n0')} `),
        'latin1',
      ),
    ),
    file(
      'deeply nested arrays',
      onePage(pdfStream(draw(sentence)), {
        resources: `/Deep ${'['.repeat(20_000)}${']'.repeat(20_000)} ${font}`,
        objects: [helvetica],
      }),
    ),
    file(
      'deeply nested graphics states',
      onePage(packed(`${'q '.repeat(300_000)}${draw(sentence)}`), { resources: font, objects: [helvetica] }),
    ),
    file('a font that is not there', onePage(pdfStream(draw(sentence)), { resources: '/Font << /F1 99 0 R >>' })),
    file('no fonts at all', onePage(pdfStream(draw(sentence)))),
    file('a font without meaning', unknownLetters()),
    file(
      'a page as large as the moon',
      onePage(pdfStream(draw(sentence)), { resources: font, objects: [helvetica], mediaBox: '0 0 1e38 1e38' }),
    ),
    file(
      'a page without room',
      onePage(pdfStream(draw(sentence)), { resources: font, objects: [helvetica], mediaBox: '0 0 0 0' }),
    ),
    file(
      'a stream that claims to be endless',
      onePage(Buffer.from('<< /Length 4294967295 >>\nstream\nBT ET\nendstream')),
    ),
    file('a stream whose length is itself', onePage(Buffer.from('<< /Length 4 0 R >>\nstream\nBT ET\nendstream'))),
    file('filters that nobody knows', onePage(pdfStream('abc', '/Filter [/Nonsense /LZWDecode /ASCII85Decode]'))),
    ...[
      'LZWDecode',
      'ASCII85Decode',
      'ASCIIHexDecode',
      'RunLengthDecode',
      'CCITTFaxDecode',
      'JBIG2Decode',
      'DCTDecode',
      'JPXDecode',
    ].map((filter, i) =>
      file(`${filter} of noise`, onePage(pdfStream(randomBytes(i + 70, 5000), `/Filter /${filter}`))),
    ),
    file(
      'an action on opening',
      pdfFile([
        '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (while\\(true\\){}) >> >>',
        '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << ${font} >> >>`,
        pdfStream(draw(sentence)),
        helvetica,
      ]),
    ),
  ]
}

function scanned(): Buffer {
  const image = pdfStream(
    Buffer.alloc(100 * 140, 200),
    '/Type /XObject /Subtype /Image /Width 100 /Height 140 /ColorSpace /DeviceGray /BitsPerComponent 8',
  )
  return onePage(pdfStream('q 595 0 0 842 0 0 cm /Scan Do Q'), {
    resources: '/XObject << /Scan 5 0 R >>',
    objects: [image],
  })
}

function laughingForms(): Buffer {
  const depth = 12
  const form = (i: number) =>
    i === depth - 1
      ? pdfStream(
          draw('ha'),
          `/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Font << /F1 ${5 + depth} 0 R >> >>`,
        )
      : pdfStream(
          '/X Do '.repeat(10),
          `/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /X ${6 + i} 0 R >> >>`,
        )
  return onePage(pdfStream('/X Do '.repeat(10)), {
    resources: '/XObject << /X 5 0 R >>',
    objects: [...times(depth, form), helvetica],
  })
}

function deepPageTree(depth: number): Buffer {
  const nodes = times(depth, (i) => `<< /Type /Pages /Count 1 /Kids [${i + 3} 0 R] >>`)
  return pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    ...nodes,
    `<< /Type /Page /Parent ${depth + 1} 0 R /MediaBox [0 0 9 9] >>`,
  ])
}

/** A font whose glyph numbers have no Unicode mapping. */
function unknownLetters(): Buffer {
  const descendant =
    '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Secret /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>'
  const glyphs = times(400, (i) => (0xe000 + i).toString(16)).join('')
  return onePage(pdfStream(`BT /F1 12 Tf 50 700 Td <${glyphs}> Tj ET`), {
    resources: font,
    objects: [
      '<< /Type /Font /Subtype /Type0 /BaseFont /Secret /Encoding /Identity-H /DescendantFonts [6 0 R] >>',
      descendant,
    ],
  })
}
