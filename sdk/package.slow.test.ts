import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startTestApp } from '../server/testing/app.ts'

const folder = mkdtempSync(join(tmpdir(), 'frontdesk-package-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const project = join(folder, 'project')
const installed = join(project, 'node_modules/@frontdesk/sdk')

/** As users have it: without any settings of this workspace. */
function npm(cwd: string, ...words: string[]): string {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm|node)_/i.test(name)))
  const { npm_execpath: program } = process.env
  const options = { cwd, env: { ...env, npm_config_cache: join(folder, 'cache') }, encoding: 'utf8' as const }
  if (program?.endsWith('.js')) return execFileSync(process.execPath, [program, ...words], options)
  return execFileSync(process.platform === 'win32' ? 'npm.cmd' : 'npm', words, options)
}

test('the packed package can be installed, run and type-checked without the workspace', async () => {
  npm(import.meta.dirname, 'pack', '--pack-destination', folder, '--silent')
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'))
  const tarball = join(folder, `frontdesk-sdk-${version}.tgz`)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'project', type: 'module', private: true }))
  npm(project, 'install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball)

  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  assert.equal(manifest.private, undefined)
  assert.deepEqual([manifest.dependencies, manifest.devDependencies], [undefined, undefined])
  for (const path of [manifest.types, ...Object.values(manifest.exports['.']), './README.md', './LICENSE'])
    assert.ok(existsSync(join(installed, path as string)), `${path} is packed`)
  for (const path of ['build.ts', 'generator', 'testing', 'tsconfig.json', 'src/client.test.ts'])
    assert.ok(!existsSync(join(installed, path)), `${path} stays in the workspace`)

  const app = await startTestApp()
  const { key } = await app.organization()
  writeFileSync(join(project, 'program.js'), program)
  const { stdout } = await promisify(execFile)(process.execPath, ['program.js'], {
    cwd: project,
    env: { FRONTDESK_URL: await app.listen(), FRONTDESK_API_KEY: key },
  })
  assert.equal(stdout.trim(), 'Ada Lovelace 1 true')

  writeFileSync(join(project, 'typed.ts'), typed)
  const compiler = join(fileURLToPath(import.meta.resolve('typescript/package.json')), '../bin/tsc')
  for (const resolution of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ] as const) {
    const [module, moduleResolution] = resolution
    const words = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom,dom.asynciterable', '--types', '']
    const wanted = [...words, '--module', module, '--moduleResolution', moduleResolution, 'typed.ts']
    await promisify(execFile)(process.execPath, [compiler, ...wanted], { cwd: project }).catch(({ stdout }) =>
      assert.fail(`${moduleResolution}: ${stdout}`),
    )
  }
})

const program = `
import { ConflictError, createClient } from '@frontdesk/sdk'

const frontdesk = createClient({ baseUrl: process.env.FRONTDESK_URL, apiKey: process.env.FRONTDESK_API_KEY })
const contact = await frontdesk.contacts.create({ phone_number: '+12025550142', name: 'Ada Lovelace' })
const { total_count } = await frontdesk.contacts.list()
const refused = await frontdesk.contacts.create({ phone_number: '+12025550142' }).catch((error) => error)
console.log(contact.name, total_count, refused instanceof ConflictError)
`

const typed = `
import { type api, type Client, createClient } from '@frontdesk/sdk'

const client: Client = createClient({ baseUrl: 'http://127.0.0.1:3000', apiKey: 'svc_sk_test_x' })
export async function names(): Promise<string[]> {
  const found: string[] = []
  for await (const contact of client.contacts.list({ stage: 'qualified' })) found.push(contact.name)
  return found
}
export const stageOf = (contact: api.Contact): 'new' | 'engaged' | 'qualified' | 'customer' | 'lost' => contact.stage
// @ts-expect-error a contact needs a phone number
void client.contacts.create({ name: 'Ada' })
`
