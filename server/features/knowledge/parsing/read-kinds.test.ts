import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { wordParts, type ZipPart, zipFile } from '../../../testing/docx.ts'
import { pdfFile, pdfStream, textPdf, typeset } from '../../../testing/pdf.ts'
import { detectKind } from './detect-kind.ts'
import { UnreadableDocument } from './document.ts'
import { type FileKind, fileKinds } from './file-kinds.ts'
import { isGibberish } from './gibberish.ts'
import { parseBytes } from './parse-bytes.ts'
import { parseDocument } from './parse-document.ts'
import type { PdfEngine } from './parse-pdf.ts'
import { readWebPage } from './read-web-page.ts'

const sample = (name: string) => readFile(join(import.meta.dirname, '../../../testing/files', name))

/** Without a process: that readers run in one is tested below. */
const read = (type: FileKind, content: Buffer | string, engine: PdfEngine = 'javascript') =>
  parseBytes(Buffer.from(content as string), {
    type,
    characters: 1_000_000,
    engine,
    onProgress: () => {},
  })

const fails = (code: string) => (error: unknown) =>
  error instanceof UnreadableDocument && error.code === code && /^The(?:re)? [^/\\{}]+\.$/.test(error.message)

const hidden = /White text|Vanished|Tiny instruction/

for (const kind of ['docx', 'odt', 'rtf'] as const)
  test(`a real ${kind} file gives headings, lists, tables, comments and margins, but no hidden text`, async () => {
    const { text, headings } = await read(kind, await sample(`handbook.${kind}`))
    assert.ok(headings.some((heading) => heading.text === 'Holidays' && text.startsWith('Holidays', heading.offset)))
    for (const part of [
      'Everyone has thirty days of holiday a year.',
      '- Ask in spring\n- Sign the form',
      'Team | Lead\nKitchen | Ms Okoye',
      'From July on at 125 percent.',
      'Confidential, Hotel Seeblick',
      'Questions: extension 417',
    ])
      assert.ok(text.includes(part), part)
    assert.doesNotMatch(text, hidden)
  })

test('a real EPUB book gives its chapters under their headings', async () => {
  const { text, headings } = await read('epub', await sample('handbook.epub'))
  assert.ok(headings.some((heading) => heading.text === 'Holidays'))
  assert.match(text, /thirty days of holiday/)
  assert.match(text, /Team \| Lead\nKitchen \| Ms Okoye/)
  assert.doesNotMatch(text, hidden)
})

test('a real Excel workbook gives each row with its columns, and nothing that is hidden', async () => {
  const { text, headings } = await read('xlsx', await sample('rates.xlsx'))
  assert.deepEqual(
    headings.map((heading) => heading.text),
    ['Room rates', 'Opening hours'],
  )
  assert.equal(
    text,
    [
      'Room rates\n',
      'Hotel Seeblick, rates for 2027\n',
      'Room: Single | From: 2027-04-01 | Price per night: 89.50 € | Discount: 10% | Total of 3 nights: 241.65 €',
      'Room: Double | From: 2027-04-01 | Price per night: 129.00 € | Discount: 15% | Total of 3 nights: 328.95 €',
      'Room: Suite | From: 2027-05-01 | Price per night: 240.00 € | Discount: 0% | Total of 3 nights: 720.00 €\n',
      'Opening hours\n',
      'Area: Spa | Hours: 9 to 21 | Last entry: 20:15',
      'Area: Pool | Hours: 7 to 22 | Last entry: 21:30',
      'Area: Restaurant | Hours: breakfast 7 to 10 | Last entry: 09:45',
      'Area: Restaurant | Hours: dinner 18 to 22 | Last entry: 21:00',
    ].join('\n'),
  )
})

const relations = (targets: string[]) =>
  `<Relationships>${targets.map((target, i) => `<Relationship Id="r${i}" Type="x/${/notes/.test(target) ? 'notesSlide' : 'slide'}" Target="${target}"/>`).join('')}</Relationships>`
const shape = (text: string, holder: string) =>
  `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr>${holder}</p:nvPr></p:nvSpPr><p:txBody>${text}</p:txBody></p:sp>`
const line = (text: string, level = 0) => `<a:p><a:pPr lvl="${level}"/><a:r><a:t>${text}</a:t></a:r></a:p>`
const slide = (body: string, rest = '') => `<p:sld ${rest}><p:cSld><p:spTree>${body}</p:spTree></p:cSld></p:sld>`

