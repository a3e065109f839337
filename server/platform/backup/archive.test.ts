import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { after, test } from 'node:test'
import { createZstdDecompress } from 'node:zlib'
import { type Piece, readArchive, writeArchive } from './archive.ts'

const folder = await mkdtemp(join(tmpdir(), 'frontdesk-archive-'))
after(() => rm(folder, { recursive: true, force: true }))

const few: [string, Buffer][] = [
  ['tables/public.small', Buffer.from('1\tone\n2\ttwo\n')],
  ['tables/public.empty', Buffer.alloc(0)],
  [
    'files/0f8fad5b-d9cb-469f-a165-70867728950e/live/recordings/7c9e6679-7425-40de-944b-e07fc1f90ae7-with-a-long-name',
    Buffer.from('ö'),
  ],
]
/** More than a chunk. */
const contents: [string, Buffer][] = [...few, ['tables/public.large', randomBytes(1_200_000)]]

async function write(name: string, contents: [string, Buffer][], passphrase?: string): Promise<string> {
  const file = join(folder, name)
  async function* pieces(): AsyncGenerator<Piece> {
    for (const [name, bytes] of contents)
      yield {
        name,
        bytes: (async function* () {
          for (let start = 0; start < bytes.length; start += 300_000) yield bytes.subarray(start, start + 300_000)
        })(),
      }
  }
  const archive = writeArchive({ format: 1 }, pieces(), {
    passphrase,
    onBytes: () => {},
    onPiece: () => {},
    manifest: () => ({ said: 'at the end' }),
  })
  await pipeline(archive, createWriteStream(file))
  return file
}

async function read(file: string, passphrase?: string) {
  const found: [string, Buffer][] = []
  let header: unknown
  const manifest = await readArchive(file, {
    passphrase,
    onHeader(given) {
      header = given
    },
    async take({ name, bytes }) {
      const chunks: Buffer[] = []
      for await (const chunk of bytes) chunks.push(chunk)
      found.push([name, Buffer.concat(chunks)])
    },
  })
  return { header, found, manifest }
}

const plain = await write('plain', contents)
const sealed = await write('sealed', contents, 'correct horse')

for (const [file, passphrase] of [[plain], [sealed, 'correct horse']] as const)
  test(`what was written is read ${passphrase ? 'with the passphrase' : 'without one'}`, async () => {
    const { header, found, manifest } = await read(file, passphrase)
    assert.deepEqual(header, { format: 1 })
    assert.deepEqual(
      found.map(([name, bytes]) => [name, bytes.length]),
      contents.map(([name, bytes]) => [name, bytes.length]),
    )
    for (const [i, [, bytes]] of found.entries()) assert.ok(bytes.equals(contents[i]?.[1] as Buffer))
    assert.equal((manifest as unknown as { said: string }).said, 'at the end')
  })

test('pieces that are left unread are checked all the same', async () => {
  assert.deepEqual(await readArchive(plain, {}), (await read(plain)).manifest)
})

test('tar reads a backup that is not encrypted', async (t) => {
  if (spawnSync('tar', ['--version']).status !== 0) return t.skip('no tar on this machine')
  const tar = join(folder, 'plain.tar')
  await pipeline(createReadStream(plain), createZstdDecompress(), createWriteStream(tar))
  const names = execFileSync('tar', ['-tf', tar], { encoding: 'utf8' }).trim().split('\n')
  assert.deepEqual([names[0], names.at(-1), names.length], ['backup.json', 'manifest.sha256', 8])
  const part = execFileSync('tar', ['-xOf', tar, 'tables/public.small/000001'], { encoding: 'utf8' })
  assert.equal(part, contents[0]?.[1].toString())
})

const changed = async (file: string, change: (bytes: Buffer) => Buffer) => {
  const copy = join(folder, 'changed')
  await writeFile(copy, change(await readFile(file)))
  return copy
}

test('a changed or missing byte anywhere is found, unless the contents are the same without it', async () => {
  const small = await write('small', few)
  const { length } = await readFile(small)
  const original = await read(small)
  const harmless: string[] = []
  const tryWith = async (what: string, change: (bytes: Buffer) => Buffer) => {
    const outcome = await read(await changed(small, change)).catch((error: Error) => error)
    if (outcome instanceof Error) return assert.match(outcome.message, /damaged|not a backup|encrypted/, what)
    assert.deepEqual(outcome, original, what)
    harmless.push(what)
  }
  for (let at = 0; at < length; at++)
    await tryWith(`byte ${at}`, (bytes) => {
      bytes[at] = (bytes[at] as number) ^ 0x40
      return bytes
    })
  for (let end = 0; end < length; end += 3) await tryWith(`cut at ${end}`, (bytes) => bytes.subarray(0, end))
  // The compressed form has a few bytes that say nothing about the contents, at its end.
  assert.ok(harmless.length < 20, harmless.join(', '))
  const middle = await changed(plain, (bytes) => {
    bytes[600_000] = (bytes[600_000] as number) ^ 1
    return bytes
  })
  await assert.rejects(read(middle), /damaged: its contents do not match their checksums/)
})

test('the same in an encrypted backup', async () => {
  const { length } = await readFile(sealed)
  for (const at of [20, 60, length - 20]) {
    const flipped = await changed(sealed, (bytes) => {
      bytes[at] = (bytes[at] as number) ^ 1
      return bytes
    })
    await assert.rejects(read(flipped, 'correct horse'), /damaged|passphrase is wrong/, `byte ${at}`)
  }
  for (const end of [10, 100, length - 1])
    await assert.rejects(read(await changed(sealed, (bytes) => bytes.subarray(0, end)), 'correct horse'), /damaged/)
})

test('a wrong or missing passphrase is reported as such', async () => {
  await assert.rejects(read(sealed, 'wrong'), /the passphrase is wrong/)
  await assert.rejects(read(sealed), /is encrypted: give its passphrase/)
  await assert.rejects(read(join(folder, 'missing')), /cannot be read: ENOENT/)
})
