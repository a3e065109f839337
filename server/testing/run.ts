import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, statSync } from 'node:fs'
import { availableParallelism, setPriority } from 'node:os'
import { join } from 'node:path'
import { cpuSeconds } from './cpu-seconds.ts'
import { serverVariable, startTestServer } from './server.ts'

/**
 * `npm test`, or `npm test -- server/features/contacts` for a part of it. A file's name says when it runs:
 * `*.test.ts` with `npm test`, `*.slow.test.ts` with `npm run test:slow`, `*.faults.test.ts` with
 * `npm run test:faults`. A file that is named on the command line always runs.
 *
 * Loading the service takes longer than most quick test files, so several of them share a process; a slow one has its
 * own, except that those with a browser share it. Speech and browsers need much of the machine: the processes of each
 * run one after another, beside the others. Speech happens in real time, so the others give way to it. A test that
 * fails once fails the run.
 */
const root = join(import.meta.dirname, '../..')
const suites = { '--slow': '.slow.test.ts', '--faults': '.faults.test.ts' }
const speechTests = [
  'server/features/calls/**',
  'server/providers/speech/**',
  'simulator/carrier/**',
  'server/cli/simulate*',
]
const browserTests = ['console/**']
const mostFilesInProcess = 10
const mostBrowserFilesInProcess = 4
// One more than there are cores, because tests also wait.
const workers = availableParallelism() + 1
// No process takes this long on the slowest machine: a hanging test ends as a failure.
const timeoutMs = 15 * 60_000
const slowestFiles = 25

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
const suite = Object.entries(suites).find(([flag]) => words.includes(flag))
const flags = words.filter((word) => word.startsWith('--') && word !== suite?.[0])
const paths = words.filter((word) => !word.startsWith('--'))
// Node finds a test by its name only if all files are loaded first.
const program =
  flags.length > 0 ? ['--test', '--test-isolation=none', ...flags] : [join(import.meta.dirname, 'run-files.ts')]
const files = findFiles()
if (files.length === 0) {
  console.error(`no tests in ${paths.join(', ')}`)
  process.exit(1)
}
const began = performance.now()
const { server, stop } = await startTestServer()
const results: Result[] = []
try {
  const take = (patterns: string[], slowInProcess?: number) => {
    const own = new Set(globSync(patterns, { cwd: root }))
    return inProcesses(
      files.filter((file) => own.has(file)),
      slowInProcess,
    )
  }
  const [speech, browser] = [take(speechTests), take(browserTests, mostBrowserFilesInProcess)]
  const apart = new Set([speech, browser].flat(2))
  const others = inProcesses(files.filter((file) => !apart.has(file)))
  await Promise.all([
    work(speech),
    work(browser, 10),
    // Browsers are left to the end of a run: then the other workers help.
    ...Array.from({ length: workers }, () => work(others, 10).then(() => work(browser, 10))),
  ])
} finally {
  await stop()
}
report()
process.exit(results.some(({ failure }) => failure !== undefined) ? 1 : 0)

function findFiles(): string[] {
  const named = paths.filter((path) => path.endsWith('.ts'))
  const folders =
    paths.length > 0 ? paths.filter((path) => !path.endsWith('.ts')) : ['{server,simulator,sdk,console,tools}']
  const found = globSync(
    folders.map((folder) => `${folder}/**/*.test.ts`),
    { cwd: root, exclude: ['**/node_modules/**'] },
  )
  const ending = suite?.[1]
  const isWanted = (file: string) => (ending ? file.endsWith(ending) : !isSlow(file))
  return [...new Set([...named, ...found.filter(isWanted)])].sort()
}

function isSlow(file: string): boolean {
  return Object.values(suites).some((ending) => file.endsWith(ending))
}

/**
 * Neighbours share a process: the files of a folder use the same parts of the service. Of the slow files the largest come
 * first: it is most likely the one that takes longest, and at the end no other would be left to run beside it. Those
 * that share a process are dealt out by size.
 */
function inProcesses(files: string[], slowInProcess = 1): string[][] {
  const quick = files.filter((file) => !isSlow(file))
  const slow = files
    .filter(isSlow)
    .map((file) => ({ file, size: statSync(join(root, file)).size }))
    .sort((one, other) => other.size - one.size)
  const slowProcesses = Math.ceil(slow.length / slowInProcess)
  const processes = Math.ceil(quick.length / mostFilesInProcess)
  const size = Math.ceil(quick.length / processes)
  return [
    ...Array.from({ length: slowProcesses }, (_, i) =>
      slow.filter((_, place) => place % slowProcesses === i).map(({ file }) => file),
    ),
    ...Array.from({ length: processes }, (_, i) => quick.slice(i * size, (i + 1) * size)),
  ]
}

async function work(queue: string[][], niceness = 0): Promise<void> {
  for (let files = queue.shift(); files; files = queue.shift()) results.push(await run(files, niceness))
}

/** Prints the output of a process when it exits. */
async function run(files: string[], niceness: number): Promise<Result> {
  const child = spawn(
    process.execPath,
    ['--test-reporter=spec', '--conditions=frontdesk-source', ...program, ...files],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      env: {
        ...process.env,
        [serverVariable]: JSON.stringify(server),
        // The compile cache is shared between processes.
        NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/frontdesk'),
      },
    },
  )
  if (child.pid !== undefined && niceness > 0) setPriority(child.pid, niceness)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => {
      output += chunk
    })
  const [code, signal] = await once(child, 'close')
  const [passed = '', details] = output.split(/^✖ failing tests:$/m)
  const counts: Result['counts'] = {}
  const cpu = new Map<string, number>()
  const printed = passed
    .replaceAll(/^ℹ cpu (\S+) ([\d.]+)\n/gm, (_, file: string, seconds: string) => {
      cpu.set(file, Number(seconds))
      return ''
    })
    .replaceAll(/^ℹ (\w+) ([\d.]+)\n/gm, (_, name: Count, count: string) => {
      counts[name] = Number(count)
      return ''
    })
  console.log(printed.trim())
  const times = [...printed.matchAll(/^[✔✖] (\S+\.test\.ts) \(([\d.]+)ms\)$/gm)].map(([, file = '', ms]) => ({
    file,
    seconds: Number(ms) / 1000,
    cpu: cpu.get(file),
  }))
  const result = { counts, times }
  if (code === 0) return result
  // Killed, or exited before it could report its counts.
  if (!details) counts.fail = (counts.fail ?? 0) + 1
  return { ...result, failure: `✖ ${files.join(' ')}${signal ? ` was ended by ${signal}` : ''}\n${details ?? ''}` }
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