const presentation = (): ZipPart[] => [
  { name: '[Content_Types].xml', content: '<Types/>' },
  {
    name: 'ppt/presentation.xml',
    content:
      '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r1"/><p:sldId id="257" r:id="r0"/><p:sldId id="258" r:id="r2"/></p:sldIdLst></p:presentation>',
  },
  {
    name: 'ppt/_rels/presentation.xml.rels',
    content: relations(['slides/slide1.xml', 'slides/slide2.xml', 'slides/slide3.xml']),
  },
  {
    name: 'ppt/slides/slide1.xml',
    content: slide(
      `${shape(line('Shipping costs'), '<p:ph type="title"/>')}<p:graphicFrame><a:tbl><a:tblPr firstRow="1"/><a:tr><a:tc>${line('Country')}</a:tc><a:tc>${line('Cost')}</a:tc></a:tr><a:tr><a:tc>${line('Austria')}</a:tc><a:tc>${line('9.90 €')}</a:tc></a:tr></a:tbl></p:graphicFrame>`,
    ),
  },
  {
    name: 'ppt/slides/slide2.xml',
    content: slide(
      `${shape(line('30 days') + line('with receipt', 1), '<p:ph idx="1"/>')}${shape(line('Returns'), '<p:ph type="title"/>')}${shape(line('7'), '<p:ph type="sldNum"/>')}`,
    ),
  },
  { name: 'ppt/slides/_rels/slide2.xml.rels', content: relations(['../notesSlides/notesSlide1.xml']) },
  {
    name: 'ppt/notesSlides/notesSlide1.xml',
    content: `<p:notes><p:cSld><p:spTree>${shape(line('Say it twice.'), '<p:ph type="body"/>')}</p:spTree></p:cSld></p:notes>`,
  },
  { name: 'ppt/slides/slide3.xml', content: slide(shape(line('Internal'), '<p:ph type="title"/>'), 'show="0"') },
]

test('a presentation gives its slides as pages, in their order, with titles, tables and notes', async () => {
  const { text, pages, headings } = await read('pptx', zipFile(presentation()))
  assert.equal(
    text,
    'Returns\n\n- 30 days\n  - with receipt\n\nSay it twice.\n\nShipping costs\n\nCountry | Cost\nAustria | 9.90 €',
  )
  assert.deepEqual(
    headings.map((heading) => heading.text),
    ['Returns', 'Shipping costs'],
  )
  assert.deepEqual(
    pages.map((page) => page.number),
    [1, 2],
  )
})

test('Markdown gives its headings, lists and tables without markup', async () => {
  const { text, headings } = await read(
    'md',
    '---\ntitle: "Guide"\nsecret: x\n---\n# Start *here*\n\nSee [docs](https://example.com/a) & <!-- do as I say --> **go**.\n\n- one\n  - two\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n```\n# no heading\n```\n',
  )
  assert.equal(
    text,
    'Guide\n\nStart here\n\nSee docs (https://example.com/a) & go.\n\n- one\n  - two\n\nA | B\n1 | 2\n\n# no heading',
  )
  assert.deepEqual(
    headings.map(({ level, text: title }) => [level, title]),
    [
      [1, 'Guide'],
      [1, 'Start here'],
    ],
  )
})

test('HTML gives what a person sees', async () => {
  const { text } = await read(
    'html',
    `<!doctype html><html><head><title>Shop</title><style>.gone, #x { display: none } @media print { .p { display: none } }</style></head>
     <body><nav>Home</nav><h1>Shop</h1><p>We ship <b>fast</b>.<br>Really.</p><script>alert(1)</script>
     <p hidden>A</p><p style="display:none">B</p><p class="gone">C</p><p id=x>D</p><p style="color:#fff">E</p>
     <p style="font-size:0">F</p><span aria-hidden="true">G</span><div style="position:absolute;left:-9999px">H</div>
     <p style="background:#036;color:white">Visible on blue</p><p class="p">Visible on screens</p>
     <p>Call <a href="tel:+4930123">us</a></p></body></html>`,
  )
  assert.equal(text, 'Shop\n\nWe ship fast.\nReally.\n\nVisible on blue\n\nVisible on screens\n\nCall us (+4930123)')
})

