import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { createOutboundHttp } from '../../platform/outbound-fetch.ts'
import { s3Bucket, s3Keys, startS3Store } from '../../testing/s3-store.ts'
import { FileMissing, type FileStore, fileKey } from './contract.ts'
import { createDiskFiles } from './disk.ts'
import { createS3Files } from './s3.ts'

const folder = await mkdtemp(join(tmpdir(), 'frontdesk-files-'))
after(() => rm(folder, { recursive: true, force: true }))
const s3 = await startS3Store()
const http = createOutboundHttp()
after(http.close)
const partBytes = 1_000
const s3Files = (more: object = {}) =>
  createS3Files({ endpoint: s3.endpoint, bucket: s3Bucket, ...s3Keys, http, partBytes, retryDelayMs: 1, ...more })

async function* inChunks(...chunks: (Buffer | string | Error)[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) {
    if (chunk instanceof Error) throw chunk
    yield Buffer.from(chunk)
  }
}

const bytesOf = async (files: FileStore, key: string, range?: { start: number; end: number }) =>
  Buffer.concat(await (await files.read(key, range)).toArray())

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const pattern = (size: number) => Buffer.from(Array.from({ length: size }, (_, i) => (i * 31) % 251))

let made = 0
const newKey = () => fileKey({ organizationId: '0198c0de', livemode: false }, 'media', `file-${++made}`)

/** What is on the disk, drafts included. */
const onDisk = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length

const stores = {
  disk: { files: createDiskFiles(folder), count: onDisk },
  s3: { files: s3Files(), count: async () => s3.objects.size + s3.uploads.size },
}

for (const [name, { files, count }] of Object.entries(stores))
  describe(name, () => {
    test('bytes are read back as they were written, of any length and in any chunks', async () => {
      for (const size of [0, 1, 999, 1_000, 1_001, 2_000, 2_999, 70_000]) {
        const key = newKey()
        const bytes = pattern(size)
        const chunks = [bytes.subarray(0, 7), Buffer.alloc(0), bytes.subarray(7, 1_500), bytes.subarray(1_500)]
        assert.deepEqual(await files.write(key, inChunks(...chunks)), { size, sha256: sha256(bytes) })
        assert.ok(bytes.equals(await bytesOf(files, key)), `${size} bytes`)
      }
    })

    test('a range is read without the rest; its end is inclusive', async () => {
      const key = newKey()
      await files.write(key, inChunks(pattern(5_000)))
      for (const [start, end] of [
        [0, 0],
        [10, 19],
        [4_990, 4_999],
        [0, 4_999],
      ] as const)
        assert.ok(
          pattern(5_000)
            .subarray(start, end + 1)
            .equals(await bytesOf(files, key, { start, end })),
        )
    })

    test('writing again replaces the file', async () => {
      const key = newKey()
      await files.write(key, inChunks(pattern(3_000)))
      await files.write(key, inChunks('new'))
      assert.equal((await bytesOf(files, key)).toString(), 'new')
    })

    test('reading a missing file throws FileMissing, and removing it succeeds', async () => {
      await assert.rejects(files.read(newKey()), FileMissing)
      await assert.rejects(files.read(newKey(), { start: 0, end: 1 }), FileMissing)
      await files.remove(newKey())
      const key = newKey()
      await files.write(key, inChunks('short-lived'))
      await files.remove(key)
      await files.remove(key)
      await assert.rejects(files.read(key), FileMissing)
    })

    test('when the source fails nothing is stored, and the previous file stays', async () => {
      const [fresh, old] = [newKey(), newKey()]
      await files.write(old, inChunks('old'))
      const before = await count()
      for (const key of [fresh, old])
        for (const size of [0, 10, 2_500]) {
          const source = inChunks(pattern(size), new RangeError('the upload was cut off'))
          await assert.rejects(files.write(key, source), new RangeError('the upload was cut off'))
        }
      assert.equal(await count(), before)
      await assert.rejects(files.read(fresh), FileMissing)
      assert.equal((await bytesOf(files, old)).toString(), 'old')
    })

    test('a key cannot leave its folder', async () => {
      const before = await count()
      const bad = [
        '',
        '/etc/passwd',
        '../x',
        'a/../../x',
        'a//b',
        'a/./b',
        'a/',
        'a\\..\\b',
        'a/.hidden',
        'a\0b',
        'a b',
        'ä',
      ]
      for (const key of [...bad, 'x'.repeat(513)]) {
        await assert.rejects(files.write(key, inChunks('x')), /file key/, key)
        await assert.rejects(files.read(key), /file key/, key)
        await assert.rejects(files.remove(key), /file key/, key)
      }
      assert.equal(await count(), before)
    })

    test('many files, and one file many times, can be written concurrently', async () => {
      const keys = Array.from({ length: 20 }, newKey)
      const shared = newKey()
      await Promise.all(keys.flatMap((key) => [files.write(key, inChunks(key)), files.write(shared, inChunks(key))]))
      for (const key of keys) assert.equal((await bytesOf(files, key)).toString(), key)
      assert.ok(keys.includes((await bytesOf(files, shared)).toString()))
    })

    test('a reader that stops early does no harm', async () => {
      const key = newKey()
      await files.write(key, inChunks(pattern(60_000)))
      for (let i = 0; i < 5; i++) (await files.read(key)).destroy()
      assert.equal((await bytesOf(files, key)).length, 60_000)
    })
  })

