import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { ok, sharedTestApp } from '../../../testing/app.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { addDocument } from '../../../testing/documents.ts'
import type { SearchResult } from '../schema.ts'

const app = await sharedTestApp()
const org = await app.organization()

/** Long enough that nearly every paragraph is a chunk. */
const filler = (about: string) =>
  Array.from(
    { length: 40 },
    (_, i) => `Further remarks about ${about}, number ${i}, for the sake of completeness.`,
  ).join(' ')

const handbook = [
  'Refunds are paid within 14 days to the card that was charged.',
  filler('refunds'),
  'The warehouse in Rotterdam ships on Sundays, but only pallets labelled ZX-4711.',
  filler('warehouses'),
  'Our company cat is called Béatrice O’Malley; she sleeps on the router.',
  filler('pets'),
].join('\n\n')
const handbookDocument = await addDocument(org.call, handbook, 'handbook.txt')
const travel = await addDocument(
  org.call,
  'Employees who travel by train may book first class when the journey takes longer than four hours.',
  'travel.txt',
)

const search = async (query: string, more: object = {}, call = org.call) => {
  const answer = ok(await call('POST', 'knowledge-base/search', { query, ...more }))
  return answer as { results: SearchResult[]; took_ms: number; partial?: boolean }
}
const first = async (query: string, more: object = {}) => (await search(query, more)).results[0]

test('a result names its source, and its text is exactly that slice of the file', async () => {
  const { results, took_ms, partial } = await search('How soon do I get my refund?')
  assert.equal(partial, undefined)
  assert.ok(took_ms > 0)
  const [best] = results
  assert.ok(best)
  assert.deepEqual(Object.keys(best).sort(), [
    'chunk_id',
    'document_id',
    'end_offset',
    'file_name',
    'heading',
    'page',
    'score',
    'start_offset',
    'text',
  ])
  assert.deepEqual([best.document_id, best.file_name, best.page], [handbookDocument.id, 'handbook.txt', null])
  for (const { document_id, start_offset, end_offset, text } of results)
    if (document_id === handbookDocument.id) assert.equal([...handbook].slice(start_offset, end_offset).join(''), text)
  assert.match(best.text, /within 14 days/)
  for (const [i, { score }] of results.slice(1).entries()) assert.ok(score <= (results[i]?.score as number))
})

test('a text in an older encoding is found by a question in its language', async () => {
  const russian = await app.organization()
  const bytes = Buffer.from(
    'wu7n4vDg8iDy7uLg8OAg4u7n7O7m5e0g4iDy5ffl7ejlIPfl8vvw7eDk9uDy6CDk7eXpLiDM4OPg5+jtIO7y6vD78iDxIOTl4v/y6CDz8vDgIOTuIOLu8fzs6CDi5ffl8OAu',
    'base64',
  )
  const { id } = await addDocument(russian.call, bytes, 'возврат.txt')
  const { results } = await search('Сколько дней на возврат?', {}, russian.call)
  assert.equal(results[0]?.document_id, id)
  assert.match(results[0]?.text ?? '', /четырнадцати дней/)
})

test('Persian and Arabic texts are found however their letters are encoded and typed', async () => {
  const { call } = await app.organization()
  for (const [name, text] of [
    ['ring.txt', 'حلقه ط\ufefc هجده عیار است و با فاکتور فروخته م\u06cc\u200cشود.'],
    ['terms.txt', 'کتاب\u200cهای آسیب\u200cدیده ۱۴ روز پس از خرید برگردانده می\u200cشوند.'],
    ['arabic.txt', 'يُقَدَّمُ الإفـطـار يوميا من السابعة صباحا. المكتبة مغلقة.'],
    ['other.txt', 'پارکینگ پشت ساختمان رایگان نیست و نگهبان دارد.'],
  ] as const)
    await addDocument(call, text, name)
  for (const [query, answer] of [
    ['قیمت ط\u0644\u0627 چقدر است؟', 'ring.txt'],
    ['ط\ufefc', 'ring.txt'],
    ['كتابهاي آسيب ديده', 'terms.txt'],
    ['آسیب\u200cدیده', 'terms.txt'],
    ['14', 'terms.txt'],
    ['متى الافطار؟', 'arabic.txt'],
    ['المکتبة', 'arabic.txt'],
    ['پاركينگ', 'other.txt'],
  ] as const)
    for (const mode of ['keyword', 'hybrid'])
      assert.equal((await search(query, { mode }, call)).results[0]?.file_name, answer, `${query} ${mode}`)
})