test('HTML text that styles hide is left out, in whatever way they do', async () => {
  const sheet = `/* .seen1 { display: none } */ @import url(x.css);
    p.hid1 { display: none } .box .hid2 { opacity: 0 } .box > p > .hid3 { visibility: hidden } .a.b { font-size: 1px }
    [data-x="1"] { position: absolute; left: -999px } @media screen { .hid4 { display: none } } @layer base { .hid5 { font: 0/0 a } }
    .hid6 { display: none !important } #hid7 { color: white; background: #fff none } .sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0, 0, 0, 0) }
    @media (max-width: 600px) { .seen2 { display: none } } div > .seen3 { display: none } .seen4:hover { display: none }
    .seen5 { display: none } .seen5 { display: block } .dark { background: navy; color: white } .other .seen6 { display: none }
    .grad { color: transparent; background: linear-gradient(red, blue); -webkit-background-clip: text } * { box-sizing: border-box }`
  const hidden = [
    '<p class="hid1">H</p>',
    '<div class="box"><i><span class="hid2">H</span></i><p><span class="hid3">H</span></p></div>',
    '<p class="a b">H</p>',
    '<p data-x="1">H</p>',
    '<p class="hid4">H</p><p class="hid5">H</p><p class="hid6" style="display:block">H</p><p id="hid7">H</p>',
    '<span class="sr">H</span>',
    ...[
      'opacity:0.01',
      'opacity:0%',
      'filter:opacity(0)',
      'color:rgba(0,0,0,0)',
      'color:#0000',
      'color:rgb(255 255 255 / 90%)',
      'color:hsl(0,0%,99%)',
      'color:red;background:#f00',
      'background:rebeccapurple;color:rebeccapurple',
      '-webkit-text-fill-color:transparent',
      'font-size:0.5px',
      'text-indent:-9999px',
      'transform:translateX(-200vw)',
      'transform:scale(0)',
      'margin-left:-5000px',
      'clip-path:inset(50%)',
      'height:0;overflow:hidden',
      'max-height:1px;overflow-y:hidden',
      'content-visibility:hidden',
      'DISPLAY : NONE ! IMPORTANT',
    ].map((style) => `<p style="${style}">H</p>`),
  ]
  const seen = [
    '<p class="seen1 seen2 seen3 seen4 seen5 seen6">S</p>',
    '<div class="dark"><p>S</p><p style="color:inherit">S</p></div>',
    '<h2 class="grad">S</h2>',
    ...['opacity:.5', 'font:700 16px Arial', 'left:-20px', 'color:#333', 'background:url(x.png) white;color:white'].map(
      (style) => `<p style="${style}">S</p>`,
    ),
    '<table><tbody><tr><td>S</td><td>S</td></tr></tbody></table>',
  ]
  const page = `<html><head><style>${sheet}</style></head><body>${[...hidden, ...seen].join('\n')}</body></html>`
  const { text } = await read('html', page)
  assert.doesNotMatch(text, /H/, 'of a file')
  assert.equal(text.match(/S/g)?.length, 11)
  const article = `<article><h1>Visit</h1><p>${'The museum opens at nine and closes at six, except on Mondays. '.repeat(8)}</p>`
  const web = await readWebPage(
    Buffer.from(page.replace('<body>', `<body>${article}`).replace('</body>', '</article></body>')),
    {
      url: 'https://museum.example/',
    },
  )
  assert.doesNotMatch(web.text, /H/, 'of a web page')
  assert.match(web.text, /Mondays/)
})

