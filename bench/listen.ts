import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { CallConverse } from '../server/features/calls/conversation/contract.ts'
import { loadFlite } from '../server/providers/speech/flite.ts'
import { decodeMulaw, encodeMulaw } from '../server/providers/speech/mulaw.ts'
import { createOfflineSpeech } from '../server/providers/speech/offline.ts'
import { resample } from '../server/providers/speech/resample.ts'
import { readWav } from '../server/providers/speech/wav.ts'
import { done, startCall } from '../server/testing/conversations-by-voice.ts'

/**
 * Makes three calls with the local speech stack and prints when each side is heard in the stereo recording, beside the
 * transcript. Runs by itself (`npx node bench/listen.ts`). To compare with another commit, copy this file into a
 * checkout of it: the caller's audio is the same, and the caller waits for what can be heard of the agent.
 */
const rate = 8_000
const perMs = rate / 1_000
/** The caller's audio is sent in pieces of this length. */
const pieceMs = 60
const firstTokenMs = 250

interface Line {
  /** `|400|` is a pause in milliseconds. */
  text: string
  /** Milliseconds since the agent's answer began. Without it, the caller waits for the agent's silence. */
  over?: number
}

interface Scene {
  name: string
  /** White noise and a second person, dB below the caller; none without them. */
  noiseDb?: number
  otherDb?: number
  lines: Line[]
}

const scenes: Scene[] = [
  {
    name: '1 · questions on a clean line',
    lines: [
      { text: 'Hello, what are your opening hours on Sunday?' },
      { text: 'And how much is a ticket for two people?' },
      { text: 'Thank you. Goodbye.' },
    ],
  },
  {
    name: '2 · "uh huh", "got it", then an interruption',
    lines: [
      { text: 'Hello, what are your opening hours on Sunday?' },
      { text: 'Uh huh.', over: 1_200 },
      { text: 'Got it.', over: 3_000 },
      { text: 'Excuse me, can I talk to a real person?', over: 5_000 },
    ],
  },
  {
    name: '3 · a caller who hesitates, noise at 20 dB, a second person 24 dB below',
    noiseDb: 20,
    otherDb: 24,
    lines: [
      { text: 'I would like to |900| change the date of my appointment.' },
      { text: 'On Monday |400| at ten in the morning, please.' },
      { text: 'Thank you. Goodbye.' },
    ],
  },
]

const answers: [RegExp, string][] = [
  [/person/i, 'Of course. A colleague will call you back. Goodbye.'],
  [/bye|thank/i, 'Thank you for calling. Goodbye.'],
  [/ticket|how much/i, 'A ticket costs twelve dollars, so two of them cost twenty-four.'],
  [/monday|morning/i, 'Monday at ten is free. I have changed it.'],
  [/appointment|date/i, 'Certainly. Which day suits you best?'],
  [
    /hours|sunday|open/i,
    'On Sunday we are open from ten to six. The last tour starts at five, and tickets cost twelve dollars at the door. Children under six need no ticket, and dogs may come along on a lead.',
  ],
]
const ends = /person|bye|thank/i

const converse: CallConverse = async function* ({ heard, signal }) {
  await wait(firstTokenMs, undefined, { signal })
  const [, answer = 'Could you say that again, please?'] = answers.find(([words]) => words.test(heard)) ?? []
  yield { type: 'text', text: answer }
  if (ends.test(heard)) yield { type: 'end_call', reason: 'done' }
  yield done()
}

const flite = await loadFlite()
const rmsOf = (samples: ArrayLike<number>) =>
  Math.sqrt(Array.from(samples).reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length))

function say(text: string, voice: string): Float64Array {
  const pieces = text.split('|').map((part) => {
    if (/^\d+$/.test(part)) return new Float64Array(Number(part) * perMs)
    const { samples, sampleRate } = flite.speak(part.trim(), voice)
    const narrow = resample(samples, sampleRate, rate)
    const loudest = narrow.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1)
    const level = Float64Array.from(narrow, (sample) => (sample * 12_000) / loudest)
    const isLoud = (sample: number) => Math.abs(sample) > 200
    return level.slice(level.findIndex(isLoud), level.findLastIndex(isLoud) + 1)
  })
  return Float64Array.from(pieces.flatMap((piece) => Array.from(piece)))
}

/** Numbers between -1 and 1, the same in each run. */
function noiseFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  }
}

const speech = createOfflineSpeech({ processes: 2 })
// The first recognition loads the model, which would be the latency of the first turn.
const signal = AbortSignal.timeout(60_000)
const warmUp = speech.transcriber.open({ encoding: 'mulaw-8000', language: 'en', onPartial() {}, signal })
warmUp.write(Buffer.from(encodeMulaw(Int16Array.from(say('Hello, is anybody there?', 'rms')))))
await warmUp.finish(signal)
warmUp.close()

