import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { newId } from '../server/platform/ids.ts'
import { fill } from './fill.ts'
import { atMostLine, benchDatabase, format, median, ratioLine, report, rounds, serveFrontdesk } from './harness.ts'

/**
 * Benchmark 11: a CSV file of 100,000 rows, from its POST to `completed`, against COPY of the same rows into the same
 * table with the same indexes and triggers. The import also writes an activity and an event per row, which the contract
 * demands and COPY does not do.
 */

const rowCount = Number(process.env.BENCH_ROWS ?? 100_000)
const goal = 0.3
/**
 * Peak memory after all rounds, relative to that after the first import. The live heap is a few MiB for any number of
 * rows (with `--max-old-space-size=64 --max-semi-space-size=8` 700,000 rows added 44 MiB); the rest is garbage that was
 * not collected yet.
 */
const memoryGoal = 1.5

const firstNames = ['Ada', 'Grace', 'Linus', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Margaret', 'Ken', 'Zoë']
const lastNames = ['Lovelace', 'Hopper', 'Torvalds', 'Turing', 'Dijkstra', 'Liskov', 'Knuth', 'Hamilton', 'Müller']

const rows = Array.from({ length: rowCount }, (_, i) => ({
  phone: `+1415${2_000_000 + i}`,
  name: `${firstNames[i % 10]} ${lastNames[Math.floor(i / 10) % 9]} ${i}`,
  tags: i % 3 === 0 ? [] : ['vip', `group ${i % 7}`],
  notes: `Met at the fair, stand ${i}`,
  city: 'Berlin',
  plan: i % 2 ? 'gold' : 'free',
}))

const toCsv = (some: typeof rows) => {
  const lines = some.map(({ phone, name, tags, notes, city, plan }) =>
    [phone, name, tags.join(';'), `"${notes}"`, city, plan].join(','),
  )
  return ['phone,name,tags,notes,city,plan', ...lines].join('\n')
}

function toCopyLines(organizationId: string): string[] {
  const now = new Date().toISOString()
  return rows.map(({ phone, name, tags, notes, city, plan }) => {
    const list = `{${tags.map((tag) => `"${tag}"`).join(',')}}`
    const custom = JSON.stringify({ city, plan })
    const values = [organizationId, 'f', newId(), phone, name, list, notes, custom, now, '{"contact_created": 1}']
    return `${values.join('\t')}\n`
  })
}

const copyStatement = `copy contacts (organization_id, livemode, id, phone_number, name, tags, notes, custom_fields,
  last_activity_at, activity_counts) from stdin`

/** COPY over the wire, with the internals of `pg`. */
function copyIn(client: pg.Client, lines: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const ignore = () => {}
    const copy = {
      callback: ignore,
      submit: (wire: { query(text: string): void }) => wire.query(copyStatement),
      handleCopyInResponse(wire: { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void }) {
        for (let at = 0; at < lines.length; at += 500)
          wire.sendCopyFromChunk(Buffer.from(lines.slice(at, at + 500).join('')))
        wire.endCopyFrom()
      },
      handleReadyForQuery: () => resolve(),
      handleError: reject,
      handleCommandComplete: ignore,
    }
    client.query(copy as never)
  })
}

async function importFile(url: string, secret: string, csv: string, expected: number): Promise<void> {
  const headers = { authorization: `Bearer ${secret}` }
  const form = new FormData()
  form.append('file', new Blob([csv]), 'contacts.csv')
  const answer = await fetch(`${url}/api/v1/contacts/imports`, { method: 'POST', headers, body: form })
  const { id } = (await answer.json()) as { id: string }
  for (;;) {
    const read = await fetch(`${url}/api/v1/contacts/imports/${id}`, { headers })
    const { state, error, counts } = (await read.json()) as {
      state: string
      error: string
      counts: { created: number }
    }
    if (state === 'failed') throw new Error(error)
    if (state === 'completed' && counts.created !== expected) throw new Error(`only ${counts.created} were created`)
    if (state === 'completed') return
    await sleep(50)
  }
}

/** Peak resident memory of a process, in MiB. */
async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024
}

const database = await benchDatabase()
const { organizationId, secret } = await fill(database.connection, 0)
const ours = await serveFrontdesk(database.connection)
const client = new pg.Client(database.connection)
await client.connect()

/** Every measurement starts with empty tables. */
const timed = async (work: () => Promise<void>) => {
  await client.query('truncate contacts, contact_counts, contact_tag_counts, events, event_counts cascade')
  await client.query('checkpoint')
  const began = performance.now()
  await work()
  return performance.now() - began
}

const csv = toCsv(rows)
const idle = await peakMemory(ours.pid)
await timed(() => importFile(ours.url, secret, csv, rowCount))
const peakOfFirst = await peakMemory(ours.pid)
const speeds = { ours: [] as number[], copy: [] as number[] }
for (let round = 0; round < rounds; round++) {
  const lines = toCopyLines(organizationId)
  const measure = {
    copy: () => timed(() => copyIn(client, lines)),
    ours: () => timed(() => importFile(ours.url, secret, csv, rowCount)),
  }
  // Alternates, so that no side always runs first.
  for (const which of round % 2 ? (['ours', 'copy'] as const) : (['copy', 'ours'] as const))
    speeds[which].push((rowCount * 1000) / (await measure[which]()))
  const [imported, copied] = [speeds.ours.at(-1) as number, speeds.copy.at(-1) as number]
  console.log(`round ${round + 1}: import ${format(imported)}, COPY ${format(copied)} rows/s`)
}
const peak = await peakMemory(ours.pid)
report(`11 · import: ${rowCount.toLocaleString('en')} CSV rows against COPY, median of ${rounds} rounds`, [
  ratioLine('rows', speeds.ours, speeds.copy, 'rows/s', goal),
  atMostLine(
    `peak memory after ${rounds} more imports, against the first (idle: ${format(idle)} MiB)`,
    [peak],
    [peakOfFirst],
    'MiB',
    memoryGoal,
  ),
])
console.log(`pairwise ratio ${median(speeds.ours.map((speed, i) => speed / (speeds.copy[i] as number))).toFixed(2)}`)
await client.end()
await ours.stop()
await database.close()
