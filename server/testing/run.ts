import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, statSync } from 'node:fs'
import { availableParallelism, setPriority } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { cpuSeconds } from './cpu-seconds.ts'
import { serverVariable, startTestServer } from './server.ts'

/**
 * `npm test`, or `npm test -- server/features/contacts` for a part of it. A file's name says when it runs:
 * `*.test.ts` with `npm test`, `*.slow.test.ts` with `npm run test:slow`, `*.faults.test.ts` with
 * `npm run test:faults`. A file that is named on the command line always runs. `npm test -- --quick --slow` runs two
 * suites in one: quick files use the time in which slow ones wait.
 *
 * Loading the service takes longer than most test files, so a few processes run them all: each gets its next file when
 * it has finished one. Speech and browsers need much of the machine: one process at a time has each of them, beside the
 * others. Speech happens in real time, so the others give way to it. A test that fails once fails the run.
 */
const root = join(import.meta.dirname, '../..')
const suites = ['--slow', '--faults', '--quick'] as const
const speechTests = [
  'server/features/calls/**',
  'server/providers/speech/**',
  'simulator/carrier/**',
  'server/cli/simulate*',
  'server/demo/receptionist*',
]
const browserTests = ['console/**']
// One more than there are cores, because tests also wait.
const workers = availableParallelism() + 1
// No file takes this long on the slowest machine: a hanging test ends as a failure.
const timeoutMs = 15 * 60_000
const slowestFiles = 25
// A process that uses more memory is replaced by another.
const mostBytes = 1_000_000_000

const reporters = [
  ['--test-reporter=spec', '--test-reporter-destination=stdout'],
  [`--test-reporter=${join(import.meta.dirname, 'report-failures.ts')}`, '--test-reporter-destination=stderr'],
].flat()

const options = [
  ...reporters,
  '--conditions=frontdesk-source',
  `--import=${pathToFileURL(join(import.meta.dirname, 'track-tests-lightly.ts')).href}`,
]

const counted = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo'] as const
type Count = (typeof counted)[number]
interface Result {
  counts: Partial<Record<Count, number>>
  /** How long each file took and the CPU time of its process, both in seconds. */
  times: { file: string; seconds: number; cpu: number | undefined }[]
  /** What failed, if anything. */
  failure?: string
}

const words = process.argv.slice(2)
const chosen = suites.filter((flag) => words.includes(flag))
const wanted: string[] = chosen.length > 0 ? chosen : ['--quick']
const flags = words.filter((word) => word.startsWith('--') && !chosen.some((flag) => flag === word))
const paths = words.filter((word) => !word.startsWith('--'))
const files = findFiles()
if (files.length === 0) {
  console.error(`no tests in ${paths.join(', ')}`)
  process.exit(1)
}
const began = performance.now()
const { server, stop } = await startTestServer()
const results: Result[] = []
try {
  const take = (patterns: string[]) => {
    const own = new Set(globSync(patterns, { cwd: root }))
    return files.filter((file) => own.has(file))
  }
  const [speech, browser] = [take(speechTests), take(browserTests)]
  const others = files.filter((file) => !speech.includes(file) && !browser.includes(file))
  await Promise.all([
    work([speech]),
    work([browser], 10),
    // Browsers are left to the end of a run: then the other workers help.
    ...Array.from({ length: workers }, () => work([others, browser], 10)),
  ])
} finally {
  await stop()
}
report()
process.exit(results.some(({ failure }) => failure !== undefined) ? 1 : 0)

/**
 * Slow files come first, and the largest of them: at the end, no other would be left to run beside the one that takes
 * longest.
 */
function findFiles(): string[] {
  const named = paths.filter((path) => path.endsWith('.ts'))
  const folders =
    paths.length > 0 ? paths.filter((path) => !path.endsWith('.ts')) : ['{server,simulator,sdk,console,tools}']
  const found = globSync(
    folders.map((folder) => `${folder}/**/*.test.ts`),
    { cwd: root, exclude: ['**/node_modules/**'] },
  )
  const isWanted = (file: string) => wanted.includes(suiteOf(file))
  const sizes = new Map([...named, ...found.filter(isWanted)].map((file) => [file, statSync(resolve(root, file)).size]))
  const isQuick = (file: string) => Number(suiteOf(file) === '--quick')
  return [...sizes]
    .sort(([one, size], [other, otherSize]) => isQuick(one) - isQuick(other) || otherSize - size)
    .map(([file]) => file)
}

function suiteOf(file: string): (typeof suites)[number] {
  const [, word] = /\.(slow|faults)\.test\.ts$/.exec(file) ?? []
  return word === 'slow' || word === 'faults' ? `--${word}` : '--quick'
}