test('each half finds what it can, and hybrid finds what either does', async () => {
  for (const mode of ['keyword', 'hybrid']) assert.match((await first('ZX4711', { mode }))?.text ?? '', /ZX-4711/, mode)
  assert.deepEqual((await search('reimbursement', { mode: 'keyword' })).results, [])
  for (const mode of ['vector', 'hybrid'])
    assert.equal((await first('railway trips of staff', { mode }))?.document_id, travel.id, mode)
})

test('words match in other inflections, without accents and apostrophes, and stop words do not count', async () => {
  for (const query of ['the shipped pallet', 'Beatrice', 'OMalley', 'O’MALLEY', 'sleeping'])
    assert.ok((await search(query, { mode: 'keyword' })).results.length > 0, query)
  assert.deepEqual((await search('the of and', { mode: 'keyword' })).results, [])
  assert.deepEqual((await search('… ?!', { mode: 'keyword' })).results, [])
})

test('a misspelled word finds what was meant, and a correct word does not match its neighbour in spelling', async () => {
  for (const query of ['refnuds', 'pallts', 'shiped palllet', 'within 14 days refunde'])
    assert.ok((await search(query, { mode: 'keyword' })).results.length > 0, query)
  for (const query of ['rufends', 'rail', 'palazzo', 'zx4712'])
    assert.deepEqual((await search(query, { mode: 'keyword' })).results, [], query)
  const other = await app.organization()
  const guess = await other.call('POST', 'knowledge-base/search', { query: 'refnuds', mode: 'keyword' })
  assert.deepEqual(guess.body.results, [])
})

test('passages with the quoted phrase come first', async () => {
  const plain = await search('remarks about pets number 3', { mode: 'keyword', top_k: 20 })
  const phrase = await search('remarks about pets "sleeps on the router"', { mode: 'keyword', top_k: 20 })
  assert.match(phrase.results[0]?.text ?? '', /sleeps on\s+the router/)
  assert.equal(plain.results.length, phrase.results.length)
})

test('documents are stemmed in their own language', async () => {
  const german = await addDocument(
    org.call,
    'Die Rechnungen werden von der Buchhaltung geprüft und dann bezahlt. Für die Prüfung sind zwei Tage vorgesehen, und das gilt auch für Gutschriften.',
    'buchhaltung.txt',
  )
  assert.equal(german.language, 'german')
  for (const query of ['Wer prüft die Rechnung?', 'Rechnung', 'gepruft'])
    assert.equal((await first(query, { mode: 'keyword' }))?.document_id, german.id, query)
  assert.match((await first('pallets', { mode: 'keyword' }))?.text ?? '', /ZX-4711/)
  await org.call('DELETE', `knowledge-base/${german.id}`)
})

test('in another language, vectors of the English model do not push out what the words find', async () => {
  const { call } = await app.organization()
  const sentences = [
    'Nuestra tienda de la calle Mayor abre de lunes a sábado, de nueve a siete de la tarde.',
    'Las citas se pueden cancelar sin coste hasta veinticuatro horas antes; después se cobran veinte euros.',
    'Los artículos comprados en la tienda en línea pueden devolverse durante los treinta días siguientes a la entrega.',
    'El dinero se reembolsa en cinco días hábiles por el mismo medio con el que se pagó.',
    'Detrás del edificio hay veinte plazas de aparcamiento para clientes; las dos primeras horas son gratis.',
    'Las tarjetas regalo caducan a los tres años de la compra.',
    'Los perros pueden entrar con correa, salvo en la zona de alimentación.',
    'Hay wifi gratuito en todas las habitaciones; la clave está en la tarjeta de la puerta.',
    'Atención al cliente responde a las quejas en un día laborable.',
    'Las reparaciones tardan unos diez días; prestamos un aparato a quien lo pida.',
    'Los menores de seis años duermen gratis en la cama de sus padres.',
    'Guardamos el equipaje el día de salida hasta las seis.',
    'Borramos los datos personales dos años después del último pedido.',
    'Alquilamos por horas salas de reunión para doce personas.',
  ]
  await Promise.all(sentences.map((text, i) => addDocument(call, text, `${i}.txt`)))
  for (const [query, answer] of [
    ['¿A qué hora abren?', '0.txt'],
    ['Quiero anular mi cita, ¿hasta cuándo es gratis?', '1.txt'],
  ] as const) {
    const { results } = await search(query, { top_k: 5 }, call)
    assert.ok(results.map(({ file_name }) => file_name).includes(answer), query)
  }
})

