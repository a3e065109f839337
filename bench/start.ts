import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { format, type Line, median, report, rounds } from './harness.ts'
import { runningProcesses } from './memory.ts'

/** Benchmark 10: from `npm start` to ready, for the first start and later ones, and the memory of the idle service. */

const root = join(import.meta.dirname, '..')
const first: number[] = []
const later: number[] = []
const memory: number[] = []
const floorStart: number[] = []
const floorMemory: number[] = []

for (let round = 0; round < rounds; round++) {
  const dataDir = await mkdtemp(join(tmpdir(), 'frontdesk-start-'))
  first.push((await run(dataDir)).ms)
  const again = await run(dataDir)
  later.push(again.ms)
  memory.push(again.mebibytes)
  const floor = await runFloor(dataDir)
  floorStart.push(floor.ms)
  floorMemory.push(floor.mebibytes)
  await rm(dataDir, { recursive: true, force: true })
}
report('10 · start: `npm start` to ready, and idle memory', [
  line('first start', first, [], 's', 5),
  line('later start', later, floorStart, 's', 1.5),
  line('idle memory of all processes', memory, floorMemory, 'MiB', 250),
])

function line(what: string, ours: number[], floor: number[], unit: string, goal: number): Line {
  const value = unit === 's' ? median(ours) / 1000 : median(ours)
  const base = floor.length === 0 ? undefined : unit === 's' ? median(floor) / 1000 : median(floor)
  return {
    what,
    ours: `${format(value)} ${unit}`,
    floor: base === undefined ? '' : `${format(base)} ${unit}`,
    ratio: base === undefined ? '' : (value / base).toFixed(1),
    goal: `≤ ${goal} ${unit}`,
    met: value <= goal,
  }
}

async function run(dataDir: string) {
  const port = 20_000 + Math.floor(Math.random() * 10_000)
  const started = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  let [output, isRunning] = ['', true]
  child.stdout.on('data', (text) => (output += text))
  const exited = new Promise((resolve) => child.once('exit', resolve)).then(() => (isRunning = false))
  for (;;) {
    if (!isRunning) throw new Error(`the service ended:\n${output}`)
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (ready?.status === 200) break
    await sleep(5)
  }
  const ms = performance.now() - started
  // Gives the service 3 s to become idle, then adds up the memory of all of its processes.
  await sleep(3_000)
  const mebibytes = await residentMebibytes(child.pid as number, dataDir)
  process.kill(-(child.pid as number), 'SIGTERM')
  await exited
  return { ms, mebibytes }
}

/** The least that could hold the same data: the same PostgreSQL, and an idle Node process. */
async function runFloor(dataDir: string) {
  const started = performance.now()
  const embedded = await startEmbeddedPostgres({ dataDir, log: () => {} })
  const node = spawn(process.execPath, ['-e', 'console.log("up"); setInterval(() => {}, 1e6)'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => node.stdout.once('data', resolve))
  const ms = performance.now() - started
  await sleep(1_000)
  const mebibytes = await residentMebibytes(node.pid as number, dataDir)
  node.kill()
  await embedded.close()
  return { ms, mebibytes }
}

/** Without npm's own process. */
async function residentMebibytes(pid: number, dataDir: string): Promise<number> {
  const all = await runningProcesses()
  const postmasters = all.filter(({ command }) => command.includes(join(dataDir, 'postgres'))).map((each) => each.pid)
  const ours = all.filter(
    (each) =>
      postmasters.includes(each.pid) ||
      postmasters.includes(each.parent) ||
      ((each.pid === pid || each.group === pid) && !each.command.includes('npm')),
  )
  return ours.reduce((sum, { kibibytes }) => sum + kibibytes, 0) / 1024
}