/** A process that ends, because of a test or its memory, is replaced by another for the files that are left. */
async function work(queues: string[][], niceness = 0): Promise<void> {
  const next = () => queues.find((queue) => queue.length > 0)?.shift()
  for (let file = next(); file; file = next()) {
    const run = flags.length > 0 ? runByName(file, niceness) : runInTurn(file, next, niceness)
    results.push(await run)
  }
}

/** Node finds a test by its name only if all files are loaded first, so each file has its own process. */
async function runByName(file: string, niceness: number): Promise<Result> {
  const child = start(['--test', '--test-isolation=none', ...flags, file], niceness)
  const timeout = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  const result = await finish(child, () => (child.exitCode === 0 ? undefined : file))
  clearTimeout(timeout)
  return result
}

async function runInTurn(first: string, next: () => string | undefined, niceness: number): Promise<Result> {
  const child = start([join(import.meta.dirname, 'run-files.ts')], niceness)
  const timeout = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  let current: string | undefined = first
  child.send(first)
  child.on('message', (bytes: number) => {
    current = bytes < mostBytes ? next() : undefined
    timeout.refresh()
    if (current) child.send(current)
    else child.disconnect()
  })
  const result = await finish(child, () => current)
  clearTimeout(timeout)
  return result
}

function start(args: string[], niceness: number): ChildProcess {
  const child = spawn(process.execPath, [...options, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      [serverVariable]: JSON.stringify(server),
      // The compile cache is shared between processes.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/frontdesk'),
    },
  })
  if (child.pid !== undefined && niceness > 0) setPriority(child.pid, niceness)
  return child
}

/** Prints what the process says about each file when the file ends, and keeps what report-failures.ts says. */
async function finish(child: ChildProcess, current: () => string | undefined): Promise<Result> {
  const result: Result = { counts: {}, times: [] }
  const cpu = new Map<string, number>()
  const failures: string[] = []
  let [printed, isSummary] = ['', false]
  const read = (line: string) => {
    const [, name = '', value] = /^ℹ (cpu \S+|\w+) ([\d.]+)$/.exec(line) ?? []
    const [, failure] = /^ℹ failure (".+")$/.exec(line) ?? []
    const [, file, ms] = /^[✔✖] (\S+\.test\.ts) \(([\d.]+)ms\)$/.exec(line) ?? []
    // What follows repeats the failures.
    isSummary ||= line === '✖ failing tests:'
    if (failure) {
      failures.push(JSON.parse(failure))
      // Also where it happened: a run that is interrupted has no report.
      printed += `${failures.at(-1)}\n`
    }
    if (failure || isSummary) return
    if (name.startsWith('cpu ')) cpu.set(name.slice('cpu '.length), Number(value))
    else if (name) result.counts[name as Count] = Number(value)
    else printed += `${line}\n`
    if (!file) return
    result.times.push({ file, seconds: Number(ms) / 1000, cpu: undefined })
    process.stdout.write(printed)
    printed = ''
  }
  const lines = [child.stdout, child.stderr].flatMap((stream) => (stream ? createInterface(stream) : []))
  // A child with a channel that its parent closed emits no `close`.
  const [[code, signal]] = await Promise.all([
    once(child, 'exit'),
    ...lines.map((reader) => once(reader.on('line', read), 'close')),
  ])
  process.stdout.write(printed)
  for (const time of result.times) time.cpu = cpu.get(time.file)
  if (code === 0 && current() === undefined) return result
  // Killed, or exited before it could report its counts.
  if (!isSummary || signal) {
    result.counts.fail = Math.max(failures.length, result.counts.fail ?? 0) + 1
    failures.push(
      `✖ the process ended with ${signal ?? code} ${current() ? `during ${current()}` : 'after its last file'}`,
    )
  }
  result.failure = failures.join('\n\n') || '✖ failed without a report: see above'
  return result
}

function report(): void {
  const slowest = results.flatMap(({ times }) => times).sort((one, other) => other.seconds - one.seconds)
  console.log(`\nThe slowest of ${slowest.length} files, in seconds, and the CPU time of their processes:`)
  for (const { file, seconds, cpu } of slowest.slice(0, slowestFiles))
    console.log(`${seconds.toFixed(1).padStart(7)} ${(cpu?.toFixed(1) ?? '').padStart(7)}  ${file}`)
  for (const { failure } of results) if (failure !== undefined) console.log(failure)
  for (const name of counted)
    console.log(`ℹ ${name} ${results.reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0)}`)
  console.log(`ℹ duration_ms ${Math.round(performance.now() - began)}`)
  // With PostgreSQL, which has stopped.
  console.log(`ℹ cpu_ms ${Math.round(cpuSeconds() * 1000)}`)
}