test('among documents of several languages, the stop words of the question’s own language do not count', async () => {
  const { call } = await app.organization()
  for (const [name, text] of [
    [
      'terms.txt',
      'The warranty lasts 24 months. Invoices are due at once. Comment: ask Miriam first. The office is in Porto.',
    ],
    ['ru.txt', 'Доставка по Москве бесплатна при заказе от 3000 рублей. Возврат товара возможен в течение 14 дней.'],
    ['he.txt', 'ניתן להחזיר את המוצר בתוך 14 יום מיום הקנייה. המשלוח בתל אביב חינם.'],
    ['ar.txt', 'يمكن إرجاع المنتج خلال 14 يوما من تاريخ الشراء. التوصيل داخل الرياض مجاني.'],
    ['de.txt', 'Die Kaution beträgt drei Mieten. Das Zimmer kostet 800 Euro.'],
    ['hours.txt', 'The practice is open from nine to five.'],
  ] as const)
    await addDocument(call, text, name)
  for (const mode of ['keyword', 'hybrid']) {
    const { results } = await search('who must be asked first, Miriam', { mode }, call)
    assert.equal(results[0]?.file_name, 'terms.txt', mode)
  }
  const { results } = await search('Wie hoch ist denn die Kaution für das Zimmer?', {}, call)
  assert.equal(results[0]?.file_name, 'de.txt')
})

test('top_k limits results, from 1 to 50', async () => {
  assert.equal((await search('remarks', { top_k: 1 })).results.length, 1)
  const all = (await search('remarks', { top_k: 50 })).results.length
  assert.equal(all, handbookDocument.chunk_count + travel.chunk_count)
  assert.equal((await search('remarks')).results.length, Math.min(5, all))
})

test('a search can be limited to documents; unknown ids find nothing', async () => {
  const found = async (document_ids: unknown, mode: string) =>
    (await search('refunds and trains', { document_ids, mode, top_k: 50 })).results.map((each) => each.document_id)
  for (const mode of ['hybrid', 'vector']) assert.deepEqual(await found([travel.id], mode), [travel.id], mode)
  assert.deepEqual(await found([travel.id], 'keyword'), [travel.id])
  assert.ok((await found([handbookDocument.id], 'keyword')).every((id) => id === handbookDocument.id))
  for (const mode of ['hybrid', 'vector', 'keyword']) {
    assert.deepEqual(await found([newId()], mode), [], mode)
    assert.deepEqual(await found([], mode), [], mode)
    assert.ok((await found(null, mode)).length > 0, mode)
  }
})

test('another organization’s documents never appear, by any word, meaning, id or mode', async () => {
  const other = await app.organization()
  const secret = await addDocument(other.call, 'The launch code of the rocket is 0000-KUMQUAT.', 'secret.txt')
  const live = app.as((await app.key(other.id, { mode: 'live' })).secret)
  for (const mode of ['hybrid', 'vector', 'keyword']) {
    assert.equal((await search('launch code kumquat', { mode }, other.call)).results[0]?.document_id, secret.id)
    for (const more of [{}, { document_ids: [secret.id] }]) {
      const mine = await search('launch code kumquat', { mode, top_k: 50, ...more })
      assert.ok(!JSON.stringify(mine).includes(secret.id), mode)
      assert.ok(!JSON.stringify(mine).includes('KUMQUAT'), mode)
      assert.deepEqual((await search('launch code kumquat', { mode, ...more }, live)).results, [], mode)
    }
  }
})

test('a document is found as soon as it is ready, and no longer once it is deleted', async () => {
  const query = 'quarterly turnips'
  const before = await search(query, { top_k: 50 })
  const turnips = await addDocument(org.call, 'The quarterly turnips are weighed in March.', 'turnips.txt')
  for (const mode of ['hybrid', 'vector', 'keyword'])
    assert.equal((await first(query, { mode }))?.document_id, turnips.id, mode)
  await org.call('DELETE', `knowledge-base/${turnips.id}`)
  const after = await search(query, { top_k: 50 })
  assert.deepEqual(after.results, before.results)
})

test('a second node finds the same, though it has its own cache', async () => {
  const node = await app.node({ ROLE: 'api' })
  const call = node.as(org.key)
  const query = 'first class by train'
  assert.deepEqual((await search(query, {}, call)).results, (await search(query)).results)
  const added = await addDocument(org.call, 'Second class is for shorter rides by train.', 'rides.txt')
  for (const each of [call, org.call])
    assert.ok((await search('second class', {}, each)).results.some((result) => result.document_id === added.id))
  await org.call('DELETE', `knowledge-base/${added.id}`)
  for (const each of [call, org.call])
    assert.ok(!(await search('second class', {}, each)).results.some((result) => result.document_id === added.id))
})