async function play({ name, noiseDb, otherDb, lines }: Scene) {
  const recordingPath = join(tmpdir(), `listen-${process.pid}-${name[0]}.wav`)
  const one = startCall(speech, converse, {
    recordingPath,
    agent: { welcomeMessage: 'Good morning, this is the city museum. How can I help you?' },
  })
  let isOver = false
  const outcome = one.outcome.then((result) => {
    isOver = true
    return result
  })

  const spoken = lines.map(({ text }) => say(text, 'rms'))
  const level = rmsOf(spoken[0] as Float64Array)
  const random = noiseFrom(5)
  const other = say('They said on the radio that it would be fine, and then it rained all day.', 'awb')
  const noiseShare = noiseDb ? (level * Math.sqrt(3)) / 10 ** (noiseDb / 20) : 0
  const otherShare = otherDb ? level / 10 ** (otherDb / 20) / rmsOf(other) : 0
  let sent = 0
  let speaking: { samples: Float64Array; at: number } = { samples: new Float64Array(0), at: 0 }
  const isSpeaking = () => speaking.at < speaking.samples.length
  const nextPiece = () => {
    const samples = Int16Array.from({ length: pieceMs * perMs }, () => {
      const voice = isSpeaking() ? (speaking.samples[speaking.at++] as number) : 0
      return voice + noiseShare * random() + otherShare * (other[sent++ % other.length] as number)
    })
    return Buffer.from(encodeMulaw(samples))
  }
  /** Two of them run, so that one piece is always queued. */
  const stream = async () => {
    while (!isOver) await Promise.race([one.far.say(nextPiece()), outcome])
  }
  void stream()
  void stream()

  const isLoud = (audio: Buffer) => rmsOf(decodeMulaw(audio)) > 60
  /** What was heard of the agent from `from` to `to`, in milliseconds of the call. */
  const heard = (from: number, to: number) => one.far.heard().subarray(Math.max(0, from) * perMs, to * perMs)
  const nowMs = () => one.far.heard().length / perMs
  const until = async (condition: () => boolean, withinMs: number) => {
    const from = nowMs()
    while (!condition() && !isOver && nowMs() - from < withinMs) await wait(10)
    return condition()
  }

  let since = 0
  let answeredAt = 0
  for (const [i, line] of lines.entries()) {
    if (line.over === undefined) {
      await until(() => isLoud(heard(since, nowMs())), 12_000)
      await until(() => nowMs() - since > 700 && !isLoud(heard(nowMs() - 700, nowMs())), 20_000)
    } else {
      if (answeredAt < since)
        await until(() => {
          const loud = isLoud(heard(since, nowMs()))
          if (loud) answeredAt = nowMs()
          return loud
        }, 12_000)
      await until(() => nowMs() >= answeredAt + (line.over as number), 12_000)
    }
    speaking = { samples: spoken[i] as Float64Array, at: 0 }
    await until(() => !isSpeaking(), 30_000)
    if (line.over === undefined) since = nowMs()
  }
  await until(() => isOver, 15_000)
  one.end.abort()
  const { transcript, endedReason } = await outcome
  const data = readWav(await readFile(recordingPath))?.data ?? new Uint8Array(0)
  const samples = decodeMulaw(data)
  const tracks = [0, 1].map((track) => samples.filter((_, at) => at % 2 === track))
  return { transcript, endedReason, tracks }
}

/** Where a track is louder than the limit, in seconds; gaps of less than 350 ms are part of a sound. */
function soundsOf(samples: Int16Array, limit: number): [number, number][] {
  const sounds: [number, number][] = []
  for (let at = 0; at + 160 <= samples.length; at += 160) {
    if (rmsOf(samples.subarray(at, at + 160)) < limit) continue
    const [from, to] = [at / rate, (at + 160) / rate]
    const last = sounds.at(-1)
    if (last && from - last[1] < 0.35) last[1] = to
    else sounds.push([from, to])
  }
  return sounds.filter(([from, to]) => to - from >= 0.06)
}

for (const scene of scenes) {
  const { transcript, endedReason, tracks } = await play(scene)
  const [caller, agent] = tracks as [Int16Array, Int16Array]
  const quiet = scene.noiseDb ? 900 : 150
  console.log(`\n## ${scene.name} (${endedReason})`)
  const events = [
    ...soundsOf(caller, quiet).map((sound) => ({ who: 'caller', sound })),
    ...soundsOf(agent, 150).map((sound) => ({ who: 'agent', sound })),
  ].sort((a, b) => a.sound[0] - b.sound[0])
  for (const { who, sound } of events) {
    // A lowered voice is an eighth as loud.
    const loud = who === 'agent' ? soundsOf(agent, 600).filter(([from]) => from >= sound[0] && from < sound[1]) : []
    const parts =
      loud.length > 1 ? `, loud ${loud.map((each) => each.map((s) => s.toFixed(2)).join('–')).join(' ')}` : ''
    console.log(`  ${sound.map((s) => s.toFixed(2).padStart(6)).join(' – ')} s  ${who}${parts}`)
  }
  for (const { speaker, text, timestamp, interrupted } of transcript)
    console.log(`  ${timestamp.toFixed(2).padStart(6)} s  ${speaker}: ${text}${interrupted ? ' —' : ''}`)
}
await speech.close()
process.exit()