test('HTML text is judged by the styles that apply to it in the end', async () => {
  const sheet = `.hidden { display: none } .show { display: block } .two { display: block } .one { display: none }
    .row { font-size: 0 } .row > div { font-size: 16px } .half { font-size: .5em } .glass { background: rgba(255, 255, 255, .1) }
    .cut { color: transparent; -webkit-background-clip: text } .x > .y .z { display: none } .u > .v > .w b { display: none }
    .veil { visibility: hidden } .veil i { visibility: visible } .faded { -webkit-text-fill-color: transparent }`
  const seen = [
    '<p class="show hidden">S</p>',
    '<div class="row">H<div>S</div> <div>S<p style="font-size:0">H</p></div></div>',
    '<p class="veil">H<i>S</i><img alt="H"></p>',
    '<div style="background:#111;color:#111">H<p style="color:white">S</p><div class="glass" style="color:white">S</div></div>',
    '<div style="background:url(x.png)"><div class="glass" style="color:white">S</div></div>',
    '<p class="cut" style="background-color:navy">S<i style="background:#0000">S</i><b style="background:white">H</b></p>',
    '<p class="faded">H<b style="-webkit-text-fill-color:currentcolor">S</b></p>',
    '<div class="u"><div class="v"><p>S<b>S</b></p></div></div>',
    '<table><thead class="veil"><tr><th>H</th><th>H</th></tr></thead><tr class="row"><td>H<div style="font-size:16px">S</div></td><td>H</td></tr></table>',
  ]
  const hidden = [
    '<p class="one two">H</p>',
    '<div class="row"><p style="font-size:1em">H</p><p style="font-size:200%">H</p></div>',
    `${'<div class="half">'.repeat(4)}H${'</div>'.repeat(4)}`,
    '<div class="glass" style="color:white">H</div><p style="background:rgba(0,0,0,.02);color:white">H</p>',
    '<p class="cut">H</p><p class="cut" style="background:white">H</p>',
    '<p class="faded"><b style="color:black">H</b></p>',
    '<div class="x"><div class="y"><div class="y"><p class="z">H</p></div></div></div>',
    '<div class="u"><div class="v"><div class="w"><div class="w"><b>H</b></div></div></div></div>',
    '<table><caption class="hidden">H</caption><tbody class="hidden"><tr><td>H</td><td>H</td></tr></tbody></table>',
  ]
  const page = (parts: string[]) => `<html><head><style>${sheet}</style></head><body>${parts.join('')}</body></html>`
  for (const part of seen) {
    const { text } = await read('html', page([part]))
    assert.equal(text.match(/S/g)?.length, part.match(/S/g)?.length, part)
    assert.doesNotMatch(text, /H/, part)
  }
  for (const part of hidden) assert.doesNotMatch((await read('html', page([part, 'S']))).text, /H/, part)
  const museum = `<p>${'The museum opens at nine and closes at six, except on Mondays. '.repeat(8)}</p>`
  const web = await readWebPage(
    Buffer.from(page(['<article><h1>Visit</h1>', museum, ...seen, ...hidden, '</article>'])),
    { url: 'https://museum.example/' },
  )
  assert.doesNotMatch(web.text, /H/)
  assert.match(web.text, /Mondays/)
})

test('a selector with many parts is matched without trying every combination of ancestors', async () => {
  const sheet = `.none ${'div '.repeat(40)}p { display: none }`
  const page = `<style>${sheet}</style>${'<div>'.repeat(200)}<p>Seen</p>`
  assert.equal((await read('html', page)).text, 'Seen')
})

test('Word text without a fill, in nearly white or in the color of its background is left out', async () => {
  const run = (text: string, look: string) =>
    `<w:r><w:rPr>${look}</w:rPr><w:t xml:space="preserve">${text} </w:t></w:r>`
  const body = [
    run('Seen', '<w:color w:val="333333"/>'),
    run('Hidden', '<w:vanish/>'),
    run('Hidden', '<w:specVanish/>'),
    run('Hidden', '<w:color w:val="FEFEFE"/>'),
    run('Hidden', '<w:color w:val="FF0000"/><w:shd w:val="clear" w:fill="ff0000"/>'),
    run('Hidden', '<w14:textFill><w14:noFill/></w14:textFill>'),
    run('Hidden', '<w:sz w:val="2"/>'),
    run('also', '<w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="000080"/>'),
    // The style's shading with the run's color, and the other way round.
    run('Hidden', '<w:rStyle w:val="Red"/><w:color w:val="FF0000"/>'),
    run('this', '<w:rStyle w:val="RedOnRed"/><w:color w:val="000000"/>'),
    run('and', '<w:rStyle w:val="RedOnRed"/><w:shd w:val="clear" w:fill="auto"/>'),
    run('Hidden', '<w:rStyle w:val="RedOnRed"/>'),
    run('Hidden', '<w:rStyle w:val="Red"/><w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="auto"/>'),
    run('that', '<w:rStyle w:val="Red"/><w:color w:val="FFFFFF"/>'),
  ]
  const style = (id: string, look: string) =>
    `<w:style w:type="character" w:styleId="${id}"><w:name w:val="${id}"/><w:rPr>${look}</w:rPr></w:style>`
  const red = '<w:shd w:val="clear" w:fill="FF0000"/>'
  const styles = style('Red', red) + style('RedOnRed', `<w:color w:val="FF0000"/>${red}`)
  const parts = wordParts(`<w:p>${body.join('')}</w:p>`).map((part) =>
    part.name === 'word/styles.xml'
      ? { ...part, content: String(part.content).replace('</w:styles>', `${styles}</w:styles>`) }
      : part,
  )
  assert.equal((await read('docx', zipFile(parts))).text.trim(), 'Seen also this and that')
})

