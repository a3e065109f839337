import { loadFlite } from '../providers/speech/flite.ts'
import { encodeMulaw } from '../providers/speech/mulaw.ts'
import { resample } from '../providers/speech/resample.ts'
import { numbersFrom } from './seeded-numbers.ts'

/**
 * A fixed set of caller sounds for scoring turn-taking: turns with pauses, interruptions, and sounds that interrupt
 * nothing, in four voices, at several rates, on good and bad lines, and with a second person talking. It is made here instead of stored: the same
 * version of the voices and the same seed make the same samples.
 */
export interface RecordedSound {
  name: string
  text: string
  /** Mu-law, 8 kHz. */
  audio: Buffer
  /** What the caller said before, from which the level of the caller's voice is known. */
  before?: Buffer
}

const rate = 8_000
const voices = ['rms', 'slt', 'awb', 'kal']
/** Peak of the caller's speech. */
const peak = 12_000

/** `|400|` is a pause in milliseconds. Pauses of more than 450 ms follow words after which a sentence cannot end. */
const turns = [
  'Hello, |350| I have a question about my invoice.',
  'I would like to |900| change the date of my appointment.',
  'Can you tell me |400| when you open on Sunday?',
  'My parcel was damaged |300| when it arrived yesterday.',
  'I want to cancel my order and |800| get my money back.',
  'Is there a doctor |420| who can see me this afternoon?',
  'The delivery |250| should have come |350| on Monday.',
  'I am looking for |1100| the opening hours of the museum.',
  'Yes, |300| that is right.',
  'What does it cost?',
]

const interruptions = [
  'Excuse me, I only want to know the price of a stamp.',
  'Wait, that is not what I asked for.',
  'Can I talk to a real person, please?',
  'No, I meant the other order.',
  'I have already done that twice.',
  'Stop. Please listen to me.',
]

const backChannels = [
  ...[
    'Um hum.',
    'Uh huh.',
    'Okay.',
    'Right.',
    'Yeah.',
    'I see.',
    'Sure.',
    'Got it.',
    'Oh really.',
    'Yes.',
    'All right.',
  ],
  'Very good.',
]

/** What the caller says before, if the level of the caller's voice is to be known. */
const question = 'Hello, I have a question about my invoice.'

/** Said by a second person, who is not on the call: at other tables, on television, to a child. */
const crossTalk = [
  'The weather will be fine tomorrow and the day after that, they said on the radio.',
  'Did you put the milk back into the fridge, or is it still in the car?',
  'I told her that we would be there at seven, and she was not happy about it.',
  'No, not that one. Give me the blue one over there, please.',
]
/** How far the second person is below the caller, in dB: across a table, and across a room. */
const crossTalkDb = [18, 24]

interface LineOptions {
  afterMs?: number
  speed?: number
  /** The lines to choose from; by default those without cross-talk. */
  on?: Line[]
  /** The caller has spoken before, on the same line. */
  hasSpoken?: boolean
}

type Line = {
  name: string
  /** Of the second person, who is not the caller. */
  voice?: string
  add(samples: Float64Array, loudness: number): void
  loses?: number
}

const steady = (share: number, sound: (i: number) => number) => (samples: Float64Array, loudness: number) => {
  for (const i of samples.keys()) (samples[i] as number) += share * loudness * sound(i)
}

