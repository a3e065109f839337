import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silence } from '../../../providers/speech/audio.ts'
import { encodeMulaw } from '../../../providers/speech/mulaw.ts'
import { until } from '../../../testing/process.ts'
import { startCallClock } from './call-clock.ts'
import type { TurnLatency } from './contract.ts'
import { measureHeardLatency } from './heard-latency.ts'
import { createJitterBuffer } from './jitter-buffer.ts'
import { playedText } from './played-text.ts'
import { createSentenceCutter } from './sentences.ts'
import { createSpeechInput } from './speech-input.ts'
import { signsToWords } from './spoken/signs-to-words.ts'

const cut = (text: string, size: number): string[] => {
  const cutter = createSentenceCutter()
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += size) pieces.push(...cutter.push(text.slice(at, at + size)))
  return [...pieces, ...cutter.flush()]
}

test('text is split into sentences, whatever the size of the streamed pieces', () => {
  const text = 'Good morning, Dr. Smith. It costs 3.50 today! Really? Yes… e.g. here. **Bold** [link](http://x) last'
  const expected = [
    'Good morning, Dr. Smith.',
    'It costs 3.50 today!',
    'Really?',
    'Yes…',
    'e.g. here.',
    'Bold link last',
  ]
  for (const size of [1, 3, 7, 1000]) assert.deepEqual(cut(text, size), expected)
  assert.deepEqual(cut('_Write_ to __ada_lovelace@example.com__, ~now~ # please', 9), [
    'Write to ada_lovelace@example.com , now please',
  ])
  assert.deepEqual(cut('Line one\nLine two', 4), ['Line one', 'Line two'])
  assert.deepEqual(cut('好的。谢谢！', 1), ['好的。', '谢谢！'])
  assert.deepEqual(cut('   \n ** ', 2), [])
  const [first] = cut('Well, this first sentence is rather long and has a comma, after which it goes on and on.', 5)
  assert.equal(first, 'Well, this first sentence is rather long and has a comma,')
})

test('a partly played sentence keeps too few words rather than too many', () => {
  const text = 'one two three four five'
  assert.equal(playedText(text, 1000, 1000), text)
  assert.equal(playedText(text, 999, 1000), 'one two three')
  assert.equal(playedText(text, 500, 1000), 'one')
  assert.equal(playedText(text, 0, 1000), '')
  assert.equal(playedText(text, 0, 0), '')
  const written = 'Call +12025550142 or write to us.'
  const spoken = signsToWords(written, 'en', false)
  assert.equal(playedText(written, 500, 1000, [], spoken), 'Call', 'half of what is said is within the number')
  assert.equal(playedText(written, 900, 1000, [], spoken), 'Call +12025550142 or')
})

test('with the times of its words, a sentence is cut at the last one that was heard', () => {
  const text = 'Well, one moment please.'
  const words = [
    { end: 5, endMs: 700 },
    { end: 9, endMs: 800 },
    { end: 16, endMs: 900 },
  ]
  assert.equal(playedText(text, 699, 2000, words), '')
  assert.equal(playedText(text, 700, 2000, words), 'Well,')
  assert.equal(playedText(text, 880, 2000, words), 'Well, one')
  // The last word has no time yet.
  assert.equal(playedText(text, 1900, 2000, words), 'Well, one moment')
  assert.equal(playedText(text, 2000, 2000, words), text)
  // A clock that jumps back or far ahead adds no word that was not heard.
  const skewed = [
    { end: 5, endMs: 700 },
    { end: 9, endMs: 90_000 },
    { end: 16, endMs: 10 },
  ]
  assert.equal(playedText(text, 1000, 2000, skewed), 'Well,')
  assert.equal(playedText(text, 600, 2000, skewed), '')
})

test('the jitter buffer drops the oldest frame', () => {
  const buffer = createJitterBuffer(2)
  for (const byte of [1, 2, 3]) buffer.push(Uint8Array.of(byte))
  assert.deepEqual([buffer.pull()?.[0], buffer.pull()?.[0], buffer.pull()], [2, 3, undefined])
})

test('the call clock follows real time and reports ticks lost in a stall as missed', async () => {
  const ticks: boolean[] = []
  let lastAt = 0
  const clock = startCallClock((missed, now) => {
    ticks.push(missed)
    lastAt = now
  })
  const other = startCallClock(() => {
    throw new Error('a call of its own')
  })
  await until(async () => ticks.length >= 10)
  const before = ticks.length
  const until300 = performance.now() + 300
  while (performance.now() < until300);
  await until(async () => ticks.length > before + 14)
  clock.stop()
  other.stop()
  const count = ticks.length
  assert.ok(ticks.filter(Boolean).length >= 10, 'most ticks of a stall of 300 ms are missed')
  // No tick was due at the last one that had not been made.
  assert.ok(lastAt > count * 20 - 1 && lastAt < count * 20 + 21, `${count} ticks in ${lastAt} ms`)
  await new Promise((resolve) => setTimeout(resolve, 50))
  assert.equal(ticks.length, count)
})