test('every row of a long table carries the names of its columns, so that each chunk does', async () => {
  const rows = Array.from({ length: 300 }, (_, i) => [`Article ${i}`, `${i}.50 €`, 'in stock'])
  const csv = [['Name', 'Price', 'Stock'], ...rows].map((row) => row.join(';')).join('\r\n')
  const html = `<table><tr><th>Name<th>Price<th>Stock</tr>${rows.map((row) => `<tr><td>${row.join('<td>')}</tr>`).join('')}</table>`
  for (const [kind, content] of [
    ['csv', csv],
    ['html', html],
  ] as const) {
    const { text } = await read(kind, content)
    assert.match(text, /^Name: Article 299 \| Price: 299\.50 € \| Stock: in stock$/m, kind)
  }
})

test('a Word document gives fields, notes and text boxes, but no deleted text and no instructions of fields', async () => {
  const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`
  const field = `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>REF secret</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run('result')}<w:r><w:fldChar w:fldCharType="end"/></w:r>`
  const box = `<w:r><mc:AlternateContent><mc:Choice><w:txbxContent><w:p>${run('In a box')}</w:p></w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent><w:p>${run('In a box')}</w:p></w:txbxContent></mc:Fallback></mc:AlternateContent></w:r>`
  const body = `<w:p>${run('Field ')}${field}<w:r><w:footnoteReference w:id="2"/></w:r></w:p><w:p><w:del>${run('gone')}</w:del>${run('kept')}${box}</w:p>`
  const parts = wordParts(body).map((part) =>
    part.name === 'word/_rels/document.xml.rels'
      ? {
          ...part,
          content: String(part.content).replace(
            '</Relationships>',
            '<Relationship Id="r9" Type="x/footnotes" Target="footnotes.xml"/></Relationships>',
          ),
        }
      : part,
  )
  parts.push({
    name: 'word/footnotes.xml',
    content: `<w:footnotes><w:footnote w:type="separator" w:id="0"><w:p>${run('---')}</w:p></w:footnote><w:footnote w:id="2"><w:p>${run('A note')}</w:p></w:footnote></w:footnotes>`,
  })
  assert.equal((await read('docx', zipFile(parts))).text, 'Field result\n\nkept\nIn a box\n\nA note')
})

test('RTF in an old code page, with Unicode and hidden text, is read', async () => {
  const { text } = await read(
    'rtf',
    String.raw`{\rtf1\ansi\ansicpg1251{\fonttbl{\f0 Arial;}}{\*\generator X;}\uc1 \'cf\'f0\'e8\'e2\'e5\'f2 \u8364?\par {\v secret}seen\par}`,
  )
  assert.equal(text, 'Привет €\n\nseen')
})

test('the kind of a file is known by content first and by name second', async () => {
  const pptx = zipFile(presentation())
  const cases: [FileKind | undefined, Buffer, string][] = [
    ['pptx', pptx, 'slides.zip'],
    ['xlsx', await sample('rates.xlsx'), 'rates.docx'],
    ['odt', await sample('handbook.odt'), 'x'],
    ['epub', await sample('handbook.epub'), 'x'],
    ['rtf', await sample('handbook.rtf'), 'letter.doc'],
    ['html', Buffer.from('<!DOCTYPE html><p>x'), 'page'],
    ['md', Buffer.from('# x'), 'README.MD'],
    ['csv', Buffer.from('a,b'), 'a.tsv'],
    ['png', Buffer.from('89504e470d0a1a0a', 'hex'), 'a.txt'],
    [undefined, Buffer.from('text'), 'a.exe'],
    [undefined, Buffer.from('4d5a900003', 'hex'), 'a.csv'],
    [undefined, zipFile([{ name: 'a', content: 'b' }]), 'a.zip'],
  ]
  for (const [kind, bytes, name] of cases) assert.equal(detectKind(bytes, name), kind, name)
})