export async function recordTurns() {
  const flite = await loadFlite()
  const below = numbersFrom(21)
  const random = () => below(2 ** 20) / 2 ** 20

  function say(text: string, voice: string, speed = 1): Float64Array {
    const { samples, sampleRate } = flite.speak(text, voice)
    const narrow = resample(samples, Math.round((sampleRate * speed) / 100) * 100, rate)
    const loudest = narrow.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1)
    return Float64Array.from(narrow, (sample) => (sample * peak) / loudest)
  }
  const otherVoice = say(crossTalk[0] as string, 'kal')
  const rmsOf = (samples: Float64Array) => Math.sqrt(samples.reduce((sum, s) => sum + s * s, 0) / samples.length)

  const lines: Line[] = [
    { name: 'clean', add() {} },
    { name: 'white noise, 20 dB', add: steady(0.173, () => 2 * random() - 1) },
    { name: 'mains hum, 15 dB', add: steady(0.25, (i) => Math.sin((2 * Math.PI * 100 * i) / rate)) },
    { name: '3 % of the frames lost', add() {}, loses: 0.03 },
    {
      name: 'another person, 26 dB below',
      add: steady(0.05, (i) => (otherVoice[i % otherVoice.length] as number) / 2_000),
    },
  ]

  /** Lines on which a second person goes on talking behind the caller, one for each voice and distance. */
  const crossTalkLines = crossTalkDb.flatMap((db) =>
    voices.map((voice, i): Line => {
      const talk = withoutSilence(say(crossTalk[i] as string, voice))
      const share = 10 ** (-db / 20) / rmsOf(talk)
      return {
        name: `${voice} talks ${db} dB below`,
        voice,
        add: steady(share, (at) => talk[at % talk.length] as number),
      }
    }),
  )

  /** The sound on a line, with background before and after it. */
  function onLine(pieces: Float64Array[], line: Line, { afterMs = 3_500 }: LineOptions = {}): Buffer {
    const spoken = concat([new Float64Array(300 * 8), ...pieces, new Float64Array(afterMs * 8)])
    line.add(spoken, rmsOf(concat(pieces)))
    if (line.loses)
      for (let at = 0; at < spoken.length; at += 160) if (random() < line.loses) spoken.fill(0, at, at + 160)
    return Buffer.from(encodeMulaw(Int16Array.from(spoken, (s) => Math.max(-32_000, Math.min(32_000, s)))))
  }

  const record = (texts: string[], copies: number, options: LineOptions = {}): RecordedSound[] =>
    Array.from({ length: copies }, (_, copy) => copy).flatMap((copy) =>
      texts.map((text, i) => {
        const chosen = options.on ?? lines
        const line = chosen[(i + 2 * copy) % chosen.length] as Line
        const shift = line.voice === voices[(i + copy) % voices.length] ? 1 : 0
        const voice = voices[(i + copy + shift) % voices.length] as string
        const speed = (options.speed ?? 1) * ([1, 0.9, 1.1][(i + copy) % 3] as number)
        const pieces = text
          .split('|')
          .map((part) => (/^\d+$/.test(part) ? new Float64Array(Number(part) * 8) : say(part.trim(), voice, speed)))
        return {
          name: `${voice} × ${speed.toFixed(2)}, ${line.name}: ${text}`,
          text: text.replaceAll(/\|\d+\|\s*/g, ''),
          audio: onLine(pieces.map(withoutSilence), line, options),
          ...(options.hasSpoken && { before: onLine([withoutSilence(say(question, voice))], line, { afterMs: 100 }) }),
        }
      }),
    )

  const burst = (ms: number, sound: (i: number) => number) =>
    Float64Array.from({ length: ms * 8 }, (_, i) => 8_000 * sound(i) * Math.sin((Math.PI * i) / (ms * 8)))
  const noises = [
    ['a cough', burst(250, () => 2 * random() - 1)],
    ['a door', burst(80, () => 2 * random() - 1)],
    ['a truck', burst(1_500, (i) => Math.sin((2 * Math.PI * 70 * i) / rate) + 0.2 * random())],
    [
      'a key tone',
      burst(300, (i) => Math.sin((2 * Math.PI * 770 * i) / rate) + Math.sin((2 * Math.PI * 1336 * i) / rate)),
    ],
  ] as const

  /** The second person alone talks while the agent speaks, after a turn of the caller. */
  const overheard = crossTalkDb.flatMap((db) =>
    crossTalk.flatMap((text, i) =>
      [1, 2].map((other): RecordedSound => {
        const voice = voices[i % voices.length] as string
        const callerVoice = voices[(i + other) % voices.length] as string
        const turn = withoutSilence(say(question, callerVoice))
        const talk = withoutSilence(say(text, voice))
        const share = (10 ** (-db / 20) * rmsOf(turn)) / rmsOf(talk)
        const clean = lines[0] as Line
        return {
          name: `${voice} ${db} dB below ${callerVoice}: ${text}`,
          text: '',
          audio: onLine([talk.map((sample) => share * sample)], clean, { afterMs: 1_500 }),
          before: onLine([turn], clean, { afterMs: 100 }),
        }
      }),
    ),
  )

  return {
    turns: record(turns, 4),
    interruptions: record(interruptions, 4, { afterMs: 500 }),
    crossTalk: {
      turns: record(turns, 4, { on: crossTalkLines }),
      interruptions: record(interruptions, 4, { afterMs: 500, on: crossTalkLines, hasSpoken: true }),
      harmless: overheard,
    },
    harmless: [
      // The voices read them like sentences; people say them faster.
      ...record(backChannels, 4, { afterMs: 1_500, speed: 1.15 }),
      ...noises.map(([name, sound]) => ({
        name,
        text: '',
        audio: onLine([sound], lines[0] as Line, { afterMs: 1_500 }),
      })),
    ],
  }
}

function concat(pieces: Float64Array[]): Float64Array {
  const all = new Float64Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

/** The voices put silence around what they say, which would lengthen the pauses. A pause itself stays. */
function withoutSilence(samples: Float64Array): Float64Array {
  const isLoud = (sample: number) => Math.abs(sample) > 200
  const first = samples.findIndex(isLoud)
  return first < 0 ? samples : samples.slice(first, samples.findLastIndex(isLoud) + 1)
}
