import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { bodyFrom } from '../call-service.ts'
import { type Running, startProcess, temporaryFolder, until } from '../process.ts'

/** More clients at once than a node usually has, none of which does much. */

const key = `svc_sk_test_${'c'.repeat(40)}`
const settings = {
  BOOTSTRAP_API_KEY: key,
  DEMO_DATA: 'false',
  LOG_LEVEL: 'fatal',
  RATE_LIMIT_PER_MINUTE: '1000000',
  RATE_LIMIT_UPLOADS_PER_MINUTE: '1000000',
}

const memoryOf = ({ child }: Running) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024

/** The slowest of 50 requests, one after the other, in milliseconds. */
async function slowestRead(url: string): Promise<number> {
  let slowest = 0
  for (let i = 0; i < 50; i++) {
    const began = performance.now()
    await bodyFrom(url, key)('GET', 'contacts?limit=1')
    slowest = Math.max(slowest, performance.now() - began)
  }
  return Math.round(slowest)
}

/** A connection that has sent this much of a request. */
function begin(url: string, head: string[], body = ''): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.write(`${head.join('\r\n')}\r\nhost: ${hostname}\r\n\r\n${body}`)
      resolve(socket)
    })
  })
}

async function inTurns<T>(count: number, atOnce: number, work: (i: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (let i = 0; i < count; i += atOnce)
    results.push(...(await Promise.all(Array.from({ length: Math.min(atOnce, count - i) }, (_, j) => work(i + j)))))
  return results
}

test('10,000 idle streams get every event, and requests are answered beside them', {
  skip: process.platform !== 'linux' && 'reads /proc',
}, async (t) => {
  const streams = 10_000
  const node = await startProcess(await temporaryFolder(), settings)
  const keys = await inTurns(streams / 100, 10, (i) =>
    bodyFrom(node.url, key)('POST', 'keys', { name: `Stream ${i}`, mode: 'test', scopes: ['full_access'] }),
  )
  const alone = { mb: memoryOf(node), ms: await slowestRead(node.url) }
  let [begun, heard] = [0, 0]
  const sockets = await inTurns(streams, 100, async (i) => {
    const socket = await begin(node.url, [
      'GET /api/v1/stream HTTP/1.1',
      `authorization: Bearer ${keys[i % keys.length].secret}`,
    ])
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      if (chunk.startsWith('HTTP/1.1 200')) begun++
      heard += chunk.split('"contact.created"').length - 1
    })
    return socket
  })
  t.after(() => sockets.map((socket) => socket.destroy()))
  await until(async () => begun === streams)
  const idle = { mb: memoryOf(node), ms: await slowestRead(node.url) }
  const sentAt = performance.now()
  await bodyFrom(node.url, key)('POST', 'contacts', { phone_number: '+14155550101' })
  await until(async () => heard === streams)
  const seconds = (performance.now() - sentAt) / 1000
  t.diagnostic(
    `memory ${alone.mb.toFixed(0)} → ${idle.mb.toFixed(0)} MB; slowest of 50 reads ${alone.ms} → ${idle.ms} ms; ` +
      `one event reached all streams in ${seconds.toFixed(1)} s`,
  )
})

test('1,000 uploads that hardly move take neither memory nor answers from others, and leave nothing behind', {
  skip: process.platform !== 'linux' && 'reads /proc',
}, async (t) => {
  const uploads = 1_000
  const folder = await temporaryFolder()
  const node = await startProcess(folder, settings)
  const alone = { mb: memoryOf(node), ms: await slowestRead(node.url) }
  const refused: Record<string, number> = {}
  const sockets = await inTurns(uploads, 100, async () => {
    const socket = await begin(
      node.url,
      [
        'POST /api/v1/knowledge-base/upload HTTP/1.1',
        `authorization: Bearer ${key}`,
        'content-type: multipart/form-data; boundary=b',
        'content-length: 1000000',
      ],
      '--b\r\ncontent-disposition: form-data; name="file"; filename="slow.txt"\r\ncontent-type: text/plain\r\n\r\nSlow',
    )
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const status = chunk.slice(9, 12)
      refused[status] = (refused[status] ?? 0) + 1
    })
    return socket
  })
  for (let round = 0; round < 20; round++) {
    for (const socket of sockets) if (socket.writable) socket.write('ly ')
    await bodyFrom(node.url, key)('GET', 'contacts?limit=1')
  }
  const busy = { mb: memoryOf(node), ms: await slowestRead(node.url) }
  for (const socket of sockets) socket.destroy()
  const filesIn = async () =>
    (await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true })).filter((each) => each.isFile())
  await until(async () => (await filesIn()).length === 0)
  assert.deepEqual((await bodyFrom(node.url, key)('GET', 'knowledge-base')).documents, [])
  t.diagnostic(
    `memory ${alone.mb.toFixed(0)} → ${busy.mb.toFixed(0)} MB; slowest of 50 reads ${alone.ms} → ${busy.ms} ms; ` +
      `refused ${JSON.stringify(refused)}`,
  )
})