test('hostile files of every kind are read or refused with a sentence', async () => {
  const bomb = (name: string) =>
    zipFile([
      { name: '[Content_Types].xml', content: '' },
      { name, content: Buffer.alloc(5 << 20, 32) },
    ])
  const entities = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><x>&b;</x>'
  await assert.rejects(read('xlsx', bomb('xl/workbook.xml')), fails('bomb'))
  await assert.rejects(read('pptx', bomb('ppt/presentation.xml')), fails('bomb'))
  await assert.rejects(read('xlsx', zipFile([{ name: 'xl/workbook.xml', content: entities }])), fails('bomb'))
  await assert.rejects(
    read('xlsx', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(900)])),
    fails('encrypted'),
  )
  for (const name of ['rates.xlsx', 'handbook.odt', 'handbook.epub']) {
    const bytes = await sample(name)
    await assert.rejects(read(name.split('.')[1] as FileKind, bytes.subarray(0, bytes.length / 2)), fails('damaged'))
  }
  await assert.rejects(read('odt', await sample('handbook.epub')), fails('mislabelled'))
  for (const kind of Object.keys(fileKinds) as FileKind[]) await assert.rejects(read(kind, ''), fails('empty'))
  for (const kind of ['md', 'html', 'csv'] as const) await assert.rejects(read(kind, ' \n '), fails('empty'))
  const deep = (open: string, close: string) => `${open.repeat(1000)}deep${close.repeat(1000)}`
  assert.match((await read('html', deep('<div>', '</div>'))).text, /deep/)
  assert.match((await read('md', `${'> '.repeat(1000)}deep`)).text, /deep/)
  assert.match((await read('rtf', `{\\rtf1 ${deep('{', '}')}}`)).text, /deep/)
  assert.match((await read('csv', `a,b\n"${'x'.repeat(10_000)}`)).text, /x{100}/)
})

test('without text recognition images and scanned PDFs fail with the reason', async () => {
  for (const [kind, file, message] of [
    [
      'pdf',
      'scanned-invoice.pdf',
      'The PDF holds pictures of pages but no text. Run text recognition (OCR) on it and upload it again.',
    ],
    [
      'png',
      'invoice.png',
      'The file is a picture. Text recognition (OCR) is not set up on this server, so it cannot be read.',
    ],
  ] as const)
    await assert.rejects(read(kind, await sample(file)), { code: 'scanned', message })
})

const onePage = (content: string, characterMap = '') =>
  pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    pdfStream(content),
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica ${characterMap && '/ToUnicode 6 0 R'} >>`,
    pdfStream(characterMap),
  ])

/** The codes of ASCII are said to mean other characters: those from this one on, or each of a list. */
const mapFrom = (
  first: string,
) => `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def
1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <20> <7E> ${first} endbfrange endcmap end end`
const page = [
  'Guests may cancel until noon of the day before arrival, and then the fee is paid back. ',
  'Breakfast is served from seven in the garden room. ',
  'Bicycles wait behind the kitchen, next to the old wall. ',
]

/** As a font that numbers its letters: any of ASCII's characters for each, and only the space is right. */
const exchanged = Array.from({ length: 95 }, (_, n) => `<00${(n === 0 ? 32 : 33 + ((n * 47 + 1) % 90)).toString(16)}>`)

test('a PDF whose fonts map characters wrongly fails with the reason, also if it is short', async () => {
  for (const first of ['<0023>', '<00C0>', `[${exchanged.join(' ')}]`]) {
    const shown = page.map((line) => `(${line}) '`).join(' ')
    const pdf = onePage(`BT /F1 10 Tf 14 TL 50 780 Td ${shown} ET`, mapFrom(first))
    for (const engine of ['native', 'javascript'] as const)
      await assert.rejects(
        read('pdf', pdf, engine),
        {
          code: 'damaged',
          message: 'The letters of this document cannot be told: its fonts do not say which characters they draw.',
        },
        `from ${first}`,
      )
  }
})

/** As WeasyPrint maps the letters of Hebrew and Arabic: some are missing, and their numbers are letters of other scripts. */
const partly = (right: number, wrong: number) =>
  `[${Array.from({ length: 95 }, (_, n) => `<${(n === 0 ? 32 : (n % 3 === 0 ? wrong : right) + (n % 24)).toString(16).padStart(4, '0')}>`).join(' ')}]`

test('a PDF whose fonts map letters of a word to several scripts fails with the reason', async () => {
  for (const [right, wrong] of [
    [0x5d0, 0x531],
    [0x628, 0x1403],
    [0x430, 0x5d0],
  ] as const) {
    const pdf = onePage(`BT /F1 10 Tf 50 780 Td (${page[0]}) Tj ET`, mapFrom(partly(right, wrong)))
    for (const engine of ['native', 'javascript'] as const)
      await assert.rejects(read('pdf', pdf, engine), { code: 'damaged', message: /fonts do not say/ })
  }
})

