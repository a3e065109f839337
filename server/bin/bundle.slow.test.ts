import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, cp, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../testing/process.ts'

/** The bundle is built from a copy of the source, in which it can become stale. */
const root = join(import.meta.dirname, '../..')
const clone = join(await temporaryFolder(), 'a clone')
const copy = (path: string) =>
  cp(join(root, path), join(clone, path), {
    recursive: true,
    preserveTimestamps: true,
    filter: (file) => !/\/(node_modules|dist)$/.test(file),
  })
for (const path of ['server', 'simulator', 'tools/bundle-server.js', 'package-lock.json']) await copy(path)
for (const modules of ['node_modules', 'server/node_modules'])
  if (existsSync(join(root, modules))) await symlink(join(root, modules), join(clone, modules))

function run(program: string, args: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const { stdout, stderr } = spawnSync(process.execPath, [join(clone, program), ...args], {
    cwd: clone,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  return stdout + stderr
}

const runsBundle = () => run('server/bin/frontdesk.js', ['help']).startsWith('Usage: bundled')
assert.equal(runsBundle(), false)
assert.equal(run('tools/bundle-server.js'), '')
// Its help text tells it from the source.
const program = join(clone, 'server/dist/cli.js')
await writeFile(program, (await readFile(program, 'utf8')).replace('Usage: frontdesk', 'Usage: bundled frontdesk'))

test('the bundle runs until a source is edited, replaced or removed', async () => {
  const source = 'server/cli/doctor.ts'
  const changes = [
    { path: source, change: (file: string) => appendFile(file, '\n') },
    // As from an archive of another release: the same length, and older than the bundle.
    { path: source, change: (file: string) => utimes(file, 0, 0) },
    { path: source, change: rm },
    { path: 'package-lock.json', change: (file: string) => appendFile(file, '\n') },
  ]
  for (const { path, change } of changes) {
    assert.equal(runsBundle(), true)
    await change(join(clone, path))
    assert.equal(runsBundle(), false)
    await copy(path)
  }
})

test('a trace names the lines of the source', async () => {
  const printed = run('server/bin/frontdesk.js', ['restore', 'no-such-file'], { LOG_LEVEL: 'debug' })
  const [, line] = /a clone\/server\/platform\/backup\/archive\.ts:(\d+)/.exec(printed) ?? []
  const lines = (await readFile(join(clone, 'server/platform/backup/archive.ts'), 'utf8')).split('\n')
  assert.match(lines[Number(line) - 1] ?? '', /cannot be read/)
})

test('an unfinished bundle does not run', async () => {
  assert.equal(runsBundle(), true)
  await rm(join(clone, 'server/dist/made-from.json'))
  assert.equal(runsBundle(), false)
})
