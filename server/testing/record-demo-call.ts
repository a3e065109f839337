import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CallConverse } from '../features/calls/conversation/contract.ts'
import { createOfflineSpeech } from '../providers/speech/offline.ts'
import { done, startCall } from './conversations-by-voice.ts'
import { until } from './process.ts'

/**
 * Records the demo call of `files/demo-call.wav` with its transcript: a question, a back-channel and an interruption,
 * spoken by the local voices and heard by the local recognizer. Run it on a quiet machine:
 * `npx node server/testing/record-demo-call.ts`.
 */
const folder = join(import.meta.dirname, 'files')
const speech = createOfflineSpeech({ processes: 2 })
const lines = {
  question: 'Hello, what are your opening hours on Sunday?',
  backChannel: 'Uh huh.',
  interruption: 'Excuse me, can I talk to a real person?',
}
const answers = [
  'On Sunday we are open from ten to six. The last tour starts at five, and tickets cost twelve dollars at the door.',
  'Of course. A colleague will call you back. Goodbye.',
]
const converse: CallConverse = async function* ({ heard }) {
  const isLast = /person/i.test(heard)
  yield { type: 'text', text: answers[isLast ? 1 : 0] as string }
  if (isLast) yield { type: 'end_call', reason: 'asked for a person' }
  yield done()
}
const speak = async (text: string) => {
  const options = { encoding: 'mulaw-8000' as const, voice: 'rms', language: 'en', signal: AbortSignal.timeout(60_000) }
  return Buffer.concat(await Array.fromAsync(speech.voice.speak(text, options)))
}
const [question, backChannel, interruption] = await Promise.all(Object.values(lines).map(speak))
// The first recognition loads the model, which would be the latency of the first turn.
const signal = AbortSignal.timeout(60_000)
const warmUp = speech.transcriber.open({ encoding: 'mulaw-8000', language: 'en', onPartial() {}, signal })
warmUp.write(question as Buffer)
await warmUp.finish(signal)
warmUp.close()

const one = startCall(speech, converse, {
  recordingPath: join(folder, 'demo-call.wav'),
  agent: { welcomeMessage: 'Good morning, this is the city museum. How can I help you?' },
})
/** Waits for this much more time on the call. */
const later = async (ms: number) => {
  const from = one.far.now()
  await until(async () => one.far.now() >= from + ms)
}
await one.saw('agent.speech_stopped')
await later(400)
await one.far.say(question as Buffer)
await one.saw('agent.speech_started', 2)
await later(1_200)
await one.far.say(backChannel as Buffer)
await later(1_600)
await one.far.say(interruption as Buffer)
const { transcript, latency, endedReason, recording } = await one.outcome
await speech.close()
const heard = latency.map(({ at, totalMs, heardMs }) => ({ at, totalMs, heardMs }))
const described = { lines, endedReason, durationMs: recording?.durationMs, transcript, latency: heard }
await writeFile(join(folder, 'demo-call.json'), `${JSON.stringify(described, undefined, 2)}\n`)
console.log(JSON.stringify(described, undefined, 2))
process.exit()