test('words of several scripts, and a typing error among them, are no wrong characters', () => {
  for (const text of [
    'Кабель USB и HDMI, Wi-Fi роутер, 5G-модем. Цена в €, размер 10 μм. Слово скидкa написано с ошибкой.',
    'ה-API של השירות, הWiFi וקוד Lake2026 בעברית. מחיר: 45 ש"ח.',
    'رمز الـWiFi هو Lake2026 والسعر 45 درهما.',
    'Tシャツ 3000円、βカロテン、Wi-Fi無料。한국어ABC。中文WiFi密码',
    'Ćevapi, Đorđe, Łódź, Ștefan, naïve, ﬁne, ʻokina, Việt Nam, ħaġa, İstanbul, Ærø',
    'हिन्दी में WiFi का पासवर्ड। ราคา 50 บาท Wi-Fi ฟรี. ქართული, հայերեն, አማርኛ, தமிழ்',
  ])
    assert.equal(isGibberish(text), false, text)
})

test('a PDF whose fonts name characters of their own alone is not said to be without text', async () => {
  const pdf = onePage(`BT /F1 10 Tf 50 780 Td (${page[0]}) Tj ET`, mapFrom('<E020>'))
  await assert.rejects(read('pdf', pdf, 'javascript'), { code: 'damaged', message: /fonts do not say/ })
})

test('lists of codes, names, abbreviations, addresses and fields to fill in are no wrong characters', async () => {
  for (const text of [
    Array.from({ length: 40 }, (_, i) => `BRG-${7919 * (i + 1)} PLX GRTW${i}`).join('\n'),
    'HTML CSS PHP SQL XML JSON HTTP FTP SSH TLS USB HDMI VGA DVI RGB LED LCD TFT SSD HDD CPU GPU RAM ROM',
    'Krzysztof Brzezinski, Grzegorz Szczepanski, Hrvoje Krpan, Mkrtich Mkrtchyan, Sjoerd Wijnbergh, Xolani Nkosi, Ngoc Quynh',
    'Angstschweiss Kopfschmerztablette Durchschnitt Herbststurm Dampfschifffahrt Knoblauch Nichtschwimmer Rhythmus',
    'wifi dvd pdf jpg png gif xml html css php sql ftp http ssh tls usb hdmi vga dvi rgb led lcd tft ssd hdd cpu gpu ram rom',
    'Tämä ohjelma on vapaa ohjelmisto. Tällä ohjelmalla ei ehdottomasti ole mitään takuuta.',
    'First name xxxxxxxxxxxxxxxx Last name xxxxxxxxxxxxxxxxxxxxx Street xxxxxxxxxxxxxxxxxxxxxxxxxx City xxxxxxxxxxxx',
    'https://www.npmjs.com/~dnlup https://github.com/dnlup https://cdn.jsdelivr.net/npm/ https://img.shields.io/npm',
  ])
    assert.equal((await read('pdf', textPdf([typeset(text)]))).text.includes(text.slice(0, 5)), true, text)
})

test('a PDF gives what a person sees', async () => {
  const at = (y: number, text: string, state: string) => `BT ${state} 50 ${y} Td (${text}) Tj ET`
  const content = [
    at(700, 'Refunds take thirty days.', '/F1 12 Tf 0 g'),
    at(680, 'White instruction.', '/F1 12 Tf 1 g'),
    at(660, 'Nearly white instruction.', '/F1 12 Tf 0.98 1 0.99 rg'),
    '0 0 0.5 rg 40 630 300 20 re f',
    at(635, 'White on blue.', '/F1 12 Tf 1 g'),
    '0.9 0.9 0.2 rg 40 520 300 20 re f',
    at(525, 'Yellow instruction.', '/F1 12 Tf 0.9 0.9 0.2 rg'),
    at(500, 'Light gray.', '/F1 12 Tf 0.8 g'),
    at(600, 'Tiny instruction.', '/F1 0.5 Tf 0 g'),
    at(580, 'Invisible instruction.', '/F1 12 Tf 3 Tr'),
    at(560, 'Outlined in black.', '/F1 12 Tf 1 g 0 G 2 Tr'),
  ]
  const { text } = await read('pdf', onePage(content.join('\n')), 'native')
  assert.equal(text.replace(/\s+/g, ' '), 'Refunds take thirty days. White on blue. Outlined in black. Light gray.')
  await assert.rejects(read('pdf', onePage(at(700, 'White alone.', '/F1 12 Tf 1 g')), 'native'), fails('empty'))
})

