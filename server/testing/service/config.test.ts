import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readSettings, SettingsError } from '../../config.ts'

const problems = (env: Record<string, string>): string[] => {
  try {
    readSettings(env)
    return []
  } catch (error) {
    assert.ok(error instanceof SettingsError)
    return error.problems
  }
}

test('the default chat platform is the real one, in the version that the contract names', () => {
  const { GRAPH_API_BASE_URL, GRAPH_API_VERSION } = readSettings({})
  assert.deepEqual([GRAPH_API_BASE_URL, GRAPH_API_VERSION], ['https://graph.facebook.com', 'v19.0'])
  assert.deepEqual(problems({ GRAPH_API_BASE_URL: 'http://127.0.0.1:4010/meta', GRAPH_API_VERSION: 'v23.0' }), [])
  for (const url of ['graph.facebook.com', 'ftp://x', 'https://x?y=1', 'http://x:99999'])
    assert.match(problems({ GRAPH_API_BASE_URL: url })[0] ?? '', /GRAPH_API_BASE_URL/, url)
  for (const version of ['19.0', 'v19', 'latest', 'v19.0/me'])
    assert.match(problems({ GRAPH_API_VERSION: version })[0] ?? '', /GRAPH_API_VERSION/, version)
})

test('each invalid setting is named, with what it needs', () => {
  for (const [env, words] of [
    [{ PORT: 'eighty' }, /PORT must be integer|PORT .*integer/],
    [{ ROLE: 'boss' }, /ROLE must be one of all, api, worker/],
    [{ HOST: '0.0.0.0' }, /SECRET_KEY is needed/],
    [{ DATABASE_URL: 'postgres://localhost/x' }, /SECRET_KEY is needed with DATABASE_URL/],
    [{ BOOTSTRAP_API_KEY: 'short' }, /BOOTSTRAP_API_KEY/],
    [{ DEFAULT_COUNTRY: 'ZZ' }, /DEFAULT_COUNTRY must be a country/],
    [{ TRUSTED_ISSUER: 'https://id.example' }, /go together/],
    [{ SMTP_URL: 'smtp://localhost' }, /SMTP_URL and MAIL_FROM go together/],
    [{ SMTP_URL: 'smtp://localhost', MAIL_FROM: 'a@example.com' }, /SMTP_URL requires PUBLIC_URL/],
  ] as [Record<string, string>, RegExp][])
    assert.match(problems(env).join('\n'), words)
})

test('an identity provider answers over https, or on this machine', () => {
  const client = { OIDC_CLIENT_ID: 'desk', PUBLIC_URL: 'https://desk.example.com' }
  for (const OIDC_ISSUER of ['https://id.example.com', 'http://127.0.0.1:9000', 'http://[::1]:9000'])
    assert.deepEqual(problems({ ...client, OIDC_ISSUER }), [], OIDC_ISSUER)
  for (const OIDC_ISSUER of ['http://id.example.com', 'http://127.example.com'])
    assert.match(problems({ ...client, OIDC_ISSUER })[0] ?? '', /https/, OIDC_ISSUER)
})

test('allowed internal addresses are a list of hosts, addresses and ranges', () => {
  assert.deepEqual(readSettings({}).OUTBOUND_ALLOW, [])
  const OUTBOUND_ALLOW = 'hooks.internal, 10.0.0.0/8,::1'
  assert.deepEqual(readSettings({ OUTBOUND_ALLOW }).OUTBOUND_ALLOW, ['hooks.internal', '10.0.0.0/8', '::1'])
  const wrong = problems({ OUTBOUND_ALLOW: 'http://hooks.internal,10.0.0.0/40,fine.internal' })
  assert.equal(wrong.length, 2)
  assert.match(wrong[0] ?? '', /OUTBOUND_ALLOW .* not http:\/\/hooks\.internal/)
})

test('text recognition needs the installed data of each language', () => {
  assert.deepEqual(readSettings({ OCR: 'eng' }).OCR, ['eng'])
  assert.deepEqual(problems({ OCR: 'eng,xyz' }), [
    'OCR needs the package @tesseract.js-data/xyz for xyz: install it, or leave it out',
  ])
  assert.match(problems({ OCR: '../eng' })[0] ?? '', /^OCR/)
})

test('the settings of a file store must be set together, and errors contain no secret', () => {
  const all = {
    S3_ENDPOINT: 'https://s3.example.com',
    S3_BUCKET: 'files',
    S3_ACCESS_KEY_ID: 'AKID',
    S3_SECRET_ACCESS_KEY: 'very-secret',
  }
  assert.equal(readSettings(all).S3_REGION, 'us-east-1')
  for (const name of Object.keys(all)) {
    const found = problems({ ...all, [name]: '' })
    assert.equal(found.length, 1)
    assert.match(found[0] ?? '', /go together/)
    assert.doesNotMatch(found[0] ?? '', /very-secret/)
  }
  assert.match(problems({ ...all, S3_ENDPOINT: 'https://s3.example.com/path' })[0] ?? '', /S3_ENDPOINT/)
})

test('secrets and connection strings can be read from files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-settings-'))
  after(() => rm(folder, { recursive: true }))
  const file = async (name: string, content: string) => {
    await writeFile(join(folder, name), content)
    return join(folder, name)
  }
  const DATABASE_URL = 'postgres://frontdesk:pass@db.internal/frontdesk'
  const SECRET_KEY = 'k'.repeat(32)
  const files = {
    DATABASE_URL_FILE: await file('url', `${DATABASE_URL}\n`),
    SECRET_KEY_FILE: await file('key', `${SECRET_KEY}\r\n`),
  }
  const read = readSettings(files)
  assert.deepEqual([read.DATABASE_URL, read.SECRET_KEY], [DATABASE_URL, SECRET_KEY])

  assert.deepEqual(problems({ ...files, SECRET_KEY }), [
    'SECRET_KEY and SECRET_KEY_FILE are both set: remove one of them',
  ])
  assert.deepEqual(problems({ ...files, SECRET_KEY: '' }), [], 'an empty variable counts as unset')
  const missing = problems({ ...files, SECRET_KEY_FILE: join(folder, 'missing') })
  assert.match(missing.join(), /^SECRET_KEY_FILE cannot be read: ENOENT.*missing'$/)
  assert.match(problems({ METRICS_TOKEN_FILE: folder }).join(), /^METRICS_TOKEN_FILE cannot be read: EISDIR/)
  assert.match(problems({ METRICS_TOKEN_FILE: await file('empty', '\n') }).join(), /^METRICS_TOKEN_FILE: .* is empty$/)
  const short = problems({ METRICS_TOKEN_FILE: await file('short', 'too-short') }).join()
  assert.match(short, /^METRICS_TOKEN /)
  assert.doesNotMatch(short, /too-short/)
})