test('the heard latency is measured between the sounds of both tracks, once per answer', async () => {
  const meter = await measureHeardLatency('mulaw-8000')
  const tone = encodeMulaw(Int16Array.from({ length: 160 }, (_, i) => 8_000 * Math.sin(i)))
  const quiet = new Uint8Array(160).fill(0xff)
  const turns = [1, 2].map((at) => ({ at, endpointingMs: 0, transcriberMs: 0, modelMs: 0, voiceMs: 0, totalMs: 0 }))
  const [first, second] = turns as [TurnLatency, TurnLatency]
  const write = (ms: number, caller: Uint8Array | undefined, agent: Uint8Array | undefined, turn?: TurnLatency) => {
    for (let t = 0; t < ms; t += 20) meter.write(caller, agent, turn)
  }
  write(500, quiet, tone)
  write(1_000, tone, undefined)
  write(600, quiet, undefined)
  write(80, quiet, quiet, first)
  write(900, undefined, tone, first)
  assert.equal(first.heardMs, 680, 'including the silence at the start of the agent’s audio')
  write(400, tone, tone, first)
  write(100, quiet, tone, first)
  assert.equal(first.heardMs, 680)
  write(400, tone, undefined, first)
  write(300, undefined, undefined, first)
  write(20, undefined, tone, second)
  assert.equal(second.heardMs, 300)
})

test('speech input detects where turns start, pause and end', () => {
  const log: string[] = []
  const speechByte = 7
  const input = createSpeechInput({
    encoding: 'mulaw-8000',
    detector: { isSpeech: (frame) => frame[0] === speechByte, close() {} },
    transcription: {
      write: (frame) => log.push(frame[0] === speechByte ? 'v' : '-'),
      pause: () => undefined,
      finish: async () => '',
      discard: () => log.push('discard'),
      close() {},
    },
    endpointingMs: { min: 500, max: 3000 },
    requiredPauseMs: () => (soFar ? 3000 : 500),
    isAgentSpeaking: () => false,
    onFrame() {},
    onSpeechStart: () => log.push('start'),
    onSpeech() {},
    onPause: () => log.push('pause'),
    onPartEnd: () => log.push('part'),
    onTurnEnd(pausedMs, ofMs) {
      log.push(`end ${pausedMs}`)
      voicedMs = ofMs
    },
    onNoise: () => log.push('noise'),
  })
  let soFar = ''
  let voicedMs = 0
  const feed = (byte: number, ms: number) => {
    for (let t = 0; t < ms; t += 20) {
      input.receive(new Uint8Array(160).fill(byte))
      input.tick()
    }
  }
  const quiet = silence('mulaw-8000')[0] as number
  feed(quiet, 1000)
  feed(speechByte, 400)
  feed(quiet, 300)
  feed(speechByte, 400)
  feed(quiet, 700)
  const events = log.filter((entry) => entry.length > 1)
  assert.deepEqual(events, ['start', 'pause', 'pause', 'end 500'])
  assert.equal(voicedMs, 800)
  // Written: 300 ms of pre-roll, the first pause in full because the turn continued, and the start of the last pause.
  assert.deepEqual(
    [log.filter((entry) => entry === '-').length, log.filter((entry) => entry === 'v').length],
    [12 + 15 + 10, 40],
  )
  log.length = 0
  feed(speechByte, 60)
  feed(quiet, 400)
  assert.deepEqual(
    log.filter((entry) => entry.length > 1),
    ['start', 'discard', 'noise'],
  )
  // A caller who was cut off gets longer pauses, which fade with each turn.
  log.length = 0
  feed(speechByte, 400)
  feed(quiet, 800)
  feed(speechByte, 400)
  input.learnPause()
  feed(quiet, 1_100)
  feed(speechByte, 400)
  feed(quiet, 1_100)
  assert.deepEqual(
    log.filter((entry) => entry.startsWith('end')),
    ['end 500', 'end 1060', 'end 960'],
  )
  for (let turn = 0; turn < 12; turn++) {
    feed(speechByte, 400)
    feed(quiet, 1_100)
  }
  assert.equal(log.at(-1), 'end 540')
  log.length = 0
  soFar = 'I would like to'
  feed(speechByte, 400)
  feed(quiet, 3_100)
  assert.deepEqual(
    log.filter((entry) => entry.length > 1),
    ['start', 'pause', 'end 3000'],
  )
  log.length = 0
  soFar = ''
  feed(speechByte, 31_000)
  assert.deepEqual(
    log.filter((entry) => entry.length > 1),
    ['start', 'part', 'start'],
    'after 30 s, the turn goes on',
  )
  // Without frames, ticks count as silence, but not those that were missed in a stall.
  for (let i = 0; i < 60; i++) input.tick(true)
  assert.ok(!log.includes('end 520'))
  for (let i = 0; i < 60; i++) input.tick()
  assert.ok(log.includes('end 520'))
  // A caller who stops at the end of a part, and one who coughs after it.
  log.length = 0
  feed(speechByte, 30_000)
  feed(quiet, 600)
  feed(speechByte, 30_000)
  feed(quiet, 200)
  feed(speechByte, 60)
  feed(quiet, 600)
  assert.deepEqual(
    log.filter((entry) => entry.length > 1),
    ['start', 'part', 'end 500', 'start', 'part', 'start', 'discard', 'noise', 'end 500'],
  )
})