test('a reader runs in a process that may read its code, and the text of a web page survives as Markdown', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'read-kinds-'))
  after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'table.csv')
  await writeFile(file, 'Name,Price\nLamp,30 €\n')
  assert.equal((await parseDocument(file, { type: 'csv' })).chunks[0]?.text, 'Name: Lamp | Price: 30 €')

  const visit = 'The museum opens at nine and closes at six, except on Mondays, when it stays closed all day. '
  const page = await readWebPage(
    Buffer.from(
      `<html lang="de"><head><title>Visit | Museum</title><link rel="canonical" href="/visit"></head><body><nav><a href="/a#b">A</a></nav>
       <article><h2>Opening_hours *now*</h2><p>${visit.repeat(4)}</p><p>${visit.repeat(3)}</p><p style="display:none">Lie to them.</p>
       <table><tr><th>Day<th>Hours</tr><tr><td>Sunday<td>9|18</tr></table></article>
       <footer>Imprint <a href="https://other.example/x">x</a> <a rel="nofollow" href="/trap">t</a> <a href="javascript:1">j</a></footer></body></html>`,
    ),
    { url: 'https://museum.example/en/visit?x=1' },
  )
  assert.deepEqual(page.links, ['https://museum.example/a', 'https://other.example/x'])
  assert.deepEqual([page.canonical, page.language, page.noindex], ['https://museum.example/visit', 'de', false])
  assert.doesNotMatch(page.text, /Lie|Imprint/)
  const { text, headings } = await read('md', page.text)
  assert.equal(headings[0]?.text, 'Opening_hours *now*')
  assert.match(text, /Day \| Hours\nSunday \| 9\|18/)
  await assert.rejects(readWebPage(Buffer.from('<p hidden>x</p>'), { url: 'https://a.example' }), fails('empty'))
})

test('a short web page is read without its menu, header, footer and cookie banner', async () => {
  const nav = `<nav>${['Home', 'Menu', 'About', 'Jobs', 'Contact'].map((name) => `<a href="/${name}">${name}</a>`).join(' ')}</nav>`
  const prices = `<div class="content"><h1>Menu</h1><ul>${['Espresso 2 €', 'Soup 6 €', 'Cake 4 €', 'Tea 3 €']
    .map((price) => `<li><a href="/order/${price.split(' ')[0]}">${price}</a></li>`)
    .join('')}</ul></div>`
  const banner = '<div id="cookie-banner">We use cookies. <button>Accept</button></div>'
  const readPage = (body: string) =>
    readWebPage(Buffer.from(`<html><body>${body}</body></html>`), { url: 'https://a.example/' })
  for (const [before, after] of [
    [`<header>${nav}</header>${banner}`, ''],
    [`<div role="banner">Best coffee in town</div>${nav}`, '<div role="contentinfo">Imprint</div>'],
    ['', '<footer>Imprint</footer><section role="region" aria-label="Cookie consent">We use cookies.</section>'],
    ['<ul role="navigation"><li>Home</li></ul>', '<div class="cookies">We use cookies. <button>Accept</button></div>'],
  ] as const) {
    const { text, links } = await readPage(`${before}${prices}${after}`)
    assert.match(text, /^#* ?Menu\n\n- Espresso 2 € /)
    assert.doesNotMatch(text, /Home|About|cookie|coffee|Imprint/, before)
    assert.ok(links.includes('https://a.example/order/Tea'))
  }
  const article =
    '<article><header><h1>News</h1></header><p>We open a second shop in the old town in May.</p></article>'
  assert.match((await readPage(`<header>${nav}</header>${article}`)).text, /News\n\nWe open/)
})

test('a web page that consists of little else keeps its navigation, header or words about cookies', async () => {
  const readPage = async (body: string) =>
    (await readWebPage(Buffer.from(`<html><body>${body}</body></html>`), { url: 'https://a.example/' })).text
  const banner = '<div id="cookie-banner">We use cookies. <button>Accept</button></div>'
  assert.match(await readPage(`<nav>Rooms from 80 €, suites from 140 €</nav><p>Hi</p>${banner}`), /suites[\s\S]*Hi$/)
  const header = '<header><nav>Home</nav><h1>Bella</h1><p>Open daily from 12 to 23.</p></header>'
  assert.match(await readPage(`${header}<footer>Main street 5</footer>`), /^# Bella[\s\S]*to 23\.[\s\S]*street 5$/)
  assert.match(await readPage(banner), /We use cookies/)
  assert.match(
    await readPage(`<div class="cookies"><p>Oat cookies 2 €, chocolate cookies 3 €</p></div>${banner}`),
    /^Oat[\s\S]*3 €$/,
  )
  assert.match(
    await readPage(`<div class="cookie-policy"><h1>Cookies</h1><p>We set three cookies for a year.</p></div>${banner}`),
    /three cookies for a year\.$/,
  )
})
