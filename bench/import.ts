import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { newId } from '../server/platform/ids.ts'

/**
 * Benchmark 11: a CSV file of 100,000 rows, from its POST to `completed`, against COPY of the same rows into the same
 * table with the same indexes and triggers. The import also writes an activity and an event for each row, which the
 * contract demands and COPY does not do.
 */
const rowsPerRound = Number(process.env.ROWS ?? 100_000)
const rounds = Number(process.env.ROUNDS ?? 5)
const goal = 0.3

const firstNames = ['Ada', 'Grace', 'Linus', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Margaret', 'Ken', 'Zoë']
const lastNames = ['Lovelace', 'Hopper', 'Torvalds', 'Turing', 'Dijkstra', 'Liskov', 'Knuth', 'Hamilton', 'Müller']

const makeRows = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    phone: `+1415${String(2_000_000 + i).padStart(7, '0')}`,
    name: `${firstNames[i % 10]} ${lastNames[Math.floor(i / 10) % 9]} ${i}`,
    tags: i % 3 === 0 ? [] : ['vip', `group ${i % 7}`],
    notes: `Met at the fair, stand ${i}`,
    city: 'Berlin',
    plan: i % 2 ? 'gold' : 'free',
  }))
type Row = ReturnType<typeof makeRows>[number]

const toCsv = (rows: Row[]) =>
  [
    'phone,name,tags,notes,city,plan',
    ...rows.map(({ phone, name, tags, notes, city, plan }) =>
      [phone, name, tags.join(';'), `"${notes}"`, city, plan].join(','),
    ),
  ].join('\n')

function toCopyLines(rows: Row[], organizationId: string): string[] {
  const now = new Date().toISOString()
  return rows.map(({ phone, name, tags, notes, city, plan }) => {
    const list = `{${tags.map((tag) => `"${tag}"`).join(',')}}`
    const values = [organizationId, 'f', newId(), phone, name, list, notes, JSON.stringify({ city, plan }), now]
    return `${[...values, '{"contact_created": 1}'].join('\t')}\n`
  })
}

const copyStatement = `copy contacts (organization_id, livemode, id, phone_number, name, tags, notes, custom_fields,
  last_activity_at, activity_counts) from stdin`

/** COPY over the wire, with what `pg` has for it inside. */
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
      handleRowDescription: ignore,
      handleDataRow: ignore,
      handleEmptyQuery: ignore,
      handlePortalSuspended: ignore,
      handleCopyData: ignore,
    }
    client.query(copy as never)
  })
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

const key = `svc_sk_test_${'b'.repeat(40)}`

async function startApp(connection: { host: string; port: number; user: string; database: string }, dataDir: string) {
  const port = await freePort()
  const url = `postgres://${connection.user}@localhost:${connection.port}/${connection.database}?host=${encodeURIComponent(connection.host)}`
  const child = spawn(process.execPath, [join(import.meta.dirname, '../server/bin/frontdesk.js'), 'start'], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      DATABASE_URL: url,
      SECRET_KEY: 'a secret key that only this bench uses',
      BOOTSTRAP_API_KEY: key,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const base = `http://127.0.0.1:${port}`
  while ((await fetch(`${base}/readyz`).catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null) throw new Error('the app did not start')
    await sleep(50)
  }
  return { child, base }
}

async function importFile(base: string, csv: string, rows: number): Promise<void> {
  const form = new FormData()
  form.append('file', new Blob([csv]), 'contacts.csv')
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${base}/api/v1/contacts/imports`, { method: 'POST', headers, body: form })
  const { id } = (await answer.json()) as { id: string }
  for (;;) {
    const report = (await (await fetch(`${base}/api/v1/contacts/imports/${id}`, { headers })).json()) as {
      state: string
      error: string
      counts: { created: number }
    }
    if (report.state === 'failed') throw new Error(report.error)
    if (report.state === 'completed') {
      if (report.counts.created !== rows) throw new Error(`only ${report.counts.created} of ${rows} were created`)
      return
    }
    await sleep(50)
  }
}

/** Resident memory in MiB: now, and at its highest. */
async function memoryOf({ pid }: ChildProcess): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const read = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024)
  return { now: read('VmRSS'), peak: read('VmHWM') }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
const perSecond = (rows: number, ms: number) => Math.round((rows * 1000) / ms)

const folder = await mkdtemp(join(tmpdir(), 'frontdesk-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => {} })
const { child, base } = await startApp(postgres.connection, folder)
const client = new pg.Client(postgres.connection)
try {
  await client.connect()
  const me = (await (await fetch(`${base}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } })).json()) as {
    organization: { id: string }
  }
  const rows = makeRows(rowsPerRound)
  const csv = toCsv(rows)
  const start = async () => {
    await client.query('truncate contacts, contact_counts, contact_tag_counts, events, event_counts cascade')
    await client.query('checkpoint')
  }
  const timed = async (work: () => Promise<void>) => {
    await start()
    const began = performance.now()
    await work()
    return performance.now() - began
  }
  const lines = () => toCopyLines(rows, me.organization.id)

  const idle = await memoryOf(child)
  await timed(() => importFile(base, toCsv(rows.slice(0, rowsPerRound / 10)), rowsPerRound / 10))
  const afterTenth = await memoryOf(child)
  const times = { copy: [] as number[], ours: [] as number[] }
  for (let round = 1; round <= rounds; round++) {
    const prepared = lines()
    const copy = async () => void times.copy.push(await timed(() => copyIn(client, prepared)))
    const ours = async () => void times.ours.push(await timed(() => importFile(base, csv, rows.length)))
    for (const each of round % 2 ? [copy, ours] : [ours, copy]) await each()
    const [copied, imported] = [times.copy.at(-1) as number, times.ours.at(-1) as number]
    console.log(
      `round ${round}: COPY ${perSecond(rowsPerRound, copied)} rows/s, import ${perSecond(rowsPerRound, imported)} rows/s, ratio ${(copied / imported).toFixed(2)}`,
    )
  }
  const after = await memoryOf(child)
  const ratio = median(times.copy.map((copied, i) => copied / (times.ours[i] as number)))
  console.log(`
import of ${rowsPerRound.toLocaleString('en')} rows (${(Buffer.byteLength(csv) / 2 ** 20).toFixed(1)} MiB), median of ${rounds} rounds
  COPY     ${perSecond(rowsPerRound, median(times.copy))} rows/s
  import   ${perSecond(rowsPerRound, median(times.ours))} rows/s
  ratio    ${ratio.toFixed(2)}   goal ≥ ${goal}   ${ratio >= goal ? 'met' : 'MISSED'}
  memory   ${idle.now} MiB idle, peak ${afterTenth.peak} MiB after a tenth of the rows, peak ${after.peak} MiB after ${rounds} × all of them`)
} finally {
  await client.end()
  child.kill('SIGTERM')
  await new Promise((resolve) => child.once('exit', resolve))
  await postgres.close()
  await rm(folder, { recursive: true, force: true })
}
