import assert from 'node:assert/strict'
import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sharedTestApp } from '../../server/testing/app.ts'
import { until } from '../../server/testing/process.ts'
import { startFaultyProxy } from '../testing/faulty-proxy.ts'
import { createClient, type Upload } from './index.ts'

const app = await sharedTestApp()
const proxy = await startFaultyProxy(await app.listen())
const clientOf = async () => {
  const { key } = await app.organization()
  return createClient({ baseUrl: proxy.url, apiKey: key, retryDelayMs: 5 })
}
let numbers = 0
const nextNumber = () => `+1202555${String(1000 + numbers++)}`

test('a cursor list returns every row once while rows are created and deleted', async () => {
  const client = await clientOf()
  const made: string[] = []
  for (let i = 0; i < 12; i++) made.push((await client.contacts.create({ phone_number: nextNumber() })).id)
  const met: string[] = []
  for await (const { id } of client.contacts.list({ limit: 5 })) {
    met.push(id)
    if (met.length === 3) await client.contacts.create({ phone_number: nextNumber() })
    // The row that the next page's cursor points to.
    if (met.length === 5) await client.contacts.delete(id)
  }
  assert.deepEqual(met, made.toReversed())
})

test('an offset list returns no row twice while rows are created', async () => {
  const client = await clientOf()
  const { id } = await client.contacts.create({ phone_number: nextNumber() })
  for (let i = 0; i < 6; i++) await client.contacts.createActivity(id, { note: String(i) })
  const met: unknown[] = []
  for await (const { payload } of client.contacts.listActivities(id, { limit: 2 })) {
    met.push(payload.note)
    if (met.length < 4) await client.contacts.createActivity(id, { note: `meanwhile ${met.length}` })
  }
  assert.deepEqual(met, ['5', '4', '3', '2', '1', '0', undefined])
})

test('a list with page numbers iterates over all pages', async () => {
  const client = await clientOf()
  const [channel] = (await client.channels.list()).data
  const names = ['one', 'two', 'three', 'four', 'five']
  for (const name of names)
    await client.templates.create({
      channel_id: channel?.id as string,
      name,
      language: 'en_US',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'Your parcel is ready.' }],
    })
  const met: string[] = []
  for await (const { name } of client.templates.list({ limit: 2 })) met.push(name)
  assert.deepEqual(met, names.toReversed())
})

test('awaiting a list returns one page, iterating loads page by page, and an unused list sends no request', async () => {
  const client = await clientOf()
  for (let i = 0; i < 5; i++) await client.contacts.create({ phone_number: nextNumber() })
  const before = proxy.seen.length
  const list = client.contacts.list({ limit: 2 })
  assert.equal(proxy.seen.length, before)
  const { data, total_count } = await list
  assert.deepEqual([data.length, total_count], [2, 5])
  await list
  assert.equal(proxy.seen.length, before + 1)
  const sizes: number[] = []
  for await (const page of list.pages()) sizes.push(page.data.length)
  assert.deepEqual(sizes, [2, 2, 1])
  for await (const _ of client.contacts.list({ limit: 2 })) break
  assert.equal(proxy.seen.length, before + 5)
})

test('a page request that fails is retried', async () => {
  const client = await clientOf()
  for (let i = 0; i < 5; i++) await client.contacts.create({ phone_number: nextNumber() })
  const met = new Set<string>()
  for await (const { id } of client.contacts.list({ limit: 2 })) {
    met.add(id)
    if (met.size === 2) proxy.next('reset before', { status: 500 })
  }
  assert.equal(met.size, 5)
})

test('files are uploaded as Blob, File, bytes, text, stream or from disk, and downloaded unchanged', async () => {
  const client = await clientOf()
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-sdk-'))
  after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'disk.txt'), 'from disk')
  const bytes = (text: string) => new TextEncoder().encode(text)
  const files: Record<string, Upload> = {
    'a File': new File(['a File'], 'file.txt', { type: 'text/plain' }),
    'a Blob': { name: 'blob.txt', content: new Blob(['a Blob']) },
    bytes: { name: 'bytes.txt', content: bytes('bytes') },
    'plain text': { name: 'text.txt', content: 'plain text', type: 'text/plain' },
    'a stream': { name: 'stream.txt', content: new Blob(['a stream']).stream() },
    'from disk': { name: 'disk.txt', content: await openAsBlob(join(folder, 'disk.txt')) },
  }
  for (const [text, file] of Object.entries(files)) {
    const document = await client.knowledge.uploadDocument({ file })
    assert.equal(document.file_name, (file as File).name)
    const download = await client.knowledge.downloadDocument(document.id)
    assert.equal(await download.text(), text)
  }
})

test('an upload whose response was lost is retried and stored once', async () => {
  const client = await clientOf()
  proxy.next('reset after')
  const file = { name: 'once.txt', content: new Blob(['only once']).stream() }
  const document = await client.knowledge.uploadDocument({ file })
  const { documents } = await client.knowledge.listDocuments()
  assert.deepEqual(
    documents.map(({ id }) => id),
    [document.id],
  )
})

test('a form has other members too, and an export is streamed', async () => {
  const client = await clientOf()
  const file = { name: 'people.csv', content: 'phone,name\n+12025550177,Ada\n' }
  const { id } = await client.contacts.import({ file, dry_run: true })
  const report = await finished(() => client.contacts.getImport(id))
  assert.deepEqual([report.dry_run, report.counts.created], [true, 1])
  assert.equal((await client.contacts.list()).total_count, 0)

  await client.contacts.create({ phone_number: '+12025550178', name: 'Grace' })
  const csv = await client.contacts.export({ search: 'grace' })
  assert.match(csv.headers.get('content-disposition') ?? '', /filename="contacts-/)
  assert.match(await csv.text(), /Grace/)
})

async function finished<T extends { state: string }>(ask: () => Promise<T>): Promise<T> {
  let report: T | undefined
  await until(async () => {
    report = await ask()
    return report.state === 'completed' || report.state === 'failed'
  })
  return report as T
}
