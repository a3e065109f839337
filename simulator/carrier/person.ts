import type { Voice, VoiceActivity } from '../../server/providers/speech/contract.ts'
import { type Behaviour, greetingOfMachine, interruption } from './behaviours.ts'
import type { Phone } from './phone.ts'

/** What simulated people speak and listen with. */
export interface PersonSpeech {
  voice: Voice
  plainActivity: VoiceActivity
}

interface PersonOptions {
  phone: Phone
  behaviour: Behaviour
  script: string[]
  speech: PersonSpeech
  /** A person's hesitation, which a fast simulator skips. */
  wait(ms: number): Promise<void>
  random(): number
}

/** A silence of this length after speech means that the agent has finished. */
const silenceAfterSpeechMs = 1_100
/** A called person who hears nothing speaks after this long. */
const silenceAtFirstMs = 8_000
/** A person without an answer continues, or hangs up, after this long. */
const silenceInTheEndMs = 60_000
const interruptsAfterMs = 1_200
const callerVoice = 'rms'
const frameMs = 20
const encoding = 'mulaw-8000'

/** Talks as the number's behaviour says, and resolves when the person is done with the call. */
export async function talk({ phone, behaviour, script, speech, wait, random }: PersonOptions): Promise<void> {
  const speechInput = await listen(phone, speech.plainActivity)
  let isOver = false
  void phone.over.then(() => {
    isOver = true
  })
  const say = async (text: string) => {
    const keys = /^\[keys: ([0-9*#]+)\]$/.exec(text)
    if (keys) return phone.press(keys[1] as string)
    // Synthesized before it is announced, so that the announcement and the sound leave together.
    const audio = await spoken(text, speech.voice)
    phone.tellScript(text)
    await phone.say(audio)
  }
  try {
    if (behaviour.answers === 'machine') return await beMachine(phone, speech.voice)
    if (behaviour.hangsUpAfterMs !== undefined) {
      await Promise.race([wait(behaviour.hangsUpAfterMs), phone.over])
      return
    }
    // Ready before it is needed, so that an interruption comes at once.
    let interrupting = behaviour.interrupts ? await spoken(interruption, speech.voice) : undefined
    const untilTurn = async (atMostMs: number) => {
      if (interrupting && (await speechInput.untilSpeechOrQuiet(interruptsAfterMs, atMostMs)) === 'speech') {
        phone.tellScript(interruption)
        await phone.say(interrupting)
        interrupting = undefined
        // An answer is expected from here on: earlier speech does not count.
        speechInput.forget()
        return speechInput.untilQuiet(silenceInTheEndMs)
      }
      await speechInput.untilQuiet(atMostMs)
    }
    for (const [i, line] of script.entries()) {
      await untilTurn(i === 0 ? silenceAtFirstMs : silenceInTheEndMs)
      await wait(200 + random() * 400)
      if (isOver) return
      speechInput.forget()
      await say(line)
    }
    await untilTurn(silenceInTheEndMs)
  } finally {
    speechInput.close()
  }
}

/** The greeting, the beep, then recording until the other side hangs up. */
async function beMachine(phone: Phone, voice: Voice): Promise<void> {
  phone.tellScript(greetingOfMachine)
  await phone.say(await spoken(greetingOfMachine, voice))
  await phone.say(tone())
  const longEnough = Promise.withResolvers<void>()
  const timer = setTimeout(longEnough.resolve, 30_000)
  await Promise.race([phone.over, longEnough.promise])
  clearTimeout(timer)
}

async function spoken(text: string, voice: Voice): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  const signal = AbortSignal.timeout(30_000)
  for await (const piece of voice.speak(text, { encoding, voice: callerVoice, language: 'en-US', signal }))
    pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Half a second of 1 kHz: at eight samples per period, these are its mu-law bytes. */
function tone(): Uint8Array {
  const period = [0xff, 0x9e, 0x98, 0x9e, 0xff, 0x1e, 0x18, 0x1e]
  return Uint8Array.from({ length: 4_000 }, (_, i) => period[i % period.length] as number)
}

/** Listens by voice activity alone: when the agent began to speak, and when it finished. */
async function listen(phone: Phone, voiceActivity: VoiceActivity) {
  const detector = await voiceActivity.open(encoding)
  let speechMs = 0
  let quietMs = 0
  let hasSpoken = false
  let isClosed = false
  let check = () => {}
  phone.onHear((frame, isAgent) => {
    if (isClosed) return
    if (isAgent && detector.isSpeech(frame)) {
      speechMs += frameMs
      quietMs = 0
      // A click is no word.
      if (speechMs >= 100) hasSpoken = true
    } else {
      quietMs += frameMs
      if (quietMs > 400) speechMs = 0
    }
    check()
  })
  const until = (condition: () => boolean) =>
    new Promise<void>((resolve) => {
      check = () => {
        if (!isClosed && !condition()) return
        check = () => {}
        resolve()
      }
      check()
    })
  const close = () => {
    if (isClosed) return
    isClosed = true
    detector.close()
    check()
  }
  void phone.over.then(close)
  const isQuiet = (atMostMs: number) => (hasSpoken ? quietMs >= silenceAfterSpeechMs : quietMs >= atMostMs)
  return {
    /** The agent spoke and has finished, or said nothing for this long. */
    untilQuiet: (atMostMs: number) => until(() => isQuiet(atMostMs)),
    /** The agent has been speaking for this long, or fell silent before that. */
    async untilSpeechOrQuiet(speechForMs: number, atMostMs: number): Promise<'speech' | 'quiet'> {
      await until(() => speechMs >= speechForMs || isQuiet(atMostMs))
      return !isClosed && speechMs >= speechForMs ? 'speech' : 'quiet'
    },
    forget() {
      hasSpoken = false
      speechMs = 0
      quietMs = 0
    },
    close,
  }
}
