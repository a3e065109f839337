import { bytesPerMs, type Transcription } from '../../../providers/speech/contract.ts'
import type { ConversationSetup, Line, TranscriptSegment } from './contract.ts'
import type { Dialogue } from './dialogue.ts'
import { createEar } from './ear.ts'
import type { Notes } from './notes.ts'
import { abortable } from './until.ts'

/** From the line's frames to the caller's words. */
export interface Listening {
  beat(): void
  /** Somebody speaks, or what was said is being recognised. */
  isBusy(): boolean
  /** What was being said when the call ended. */
  lastWords(): Promise<void>
}

export interface ListeningOptions {
  setup: ConversationSetup
  notes: Notes
  dialogue: Dialogue
  /** The call's own time. */
  now(): number
  signal: AbortSignal
  onFrame(frame: Uint8Array): void
  onTurnEnd(): void
}

const longestPauseMs = 3_000

export async function startListening(line: Line, options: ListeningOptions): Promise<Listening> {
  const { setup, notes, dialogue, now, signal } = options
  const { agent, transcriber, voiceActivity, limits } = setup
  const speed = setup.call.speed ?? 1
  let soFar = ''
  let startedAt = 0
  let finishing = 0
  const script: string[] = []
  let hasScript = false
  line.onScript?.((text) => {
    hasScript = true
    script.push(text)
  })

  const transcription = metered(
    transcriber.open({
      encoding: line.encoding,
      language: agent.language,
      signal,
      onPartial(text) {
        soFar = text
        dialogue.callerSounds(text)
      },
    }),
    (bytes) => {
      notes.usage.transcriber.audioSeconds += bytes / bytesPerMs[line.encoding] / 1000
    },
  )

  const detector = await voiceActivity.open(line.encoding)

  /** The turn's text from the recogniser, from the script, or both; a script also stands in for a recogniser that fails. */
  async function finish(timestamp: number, finishSignal: AbortSignal): Promise<TranscriptSegment | undefined> {
    const scripted = script.splice(0).join(' ')
    const asScripted = (): TranscriptSegment | undefined =>
      scripted
        ? { speaker: 'caller', text: scripted, timestamp, source: 'scripted', scripted_text: scripted }
        : undefined
    if (transcriber.source === 'scripted') {
      if (!hasScript) throw new Error('Nothing on this installation recognises speech.')
      return asScripted()
    }
    let recognised: string
    try {
      recognised = (await abortable(finishSignal, transcription.finish(finishSignal))).trim()
    } catch (error) {
      if (!scripted || signal.aborted) throw error
      notes.fault('transcriber', error)
      return asScripted()
    }
    if (!recognised) return undefined
    return {
      speaker: 'caller',
      text: recognised,
      timestamp,
      source: 'recognised',
      recognised_text: recognised,
      ...(scripted && { scripted_text: scripted }),
    }
  }

  async function turnEnded(pausedMs: number): Promise<void> {
    const endpointedAt = performance.now()
    const timestamp = startedAt
    soFar = ''
    finishing++
    const timeLimit = AbortSignal.timeout(limits.transcriberTimeoutMs ?? 8_000)
    try {
      const segment = await finish(timestamp, AbortSignal.any([signal, timeLimit]))
      if (segment) notes.segment(segment)
      dialogue.callerSaid(segment?.text ?? '', {
        at: Math.round(now()) / 1000,
        spokeUntil: endpointedAt - pausedMs / speed,
        endpointedAt,
        transcribedAt: performance.now(),
      })
    } catch (error) {
      if (signal.aborted) return
      notes.fault('transcriber', timeLimit.aborted ? new Error('The transcriber took too long.') : error)
      dialogue.apologise()
    } finally {
      finishing--
      options.onTurnEnd()
    }
  }

  let last: Promise<void> = Promise.resolve()
  const ear = createEar({
    encoding: line.encoding,
    detector,
    transcription,
    endpointingMs: { min: agent.endpointingMs ?? 500, max: Math.max(longestPauseMs, agent.endpointingMs ?? 0) },
    heardSoFar: () => soFar,
    onFrame: options.onFrame,
    onSpeechStart() {
      startedAt = notes.seconds()
    },
    onSpeech: (voicedMs) => dialogue.callerSpeaks(voicedMs),
    onTurnEnd(pausedMs) {
      last = turnEnded(pausedMs)
    },
    onNoise: () => dialogue.resume(),
  })
  line.onFrame((frame) => ear.hear(frame))

  signal.addEventListener('abort', () => {
    ear.close()
    transcription.close()
  })
  return {
    beat: () => ear.beat(),
    isBusy: () => finishing > 0 || ear.speakingMs() > 0,
    async lastWords() {
      if (ear.speakingMs() > 0) last = Promise.all([last, turnEnded(0)]).then(() => {})
      await last
    },
  }
}

function metered(transcription: Transcription, count: (bytes: number) => void): Transcription {
  return {
    ...transcription,
    write(frame) {
      count(frame.length)
      transcription.write(frame)
    },
  }
}
