import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultScript } from '../../../../simulator/carrier/behaviours.ts'
import { readWav } from '../../../providers/speech/wav.ts'
import { ok, startTestApp } from '../../../testing/app.ts'
import { createReceptionist, ended, place } from '../../../testing/calls.ts'
import { eventTypesOf } from '../../../testing/events-of.ts'
import { wordErrors } from '../../../testing/word-errors.ts'

/** Behavior of the simulator's magic numbers. All calls run concurrently, because their audio runs in real time. */
const app = await startTestApp()
await app.listen()
const acme = await app.organization()
const agent_id = await createReceptionist(acme)
const call = async (to_number: string, metadata: object = {}, by = agent_id) => {
  const placed = ok(await place(acme, { agent_id: by, to_number, metadata }), 201)
  return placed.id as string
}

const welcome =
  'Hello, this is the front desk. We are open from nine to five, from Monday to Friday, and we like to talk.'
const talkative = await createReceptionist(acme, { welcome })
const talks = await call('+12025550110')
const { body: running } = await acme.call('GET', `calls/${talks}`)
const ids = {
  talks,
  noAnswer: await call('+12025550111'),
  busy: await call('+12025550112'),
  machine: await call('+12025550113'),
  hangsUp: await call('+12025550114'),
  interrupts: await call('+12025550115', { caller_script: ['Goodbye.'] }, talkative),
  vanishes: await call('+12025550116', { caller_script: ['Hello.'] }),
}

test('…0110 talks: transcript, recording of both sides, summary, cost, activity, events', async () => {
  assert.deepEqual(
    [running.status, running.transcript, running.summary, running.recording_url, running.cost, running.ended_at],
    ['in-progress', [], '', '', 0, null],
  )
  const done = await ended(acme, ids.talks)
  assert.equal(done.status, 'completed')
  assert.match(done.call_id, /^CA[0-9a-f]{32}$/)
  assert.equal(done.telephony_status, 'completed')
  assert.equal(done.answered_by, 'human')
  assert.equal(done.agent_version, 1)
  const said = (speaker: string) =>
    done.transcript
      .filter((segment: { speaker: string }) => segment.speaker === speaker)
      .map(({ text }: { text: string }) => text)
  assert.equal(said('agent')[0], 'Hello, this is the front desk.')
  const errors = wordErrors(defaultScript.join(' '), said('caller').join(' '))
  assert.ok(errors < 0.1, `${errors}: ${said('caller')}`)
  assert.match(said('agent').join(' '), /nine to five/)
  for (const segment of done.transcript) assert.equal(typeof segment.timestamp, 'number')
  assert.notEqual(done.summary, '')
  assert.ok(done.duration_seconds >= 4, String(done.duration_seconds))
  const { telephony, transcription, voice, llm } = done.cost_breakdown
  assert.ok(telephony > 0 && transcription > 0 && voice > 0)
  assert.equal(done.cost, Math.round((telephony + transcription + voice + llm) * 1e6) / 1e6)
  assert.ok(done.latency.turns >= 1)
  assert.equal(done.latency.by_turn.length, done.latency.turns)
  for (const { at, total } of done.latency.by_turn) assert.ok(at > 0 && at < done.duration_seconds + 1 && total > 0)
  assert.ok(done.latency.heard.p95 >= done.latency.heard.p50)
  assert.ok(done.latency.by_turn.some(({ heard }: { heard?: number }) => heard !== undefined && heard > 0))
  assert.ok(done.latency.early_starts.used + done.latency.early_starts.discarded >= 0)
  assert.deepEqual(done.analysis.tool_calls, [])
  assert.equal(done.analysis.outcome, 'answered')

  const recording = await app.server.inject({
    url: done.recording_url,
    headers: { authorization: `Bearer ${acme.key}` },
  })
  assert.equal(recording.statusCode, 200)
  assert.equal(recording.headers['content-type'], 'audio/wav')
  const wav = readWav(recording.rawPayload)
  assert.equal(wav?.format.channels, 2)
  const loud = (channel: number) => wav?.data.filter((byte, i) => i % 2 === channel && (byte & 0x7f) < 0x40).length ?? 0
  assert.ok(loud(0) > 1000, 'the caller is on the left')
  assert.ok(loud(1) > 1000, 'the agent is on the right')

  const { body: timeline } = await acme.call('GET', `contacts/${done.contact_id}/activities?type=call_logged`)
  assert.equal(timeline.total, 1)
  assert.equal(timeline.activities[0].payload.call_log_id, ids.talks)
  assert.deepEqual([timeline.activities[0].actor_type, timeline.activities[0].actor_id], ['ai', agent_id])
  assert.deepEqual(await eventTypesOf(acme.call, ids.talks), ['call.started', 'call.ended', 'call.analyzed'])
})

test('…0111 does not answer', async () => {
  const done = await ended(acme, ids.noAnswer)
  assert.deepEqual([done.status, done.ended_reason, done.duration_seconds], ['no-answer', 'no_answer', 0])
  assert.equal(done.recording_url, '')
  assert.deepEqual(await eventTypesOf(acme.call, ids.noAnswer), ['call.ended', 'call.analyzed'])
})

test('…0112 is busy', async () => {
  const done = await ended(acme, ids.busy)
  assert.deepEqual([done.status, done.telephony_status, done.analysis.outcome], ['busy', 'busy', 'not_reached'])
})

test('…0113 is an answering machine: the agent hangs up and the call is completed', async () => {
  const done = await ended(acme, ids.machine)
  assert.deepEqual([done.status, done.ended_reason, done.answered_by], ['completed', 'voicemail', 'machine_start'])
  assert.equal(done.analysis.outcome, 'voicemail')
  assert.match(done.summary, /^A voicemail greeting answered, and the agent (hung up|spoke to it)\.$/)
  assert.ok(done.duration_seconds >= 1, 'audio was connected, however briefly')
})

test('…0114 hangs up', async () => {
  const done = await ended(acme, ids.hangsUp)
  assert.deepEqual([done.status, done.ended_reason], ['completed', 'caller_hung_up'])
  const summary =
    done.transcript.length === 0
      ? 'The person who was called hung up before the agent spoke.'
      : 'The agent spoke. The person who was called said nothing.'
  assert.equal(done.summary, summary)
})

test('…0115 interrupts: the transcript has only the part of the agent’s text that was played', async () => {
  const done = await ended(acme, ids.interrupts)
  assert.equal(done.status, 'completed')
  const [greeting, interruption, answer, closing] = done.transcript
  assert.ok(welcome.startsWith(greeting.text) && greeting.text.length < welcome.length, greeting.text)
  assert.equal(greeting.interrupted, true)
  assert.deepEqual([interruption.speaker, interruption.scripted_text], ['caller', 'Sorry, may I ask you something?'])
  assert.deepEqual([answer.speaker, answer.text], ['agent', 'Sure.'])
  assert.deepEqual([closing.speaker, closing.scripted_text], ['caller', 'Goodbye.'])
  const cutOff = done.transcript.filter(({ interrupted }: { interrupted?: true }) => interrupted)
  assert.equal(done.analysis.interruptions, cutOff.length)
})

test('…0116 loses its connection, and the call still ends', async () => {
  const done = await ended(acme, ids.vanishes)
  assert.deepEqual([done.status, done.ended_reason], ['completed', 'line_lost'])
})
