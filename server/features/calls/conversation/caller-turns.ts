import { abortable } from '../../../platform/abortable.ts'
import { bytesPerMs, StalledError, type Transcription } from '../../../providers/speech/contract.ts'
import type { CallMedia, ConversationSetup, TranscriptSegment } from './contract.ts'
import type { ConversationReport } from './conversation-report.ts'
import type { Dialogue } from './dialogue.ts'
import type { CallPhrases } from './phrases.ts'
import { createSpeechInput } from './speech-input.ts'
import { endingOf, isEcho } from './turn-rules.ts'

/**
 * Passes the caller's turns to the dialogue: `speech-input.ts` tells where a turn starts, pauses and ends, and the
 * transcriber what was said in it.
 */
interface CallerTurns {
  tick(missed: boolean): void
  /** The caller is speaking, or a turn is being transcribed. */
  isBusy(): boolean
  /** Transcribes what the caller was saying when the call ended. */
  finishLastTurn(): Promise<void>
}

interface CallerTurnsOptions {
  setup: ConversationSetup
  report: ConversationReport
  dialogue: Dialogue
  phrases: CallPhrases
  /** Milliseconds on the call's clock. */
  now(): number
  /** The call is over. */
  signal: AbortSignal
  /** Called for every complete frame, for the recording. */
  onFrame(frame: Uint8Array): void
  /** A turn of the caller was transcribed and passed on, or could not be. */
  onTurnEnd(): void
}

/** A pause of this length ends a turn even if its text seems unfinished. */
const maxPauseMs = 3_000
/** The same where the text may be finished, such as "what I am looking for." */
const maybeOpenPauseMs = 1_500
/** Voiced sound in which the recognizer found no words: the agent asks again. Shorter sounds may be a cough or a door. */
const unclearTurnMs = 1_200

