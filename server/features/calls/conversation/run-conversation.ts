import { setTimeout as sleep } from 'node:timers/promises'
import type { Wish } from './answer.ts'
import type { ConversationSetup, EndedReason, Line, Outcome } from './contract.ts'
import { createDialogue, lastWordsMs } from './dialogue.ts'
import { createJitterBuffer } from './jitter-buffer.ts'
import { createKeyPad } from './keys.ts'
import { startListening } from './listening.ts'
import { createMouth } from './mouth.ts'
import { createNotes } from './notes.ts'
import { startPacer } from './pacer.ts'
import { farewellPhrase } from './phrases.ts'
import { type Recorder, startRecording } from './recording.ts'

/** The far end may be late by this much before the recording shows it. */
const jitterFrames = 10
/** A machine's greeting that goes on for longer is not waited for. */
const greetingMs = 30_000
/** A machine that says nothing for so long is recording already. */
const quietMs = 2_000
/** How long the caller's last words may take to be recognised after the call. */
const recognitionMs = 3_000

const endedReasons: ReadonlySet<unknown> = new Set<EndedReason>([
  'caller_hung_up',
  'agent_ended',
  'ended_by_request',
  'handed_off',
  'transferred',
  'max_duration',
  'silence',
  'voicemail',
  'line_lost',
  'failed',
])

/** Talks until the call is over; never rejects. */
export async function runConversation(line: Line, setup: ConversationSetup): Promise<Outcome> {
  const { agent, limits, voice, signal } = setup
  const { promise: ended, resolve } = Promise.withResolvers<{ reason: EndedReason; wish: Wish | undefined }>()
  const end = (reason: EndedReason, wish?: Wish) => resolve({ reason, wish })
  let onBeat: (missed: boolean, now: number) => void = () => {}
  const pacer = startPacer((missed, now) => onBeat(missed, now), { speed: setup.call.speed ?? 1 })
  const notes = createNotes(setup, pacer.now)
  const over = new AbortController()
  let lineIsOpen = true
  let recorder: Recorder | undefined

  line.onClose((why) => {
    lineIsOpen = false
    end(why === 'hung_up' ? 'caller_hung_up' : 'line_lost')
  })
  const stopOnRequest = () => end(endedReasons.has(signal.reason) ? signal.reason : 'ended_by_request')
  if (signal.aborted) stopOnRequest()
  signal.addEventListener('abort', stopOnRequest, { once: true })

  const mouth = createMouth({
    line,
    speak: (text, speakSignal) =>
      voice.speak(text, {
        encoding: line.encoding,
        voice: setup.voiceName,
        language: agent.language,
        signal: speakSignal,
      }),
    timeoutMs: limits.voiceTimeoutMs ?? 8_000,
    onFirstAudio: () => dialogue.agentBegan(),
    onDone: () => dialogue.agentDone(),
    onFault: (error) => dialogue.voiceFailed(error),
    onMade(characters, audioMs) {
      notes.usage.voice.characters += characters
      notes.usage.voice.audioSeconds += audioMs / 1000
      dialogue.voiceWorked()
    },
  })
  const dialogue = createDialogue({ setup, notes, mouth, now: pacer.now, end })
  line.onMark((name) => mouth.played(name))

  let closingAt: number | undefined
  function sayAndEnd(text: string, reason: EndedReason): void {
    if (closingAt !== undefined) return
    closingAt = pacer.now()
    dialogue.deafen()
    dialogue.say(text, () => end(reason))
    setTimeout(() => end(reason), lastWordsMs).unref()
  }

  /** A machine's greeting is waited for; the message follows it. */
  let machineSince: number | undefined
  const leaveMessage = () => sayAndEnd(agent.voicemailMessage || agent.welcomeMessage, 'voicemail')
  line.onMachine?.(({ beep }) => {
    if (machineSince === undefined) notes.tell({ type: 'voicemail' })
    if (agent.voicemail === 'continue') return
    if (agent.voicemail === 'hangup') end('voicemail')
    else if (beep) leaveMessage()
    else if (machineSince === undefined) {
      machineSince = pacer.now()
      dialogue.close()
    }
  })

  const keyPad = createKeyPad(pacer.now, (digits) => {
    notes.tell({ type: 'digits', digits })
    notes.segment({ speaker: 'caller', text: digits, timestamp: notes.seconds(), source: 'keys' })
    dialogue.callerSaid(`[keys: ${digits}]`)
  })
  line.onDigit((digit) => keyPad.press(digit))

  try {
    const jitter = createJitterBuffer(jitterFrames)
    const [listening, recording] = await Promise.all([
      startListening(line, {
        setup,
        notes,
        dialogue,
        now: pacer.now,
        signal: over.signal,
        onFrame: (frame) => jitter.push(frame),
        onTurnEnd() {
          if (machineSince !== undefined) leaveMessage()
        },
      }),
      setup.recordingPath ? startRecording(setup.recordingPath, line.encoding).catch(() => undefined) : undefined,
    ])
    recorder = recording
    let activeAt = pacer.now()
    onBeat = (missed, now) => {
      const [heard, said] = [jitter.pull(), missed ? undefined : mouth.beat()]
      recorder?.write(heard, said)
      listening.beat()
      keyPad.beat(now)
      if (mouth.isBusy() || listening.isBusy()) activeAt = now
      if (now >= limits.maxDurationMs) sayAndEnd(farewellPhrase(agent), 'max_duration')
      else if (machineSince !== undefined && now - machineSince >= (listening.isBusy() ? greetingMs : quietMs))
        leaveMessage()
      else if (now - activeAt >= limits.silenceTimeoutMs) sayAndEnd(farewellPhrase(agent), 'silence')
    }
    notes.tell({ type: 'session.started' })
    if (agent.welcomeMessage) dialogue.say(agent.welcomeMessage)

    const { reason, wish } = await ended
    const durationMs = Math.round(pacer.now())
    onBeat = () => {}
    dialogue.close()
    await Promise.race([listening.lastWords(), sleep(recognitionMs, undefined, { ref: false })])
    return await conclude(reason, wish, durationMs)
  } catch (error) {
    // Only a fault of ours leads here: it ends this call and no other.
    notes.fault('transcriber', error)
    return await conclude('failed', undefined, Math.round(pacer.now()))
  }

  async function conclude(reason: EndedReason, wish: Wish | undefined, durationMs: number): Promise<Outcome> {
    signal.removeEventListener('abort', stopOnRequest)
    pacer.stop()
    over.abort(new Error('The call is over.'))
    if (lineIsOpen && reason !== 'transferred') line.hangUp()
    const recording = (await recorder?.finish().catch(() => null)) ?? null
    notes.tell({ type: 'session.ended', reason })
    return {
      endedReason: reason,
      durationMs,
      transcript: notes.transcript.sort((a, b) => a.timestamp - b.timestamp),
      usage: notes.usage,
      latency: notes.latency,
      tools: notes.tools,
      recording,
      failures: notes.failures,
      ...(wish?.type === 'transfer' && { transferTo: wish.to }),
      ...(wish?.type === 'handoff' && { handoffReason: wish.reason }),
      ...(dialogue.hasGivenUp() && { gaveUp: true as const }),
    }
  }
}
