import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { availableParallelism, setPriority } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/**
 * `npm test`, or `npm test -- server/features/contacts` for a part of it.
 *
 * Speech takes its own time, and a machine that is busy garbles it: files in which somebody talks run one after another
 * beside the others, which give way to them.
 */
const root = join(import.meta.dirname, '../..')
const talking = [
  'server/features/calls/**',
  'server/providers/speech/**',
  'server/simulate.test.ts',
  'console/src/pages/{agents,calls}/**',
]
const wanted = process.argv.slice(2)
const flags = wanted.filter((word) => word.startsWith('--'))
const paths = wanted.filter((word) => !word.startsWith('--'))
const patterns =
  paths.length > 0
    ? paths.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`))
    : ['server/**/*.test.ts', 'sdk/**/*.test.ts', 'console/**/*.test.ts']
const files = globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] }).sort()
const talks = new Set(globSync(talking, { cwd: root }))

const [among, alone] = [files.filter((file) => !talks.has(file)), files.filter((file) => talks.has(file))]
const codes = await Promise.all([
  // Most of a test is waiting, for the database or for time to pass: twice as many files as there are cores keep them busy.
  run(among, { atOnce: availableParallelism() * 2, niceness: 10, output: 'inherit' }),
  run(alone, { atOnce: 1, niceness: 0, output: among.length > 0 ? 'pipe' : 'inherit' }),
])
process.exit(Math.max(...codes))

/** Resolves with the exit code. What is piped is printed in one piece at its end, not line by line among the others. */
async function run(
  files: string[],
  { atOnce, niceness, output }: { atOnce: number; niceness: number; output: 'inherit' | 'pipe' },
): Promise<number> {
  if (files.length === 0) return 0
  const child = spawn(
    process.execPath,
    [
      '--test',
      `--test-concurrency=${atOnce}`,
      // No file lasts that long on the slowest machine: what hangs ends as a failure, not as a run without an end.
      '--test-timeout=600000',
      `--test-global-setup=${join(import.meta.dirname, 'global-setup.ts')}`,
      ...flags,
      ...files,
    ],
    {
      cwd: root,
      stdio: ['inherit', output, 'inherit'],
      // Every file is a process that loads the whole service: compiled code is kept from one to the next.
      env: { ...process.env, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/frontdesk') },
    },
  )
  if (child.pid !== undefined && niceness > 0) setPriority(child.pid, niceness)
  const [printed, [code]] = await Promise.all([child.stdout ? text(child.stdout) : '', once(child, 'exit')])
  process.stdout.write(printed)
  return code ?? 1
}