export async function followCallerTurns(media: CallMedia, options: CallerTurnsOptions): Promise<CallerTurns> {
  const { setup, report, dialogue, phrases, now, signal } = options
  const { agent, transcriber, voiceActivity, limits } = setup
  const speed = setup.call.speed ?? 1
  /** What was recognized of the current turn so far, and when it started, in seconds since the start of the call. */
  let partialText = ''
  let startedAt = 0
  /** What the agent says from the start of the caller's turn, which may come back as echo. */
  let agentSaid = () => ''
  /** Turns and parts of turns whose transcripts have not arrived. */
  let transcribing = 0
  /** Settles when the last turn, and the last part of a long turn, has reached the dialogue. */
  let lastTurn: Promise<void> = Promise.resolve()
  let lastPart: Promise<void> = Promise.resolve()
  /** Transcripts of pauses that have not arrived. */
  let transcribingPause = 0
  /** What a simulated caller said since the last turn. */
  const script: string[] = []
  let hasScript = false
  media.onScript?.((text) => {
    hasScript = true
    script.push(text)
  })

  const transcription = metered(
    transcriber.open({
      encoding: media.encoding,
      language: agent.language,
      keyTerms: setup.keyTerms,
      ...(agent.detectsLanguage && { onLanguage: phrases.callerSpeaks }),
      signal,
      onPartial(text) {
        partialText = text
        dialogue.callerPartial(text, input.voicedMs())
      },
    }),
    (bytes) => {
      report.usage.transcriber.audioSeconds += bytes / bytesPerMs[media.encoding] / 1000
    },
  )

  const detector = await voiceActivity.open(media.encoding)

  /**
   * The text of a turn: recognized, scripted, or recognized with the script alongside. For a simulated caller, the
   * script also replaces a failed recognition.
   */
  async function textOfTurn(timestamp: number, finishSignal: AbortSignal): Promise<TranscriptSegment | undefined> {
    const scripted = script.splice(0).join(' ')
    const asScripted = (): TranscriptSegment | undefined =>
      scripted
        ? { speaker: 'caller', text: scripted, timestamp, source: 'scripted', scripted_text: scripted }
        : undefined
    if (transcriber.source === 'scripted') {
      if (!hasScript) throw new Error('Speech recognition is not configured on this server.')
      return asScripted()
    }
    let recognized: string
    try {
      recognized = (await abortable(finishSignal, transcription.finish(finishSignal))).trim()
    } catch (error) {
      // Half a turn is better than none: the agent asks for the rest.
      const half = error instanceof StalledError ? error.heard : ''
      if (signal.aborted || !(scripted || half)) throw error
      report.addFailure('transcriber', error)
      if (scripted) return asScripted()
      recognized = half
    }
    if (!recognized) return undefined
    return {
      speaker: 'caller',
      text: recognized,
      timestamp,
      source: 'recognised',
      recognised_text: recognized,
      ...(scripted && { scripted_text: scripted }),
    }
  }

  /** Transcribes a turn whose last speech was `pausedMs` ago and passes it to the dialogue. */
  async function endTurn(pausedMs: number, voicedMs: number): Promise<void> {
    const endpointedAt = performance.now()
    const speechEndedAt = Math.round(now() - pausedMs) / 1000
    // Another turn may start before the transcript of this one arrives.
    const [timestamp, agentSaidOver] = [startedAt, agentSaid]
    partialText = ''
    transcribing++
    const timeLimit = AbortSignal.timeout(limits.transcriberTimeoutMs ?? 8_000)
    try {
      const heard = await textOfTurn(timestamp, AbortSignal.any([signal, timeLimit]))
      const segment = heard && !isEcho(heard.text, agentSaidOver()) ? heard : undefined
      if (segment) report.addSegment(segment)
      const timing = {
        at: speechEndedAt,
        voicedMs,
        spokeUntil: endpointedAt - pausedMs / speed,
        endpointedAt,
        transcribedAt: performance.now(),
      }
      const wasUnclear = !heard && transcriber.source !== 'scripted' && voicedMs >= unclearTurnMs
      await lastPart
      dialogue.callerTurn(segment?.text ?? '', timing, wasUnclear)
    } catch (error) {
      if (signal.aborted) return
      report.addFailure('transcriber', timeLimit.aborted ? new Error('The transcriber took too long.') : error)
      dialogue.transcriberFailed()
    } finally {
      transcribing--
      options.onTurnEnd()
    }
  }

  /** Transcribes a part of a long turn. Parts reach the dialogue in the order in which they were spoken. */
  async function endPart(): Promise<void> {
    const [timestamp, agentSaidOver, before] = [startedAt, agentSaid, lastPart]
    partialText = ''
    transcribing++
    const timeLimit = AbortSignal.timeout(limits.transcriberTimeoutMs ?? 8_000)
    try {
      const segment = await textOfTurn(timestamp, AbortSignal.any([signal, timeLimit]))
      await before
      if (!segment || isEcho(segment.text, agentSaidOver())) return
      report.addSegment(segment)
      dialogue.callerGoesOn(segment.text)
    } catch (error) {
      // The agent does not apologize while the caller speaks. The end of the turn fails, too, if the recognizer is down.
      if (!signal.aborted) report.addFailure('transcriber', error)
    } finally {
      transcribing--
    }
  }

  const min = agent.endpointingMs ?? 500
  const endpointingMs = { min, max: Math.max(maxPauseMs, min) }

  function requiredPauseMs(): number {
    // Ending the turn before the transcript of the pause is there gains nothing: the turn would wait for it anyway.
    if (transcribingPause > 0) return endpointingMs.max
    const ending = endingOf(partialText, phrases.language())
    return ending === 'open' ? endpointingMs.max : ending === 'maybe_open' ? Math.max(min, maybeOpenPauseMs) : min
  }

  const input = createSpeechInput({
    encoding: media.encoding,
    detector,
    transcription,
    endpointingMs,
    requiredPauseMs,
    isAgentSpeaking: () => dialogue.isSpeaking(),
    onFrame: options.onFrame,
    onSpeechStart() {
      startedAt = report.seconds()
      partialText = ''
      agentSaid = dialogue.callerStarted()
    },
    onSpeech(detectedMs) {
      const voicedMs = detectedMs - (detector.overhangMs ?? 0)
      if (dialogue.callerSpeech(partialText, voicedMs, detectedMs)) input.learnPause()
    },
    onPause(isPaused) {
      dialogue.callerSilent()
      const transcript = transcription.pause()
      if (!transcript) return
      transcribingPause++
      transcript
        .then(
          (text) => {
            if (!isPaused()) return
            partialText = text
            if (!isEcho(text, agentSaid())) dialogue.callerPaused(text.trim(), input.voicedMs())
          },
          // `finish` reports the error.
          () => {},
        )
        .finally(() => transcribingPause--)
    },
    onPartEnd() {
      lastPart = endPart()
    },
    onTurnEnd(pausedMs, voicedMs) {
      lastTurn = endTurn(pausedMs, voicedMs)
    },
    onNoise: dialogue.callerMadeNoise,
  })
  media.onFrame((frame) => input.receive(frame))

  signal.addEventListener('abort', () => {
    input.close()
    transcription.close()
  })
  return {
    tick: (missed) => input.tick(missed),
    isBusy: () => transcribing > 0 || input.isSpeaking(),
    async finishLastTurn() {
      if (input.isSpeaking()) lastTurn = Promise.all([lastTurn, endTurn(0, input.voicedMs())]).then(() => {})
      await lastTurn
    },
  }
}

/** The transcription, with the bytes written to it counted. */
function metered(transcription: Transcription, count: (bytes: number) => void): Transcription {
  return {
    ...transcription,
    write(frame) {
      count(frame.length)
      transcription.write(frame)
    },
  }
}
