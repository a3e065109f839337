import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { callTo } from '../../../testing/call-service.ts'
import { dataFolder, runCommand, startProcess, temporaryFolder, until } from '../../../testing/process.ts'

const key = `svc_sk_test_${'e'.repeat(40)}`
const env = { SECRET_KEY: 'the secret key of the installation that erases', BOOTSTRAP_API_KEY: key }
const [source, target, folder] = [await dataFolder(), await temporaryFolder(), await temporaryFolder()]
const backup = join(folder, 'before.tar.zst')

let contactId = ''
let erasureId = ''

test('an erasure whose worker is killed is completed by the next one, with an exact proof', async () => {
  const first = await startProcess(source, env)
  const call = callTo(first.url, key)
  contactId = (await call('POST', 'contacts', { phone_number: '+12025557001', name: 'Zebulon Quux' })).body.id
  for (let n = 0; n < 20; n++)
    await call('POST', `contacts/${contactId}/activities`, { type: 'note_added', payload: { note: `Zebulon ${n}` } })
  const made = await runCommand(['backup', '--to', backup], { ...env, DATA_DIR: source })
  assert.equal(made.code, 0, made.stderr)
  const asked = await call('POST', `contacts/${contactId}/erase`)
  await first.stop('SIGKILL')
  assert.equal(asked.status, 202)
  erasureId = asked.body.id

  const second = await startProcess(source, env)
  const again = callTo(second.url, key)
  let erasure = asked.body
  await until(async () => {
    erasure = (await again('GET', `privacy/erasures/${erasureId}`)).body
    return erasure.state === 'completed'
  })
  const { contacts, activities, events } = erasure.counts
  assert.deepEqual({ contacts, activities, events }, { contacts: 1, activities: 21, events: 21 })
  assert.equal((await again('GET', `contacts/${contactId}`)).status, 404)
  assert.equal(await second.stop(), 0)
})

test('a restore of an older backup erases again what the list names, before the service starts', async () => {
  const list = join(folder, 'erasures.jsonl')
  const listed = await runCommand(['erasures', '--to', list], { ...env, DATA_DIR: source })
  assert.equal(listed.code, 0, listed.stderr)
  const [line] = (await readFile(list, 'utf8')).trim().split('\n')
  const { id, contact_id, digests } = JSON.parse(line as string)
  assert.deepEqual([id, contact_id, digests.length], [erasureId, contactId, 1])
  assert.doesNotMatch(line as string, /Zebulon|2025557001/)

  const broken = join(folder, 'broken.jsonl')
  await writeFile(broken, `${line}\nnothing\n`)
  const refused = await runCommand(['restore', backup, '--into', target, '--erasures', broken], env)
  assert.deepEqual([refused.code, /line 2 of the list of erasures/.test(refused.stderr)], [1, true], refused.stderr)

  const restored = await runCommand(['restore', backup, '--into', target, '--erasures', list], env)
  assert.equal(restored.code, 0, restored.stderr)
  assert.match(restored.stderr, /Replayed 1 erasure\./)
  const running = await startProcess(target, { ...env, ROLE: 'api' })
  const call = callTo(running.url, key)
  assert.equal((await call('GET', `contacts/${contactId}`)).status, 404)
  assert.doesNotMatch(JSON.stringify((await call('GET', 'events?limit=100')).body), /Zebulon|2025557001/)
  const proof = (await call('GET', `privacy/erasures/${erasureId}`)).body
  assert.deepEqual([proof.state, proof.counts.activities, proof.requested_by_type], ['completed', 21, 'system'])
  assert.equal(await running.stop(), 0)
})
