import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWav } from '../../../providers/speech/wav.ts'
import { startTestApp } from '../../../testing/app.ts'
import { createReceptionist, ended, place, untilCall } from '../../../testing/calls.ts'
import { environmentOf, startProcess, temporaryFolder, until } from '../../../testing/process.ts'

/** Places the calls but does not listen, so the carrier connects to the other process, which holds them. */
const app = await startTestApp({ settings: { CALLS_PER_ORGANIZATION: 1 } })
const environment = environmentOf(app)

test('killing the process that holds a call loses neither transcript nor recording, and frees the slot', async () => {
  const folder = await temporaryFolder()
  const holder = await startProcess(folder, { ...environment, ROLE: 'api' })
  const org = await app.organization()
  const agent_id = await createReceptionist(org)
  const caller_script = ['Hello. What are your opening hours?', 'And on Sunday?', 'And on Monday?', 'Thank you.']
  const { body } = await place(org, { agent_id, to_number: '+14155550142', metadata: { caller_script } })
  const { body: waiting } = await place(org, { agent_id, to_number: '+14155550112' })
  await until(async () => (await org.call('GET', `calls/${body.id}/transcript`)).body.segments.length >= 3)
  assert.equal((await org.call('GET', `calls/${waiting.id}`)).body.telephony_status, 'queued')
  await holder.stop('SIGKILL')

  const lost = await ended(org, body.id)
  assert.deepEqual([lost.status, lost.ended_reason], ['failed', 'worker_lost'])
  assert.equal(lost.transcript[0].text, 'Hello, this is the front desk.')
  assert.match(lost.transcript[1].text, /opening hours/i)
  const { body: timeline } = await org.call('GET', `contacts/${lost.contact_id}/activities?type=call_logged`)
  assert.equal(timeline.total, 1)

  const successor = await app.node({ DATA_DIR: folder, ROLE: 'api' })
  const url = await successor.listen()
  assert.equal((await ended(org, waiting.id)).status, 'busy')
  const kept = await untilCall(org, body.id, ({ recording_url }) => recording_url !== '')
  const recording = await fetch(url + kept.recording_url, {
    headers: { authorization: `Bearer ${org.key}` },
  })
  assert.equal(recording.status, 200)
  const wav = readWav(Buffer.from(await recording.arrayBuffer()))
  const seconds = (wav?.data.length ?? 0) / 2 / 8000
  const saidUntil = lost.transcript.at(-1).timestamp
  assert.ok(seconds >= saidUntil - 1, `${seconds} s are recorded, the last words began at ${saidUntil} s`)
})
