import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

/** `npm test`, or `npm test -- server/features/contacts` for a part of it. */
const root = join(import.meta.dirname, '../..')
const wanted = process.argv.slice(2)
const flags = wanted.filter((word) => word.startsWith('--'))
const paths = wanted.filter((word) => !word.startsWith('--'))
const patterns =
  paths.length > 0
    ? paths.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`))
    : ['server/**/*.test.ts', 'sdk/**/*.test.ts', 'console/**/*.test.ts']
const { status } = spawnSync(
  process.execPath,
  // Most of a test is waiting, for the database or for time to pass: twice as many files as there are cores keep them busy.
  [
    '--test',
    `--test-concurrency=${availableParallelism() * 2}`,
    // No file lasts that long on the slowest machine: what hangs ends as a failure, not as a run without an end.
    '--test-timeout=600000',
    `--test-global-setup=${join(import.meta.dirname, 'global-setup.ts')}`,
    ...flags,
    ...patterns,
  ],
  {
    cwd: root,
    stdio: 'inherit',
    // Every file is a process that loads the whole service: compiled code is kept from one to the next.
    env: { ...process.env, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/frontdesk') },
  },
)
process.exit(status ?? 1)