test('drafts that a killed process left on the disk are removed, newer ones are not', async () => {
  const drafts = join(folder, 'drafts.tmp')
  await writeFile(join(drafts, 'old'), 'x')
  await writeFile(join(drafts, 'young'), 'x')
  await utimes(join(drafts, 'old'), new Date(0), new Date(0))
  await createDiskFiles(folder).write(newKey(), inChunks('x'))
  assert.deepEqual(await readdir(drafts), ['young'])
})

/** Interferes with the next requests whose description matches, that many times. */
function disturb(matching: RegExp, times: number, odd: { status: number; code: string } | 'lost') {
  let left = times
  s3.interfere = (asked) => (matching.test(asked) && left-- > 0 ? odd : undefined)
  s3.asked.length = 0
}

test('each kind of request is retried when the store is overloaded or does not respond', async () => {
  const files = s3Files()
  for (const odd of [
    { status: 503, code: 'SlowDown' },
    { status: 500, code: 'InternalError' },
    { status: 429, code: '' },
    'lost',
  ] as const)
    for (const kind of [
      /^PUT [^?]+$/,
      /^POST .*uploads=/,
      /^PUT .*partNumber=2/,
      /^POST .*uploadId=/,
      /^GET/,
      /^DELETE/,
    ]) {
      disturb(kind, 2, odd)
      const [small, large] = [newKey(), newKey()]
      await files.write(small, inChunks('small'))
      await files.write(large, inChunks(pattern(2_500)))
      assert.equal((await bytesOf(files, small)).toString(), 'small')
      assert.ok(pattern(2_500).equals(await bytesOf(files, large)), String(kind))
      await files.remove(small)
      await assert.rejects(files.read(small), FileMissing)
    }
})

test('when the store stays down the upload fails and is aborted', async () => {
  const files = s3Files()
  s3.uploads.clear()
  disturb(/^PUT .*partNumber=2/, 99, { status: 503, code: 'SlowDown' })
  await assert.rejects(files.write(newKey(), inChunks(pattern(2_500))), /503 SlowDown/)
  assert.equal(s3.uploads.size, 0)
  disturb(/^GET/, 99, { status: 500, code: 'InternalError' })
  await assert.rejects(files.read(newKey()), /500 InternalError/)
  disturb(/^DELETE/, 99, 'lost')
  await assert.rejects(files.remove(newKey()))
  s3.interfere = undefined
})

test('an upload that fails after status 200 is detected', async () => {
  const files = s3Files()
  disturb(/^POST .*uploadId=/, 1, { status: 200, code: 'InternalError' })
  await assert.rejects(files.write(newKey(), inChunks(pattern(2_500))), /InternalError/)
  s3.interfere = undefined
})

test('wrong keys, a wrong region and a missing bucket are errors and never a missing file', async () => {
  const wrong = [
    [{ secretAccessKey: 'other' }, 'SignatureDoesNotMatch'],
    [{ accessKeyId: 'other' }, 'InvalidAccessKeyId'],
    [{ region: 'us-east-1' }, 'AuthorizationHeaderMalformed'],
    [{ bucket: 'nobody' }, 'NoSuchBucket'],
  ] as const
  for (const [options, code] of wrong) {
    const files = s3Files(options)
    const expected = (error: unknown) => {
      assert.ok(error instanceof Error && !(error instanceof FileMissing))
      assert.match(error.message, new RegExp(code))
      assert.doesNotMatch(String(error.stack), new RegExp(s3Keys.secretAccessKey.replace(/[+]/g, '\\+')))
      return true
    }
    await assert.rejects(files.write(newKey(), inChunks('x')), expected)
    await assert.rejects(files.read(newKey()), expected)
    await assert.rejects(files.remove(newKey()), expected)
  }
})

test('an endpoint may end with a slash', async () => {
  const key = newKey()
  await s3Files({ endpoint: `${s3.endpoint}/` }).write(key, inChunks('x'))
  assert.ok(s3.objects.has(key))
})
