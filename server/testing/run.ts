import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { availableParallelism, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { serverVariable, startTestServer } from './server.ts'

/**
 * `npm test`, or `npm test -- server/features/contacts` for a part of it.
 *
 * To load the service takes longer than most files of tests do, so the files of a folder share a process. Speech takes
 * its own time, and a machine that is busy garbles it: folders in which somebody talks run one after another, and the
 * others, several at once, give way to them.
 */
const root = join(import.meta.dirname, '../..')
const talking = [
  'server/features/calls/**',
  'server/providers/speech/**',
  'server/simulate.test.ts',
  'console/src/pages/{agents,calls}/**',
]
const filesInProcess = 6
// No folder lasts that long on the slowest machine: what hangs ends as a failure, not as a run without an end.
const patienceMs = 15 * 60_000

const wanted = process.argv.slice(2)
const flags = wanted.filter((word) => word.startsWith('--'))
const paths = wanted.filter((word) => !word.startsWith('--'))
const patterns =
  paths.length > 0
    ? paths.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`))
    : ['server/**/*.test.ts', 'sdk/**/*.test.ts', 'console/**/*.test.ts']
const files = globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] }).sort()
if (files.length === 0) {
  console.error(`no tests in ${paths.join(', ')}`)
  process.exit(1)
}
const talks = new Set(globSync(talking, { cwd: root }))
const began = performance.now()
const totals = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 }
const failures: string[] = []

const { server, stop } = await startTestServer()
try {
  const among = inProcesses(files.filter((file) => !talks.has(file)))
  await Promise.all([
    work(inProcesses(files.filter((file) => talks.has(file)))),
    // Most of a test is waiting, for the database or for time to pass: twice as many as there are cores keep them busy.
    ...Array.from({ length: availableParallelism() * 2 }, () => work(among, 10)),
  ])
} finally {
  await stop()
}
for (const failure of failures) console.log(failure)
for (const [name, count] of Object.entries(totals)) console.log(`ℹ ${name} ${count}`)
console.log(`ℹ duration_ms ${Math.round(performance.now() - began)}`)
process.exit(failures.length > 0 ? 1 : 0)

function inProcesses(files: string[]): string[][] {
  const folders = Object.values(Object.groupBy(files, dirname)) as string[][]
  return folders.flatMap((folder) => {
    const processes = Math.ceil(folder.length / filesInProcess)
    return Array.from({ length: processes }, (_, i) => folder.filter((_, n) => n % processes === i))
  })
}

async function work(queue: string[][], niceness = 0): Promise<void> {
  for (let files = queue.shift(); files; files = queue.shift()) await run(files, niceness)
}

/** Prints what a process had to say when it ends, and adds up what it counted. */
async function run(files: string[], niceness: number): Promise<void> {
  const child = spawn(process.execPath, ['--test', '--test-isolation=none', ...flags, ...files], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: patienceMs,
    killSignal: 'SIGKILL',
    env: {
      ...process.env,
      [serverVariable]: JSON.stringify(server),
      // Compiled code is kept from one to the next.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/frontdesk'),
    },
  })
  if (child.pid !== undefined && niceness > 0) setPriority(child.pid, niceness)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => {
      output += chunk
    })
  const [code, signal] = await once(child, 'close')
  const [report = '', details] = output.split(/^✖ failing tests:$/m)
  console.log(
    report
      .replaceAll(/^ℹ (\w+) ([\d.]+)\n/gm, (_, name: keyof typeof totals, count: string) => {
        if (name in totals) totals[name] += Number(count)
        return ''
      })
      .trim(),
  )
  if (code === 0) return
  if (signal || !details) totals.fail++
  failures.push(`✖ ${files.join(' ')}${signal ? ` was ended by ${signal}` : ''}\n${details ?? ''}`)
}