test('when time is up the answer has what was found so far, marked partial', async () => {
  const owner = await connectOwner(app)
  const query = 'How soon do I get my refund?'
  // One half waits all of it; the other one has to end within it, on a slow machine too.
  const timeout_ms = 5_000
  // A new document makes both copies in memory stale; each half then waits for a table that the test keeps locked.
  for (const [table, other] of [
    ['document_lexemes', 'vector'],
    ['chunk_vectors', 'keyword'],
  ] as const) {
    await addDocument(org.call, `A note that changes the version, before ${table}.`, `${table}.txt`)
    const expected = await search(query, { mode: other })
    await owner.query(`begin; lock table ${table} in access exclusive mode`)
    const { results, partial } = await search(query, { timeout_ms })
    assert.equal(partial, true)
    assert.deepEqual(results, expected.results, table)
    await owner.query('rollback')
  }
  await owner.query('begin; lock table knowledge_totals in access exclusive mode')
  for (const mode of ['hybrid', 'keyword', 'vector']) {
    const { results, partial } = await search(query, { mode, timeout_ms: 100 })
    assert.deepEqual([results, partial], [[], true], mode)
  }
  await owner.query('rollback')
  const roomy = await search(query, { timeout_ms: 60_000 })
  assert.equal(roomy.partial, undefined)
  assert.deepEqual(roomy.results, (await search(query)).results)
})

test('the database ranks as the memory does, where there is no memory', async () => {
  const node = await app.node({ ROLE: 'api', POSTINGS_MEMORY_BYTES: 0 })
  const call = node.as(org.key)
  for (const query of ['shipped pallets', 'refnuds within 14 days', 'remarks about pets', 'nothing of the kind'])
    for (const document_ids of [null, [handbookDocument.id]]) {
      const asked = { mode: 'keyword', top_k: 20, document_ids }
      const rounded = ({ results }: { results: SearchResult[] }) =>
        results.map(({ chunk_id, score }) => [chunk_id, score.toFixed(6)])
      assert.deepEqual(rounded(await search(query, asked, call)), rounded(await search(query, asked)), query)
    }
})

test('question words of languages without stop words do not count, compounds match by their parts', async () => {
  const other = await app.organization()
  const find = async (query: string) => (await search(query, { mode: 'keyword' }, other.call)).results[0]?.text ?? ''
  for (const [name, text] of [
    ['zh.txt', '退款会在五个工作日内原路返回到付款账户。'],
    ['hi.txt', 'बिजली के उपकरणों पर तीन साल और बैटरी पर एक साल की वारंटी है।'],
    ['de.txt', 'Die Frist für eine Rückgabe der Ware beträgt dreißig Tage, und das gilt auch für die Teile.'],
  ] as const)
    await addDocument(other.call, text, name)
  assert.match(await find('什么时候退款？'), /退款/)
  assert.match(await find('बैटरी की वारंटी कितने साल की है?'), /बैटरी/)
  assert.match(await find('Rückgabefrist'), /Rückgabe/)
  assert.equal(await find('怎么？'), '')
})

test('invalid searches are refused, each fault with its location', async () => {
  for (const [body, loc] of [
    [{}, ['body', 'query']],
    [{ query: '' }, ['body', 'query']],
    [{ query: '   ' }, ['body', 'query']],
    [{ query: 'x'.repeat(10_001) }, ['body', 'query']],
    [{ query: 7 }, ['body', 'query']],
    [{ query: 'x', top_k: 0 }, ['body', 'top_k']],
    [{ query: 'x', top_k: 51 }, ['body', 'top_k']],
    [{ query: 'x', top_k: 1.5 }, ['body', 'top_k']],
    [{ query: 'x', mode: 'fuzzy' }, ['body', 'mode']],
    [{ query: 'x', document_ids: ['nonsense'] }, ['body', 'document_ids', '0']],
    [{ query: 'x', document_ids: 'all' }, ['body', 'document_ids']],
    [{ query: 'x', timeout_ms: 0 }, ['body', 'timeout_ms']],
  ] as const) {
    const answer = await org.call('POST', 'knowledge-base/search', body)
    assert.equal(answer.status, 422, JSON.stringify(body).slice(0, 80))
    assert.deepEqual(answer.body.detail[0].loc, loc)
  }
})

test('hostile questions are only words', async () => {
  for (const query of [
    `'; drop table documents; --`,
    'a & b | !c <-> d:*',
    '\\ \' " % _',
    '𝕳𝖊𝖑𝖑𝖔 👋🏽',
    '(((((',
    'x '.repeat(5000),
  ])
    assert.ok(Array.isArray((await search(query)).results), query)
})
