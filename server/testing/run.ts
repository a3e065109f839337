import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { availableParallelism, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { serverVariable, startTestServer } from './server.ts'

/**
 * `npm test`, or `npm test -- server/features/contacts` for a part of it.
 *
 * Loading the service takes longer than most test files, so the files of a folder share a process. Speech is
 * time-critical and fails on a busy machine: folders with speech tests run one after another, and the others, several
 * at once, wait for them. What fails beside others is run once more alone, and both results are reported: a test that
 * also fails alone does not fail because the machine is slow.
 */
const root = join(import.meta.dirname, '../..')
const speechTests = [
  'server/features/calls/**',
  'server/providers/speech/**',
  'server/cli/simulate.test.ts',
  'console/src/pages/{agents,calls}/**',
]
const filesInProcess = 6
// No folder takes this long on the slowest machine: a hanging test ends as a failure.
const timeoutMs = 15 * 60_000

const counted = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo'] as const
type Count = (typeof counted)[number]
interface Result {
  files: string[]
  counts: Partial<Record<Count, number>>
  /** What failed, if anything. */
  failure?: string
}

const wanted = process.argv.slice(2)
const flags = wanted.filter((word) => word.startsWith('--'))
const paths = wanted.filter((word) => !word.startsWith('--'))
const patterns =
  paths.length > 0
    ? paths.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`))
    : [
        'server/**/*.test.ts',
        'simulator/**/*.test.ts',
        'sdk/**/*.test.ts',
        'console/**/*.test.ts',
        'tools/**/*.test.ts',
      ]
const files = globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] }).sort()
if (files.length === 0) {
  console.error(`no tests in ${paths.join(', ')}`)
  process.exit(1)
}
const speechFiles = new Set(globSync(speechTests, { cwd: root }))
const began = performance.now()
const { server, stop } = await startTestServer()
const results: Result[] = []
try {
  const [alone, among] = [
    inProcesses(files.filter(isSpeechTest)),
    inProcesses(files.filter((file) => !isSpeechTest(file))),
  ]
  const isCrowded = alone.length + among.length > 1
  await Promise.all([
    work(alone),
    // Tests mostly wait for the database or for time to pass: twice as many processes as cores keep them busy.
    ...Array.from({ length: availableParallelism() * 2 }, () => work(among, 10)),
  ])
  if (isCrowded)
    for (const [i, { files, failure }] of results.entries()) {
      if (failure === undefined) continue
      console.log(`${failure}\nIt failed beside others, and is run once more alone:`)
      results[i] = await run(files)
    }
} finally {
  await stop()
}
for (const { failure } of results) if (failure !== undefined) console.log(failure)
for (const name of counted)
  console.log(`ℹ ${name} ${results.reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0)}`)
console.log(`ℹ duration_ms ${Math.round(performance.now() - began)}`)
process.exit(results.some(({ failure }) => failure !== undefined) ? 1 : 0)

function isSpeechTest(file: string): boolean {
  return speechFiles.has(file)
}

function inProcesses(files: string[]): string[][] {
  const folders = Object.values(Object.groupBy(files, dirname)) as string[][]
  return folders.flatMap((folder) => {
    const processes = Math.ceil(folder.length / filesInProcess)
    return Array.from({ length: processes }, (_, i) => folder.filter((_, n) => n % processes === i))
  })
}

async function work(queue: string[][], niceness = 0): Promise<void> {
  for (let files = queue.shift(); files; files = queue.shift()) results.push(await run(files, niceness))
}

/** Prints the output of a process when it exits. */
async function run(files: string[], niceness = 0): Promise<Result> {
  const child = spawn(
    process.execPath,
    ['--test', '--test-isolation=none', '--conditions=frontdesk-source', ...flags, ...files],
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
  const [report = '', details] = output.split(/^✖ failing tests:$/m)
  const counts: Result['counts'] = {}
  const told = report.replaceAll(/^ℹ (\w+) ([\d.]+)\n/gm, (_, name: Count, count: string) => {
    counts[name] = Number(count)
    return ''
  })
  console.log(told.trim())
  if (code === 0) return { files, counts }
  // Killed, or exited before it could report its counts.
  if (!details) counts.fail = (counts.fail ?? 0) + 1
  return { files, counts, failure: `✖ ${files.join(' ')}${signal ? ` was ended by ${signal}` : ''}\n${details ?? ''}` }
}
