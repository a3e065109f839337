import { setTimeout as sleep } from 'node:timers/promises'
import { closingLimitMs } from './answering.ts'
import { startCallClock } from './call-clock.ts'
import { createCallVoice } from './call-voice.ts'
import { followCallerTurns } from './caller-turns.ts'
import type { CallMedia, ConversationOutcome, ConversationSetup, EndedReason } from './contract.ts'
import { createReport } from './conversation-report.ts'
import { createDialogue } from './dialogue.ts'
import { measureHeardLatency } from './heard-latency.ts'
import { createJitterBuffer } from './jitter-buffer.ts'
import { createKeyPad } from './keys.ts'
import { createCallPhrases } from './phrases.ts'
import type { RequestedAction, RequestedTransfer } from './read-answer.ts'
import { type Recorder, startRecording } from './recording.ts'
import { createSilenceWatch } from './silence-watch.ts'
import { createSpeechOutput } from './speech-output.ts'

/** Capacity of the jitter buffer of the recording: 200 ms. */
const jitterFrames = 10
/** Silence written at once before a recording: 10 s, a third of what the recording may keep in memory. */
const maxLeadTicks = 500
/** The message is left after this time even if the machine's greeting has not ended. */
const maxGreetingMs = 30_000
/** An answering machine that has been silent for this long is recording. */
const machineSilenceMs = 2_000
/** How long transcribing the caller's last turn may delay the end of the call. */
const lastTurnTimeoutMs = 3_000

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

/**
 * Runs one conversation until the call ends. Never rejects.
 *
 * The life of a turn: frames of the caller's audio arrive at `caller-turns.ts`. `speech-input.ts` detects where speech
 * starts and where the turn ends (endpointing), and the transcriber turns it into text. The dialogue has `answering.ts`
 * ask the agent for an answer, `read-answer.ts` cuts its text into sentences as they arrive, and `speech-output.ts`
 * synthesizes and sends them. The far end returns marks for what it has played; only that becomes part of the transcript
 * and of the history. If the caller speaks meanwhile (barge-in), the dialogue pauses the output, then cuts or resumes it.
 *
 * The call's clock ticks every 20 ms. Each tick sends one frame of the speech output, records both sides and checks the
 * limits. `end` may be called several times; the first reason wins.
 *
 * Files, in reading order:
 *   contract.ts           what a conversation gets, emits and returns
 *   caller-turns.ts       the caller's side: speech-input.ts, caller-level.ts (caller or background), keys.ts
 *   dialogue.ts           who speaks: turn-rules.ts, turn-words.ts
 *   answering.ts          what the agent says: early-answer.ts, read-answer.ts, sentences.ts, phrases.ts, utterances.ts
 *   speech-output.ts      saying it: call-voice.ts, spoken/ (numbers and signs as words), played-text.ts
 *   conversation-report.ts, turn-timing.ts, heard-latency.ts, recording.ts, jitter-buffer.ts: what is kept of the call
 *   call-clock.ts, silence-watch.ts: time
 */
export async function runConversation(media: CallMedia, setup: ConversationSetup): Promise<ConversationOutcome> {
  const { agent, limits, signal } = setup
  const { promise: ended, resolve } = Promise.withResolvers<{
    reason: EndedReason
    requestedAction: RequestedAction | undefined
  }>()
  const end = (reason: EndedReason, requestedAction?: RequestedAction) => resolve({ reason, requestedAction })
  /** The clock runs before the conversation starts and after its end; `onTick` does something in between. */
  let ticksBeforeStart = 0
  let onTick: (missed: boolean, now: number) => void = () => {
    ticksBeforeStart++
  }
  const clock = startCallClock((missed, now) => onTick(missed, now), { speed: setup.call.speed ?? 1 })
  const report = createReport(setup, clock.now)
  const phrases = createCallPhrases(agent)
  const callOver = new AbortController()
  /** Set once the far end has closed the media connection. */
  let closedAs: EndedReason | undefined
  let isTransferring = false
  let failedTransfer: ConversationOutcome['failedTransfer']
  let transferReason = ''
  let recorder: Recorder | undefined

  media.onClose((why) => {
    closedAs = why === 'hung_up' ? 'caller_hung_up' : 'line_lost'
    // A carrier that transfers the call closes the connection, sometimes before it answers the request.
    if (!isTransferring) end(closedAs)
  })
  const stopOnRequest = () => end(endedReasons.has(signal.reason) ? signal.reason : 'ended_by_request')
  if (signal.aborted) stopOnRequest()
  signal.addEventListener('abort', stopOnRequest, { once: true })

  const output = createSpeechOutput({
    media,
    speak: createCallVoice(setup, { phrases, encoding: media.encoding }),
    timeoutMs: limits.voiceTimeoutMs ?? 8_000,
    onFirstAudio: () => dialogue.agentStarted(),
    onDone: () => dialogue.agentFinished(),
    onError: (error) => dialogue.voiceFailed(error),
    onSynthesized(characters, audioMs) {
      report.usage.voice.characters += characters
      report.usage.voice.audioSeconds += audioMs / 1000
      dialogue.voiceSucceeded()
    },
  })
  const dialogue = createDialogue({ setup, report, output, phrases, now: clock.now, end, transfer })
  media.onMark((name) => output.markReturned(name))

  /** How the call ends once the agent has said its last words. */
  let closingAs: EndedReason | undefined
  /** Says last words, then ends the call. The first call wins. */
  function sayAndEnd(text: string, reason: EndedReason): void {
    if (closingAs) return
    closingAs = reason
    dialogue.ignoreCaller()
    dialogue.say(text, () => end(reason))
    setTimeout(() => end(reason), closingLimitMs(text, limits)).unref()
  }

  function transfer(requested: RequestedTransfer): void {
    // A second request means that the voice failed while the agent spoke about the first.
    if (failedTransfer) end(untransferred())
    else if (!isTransferring) void transferOrEnd(requested)
  }

  /** Asks the carrier to connect the caller. If it does not, the agent says what happens instead, and the call ends. */
  async function transferOrEnd(requested: RequestedTransfer): Promise<void> {
    isTransferring = true
    dialogue.ignoreCaller()
    const { to, reason } = requested
    const notTaken = { text: phrases.get('handoff'), language: phrases.language() }
    const answer = await setup.transfer({ to, reason, notTaken })
    isTransferring = false
    if (answer.result === 'accepted') return end('transferred')
    failedTransfer = answer
    transferReason = reason
    if (closedAs) end(closedAs)
    else sayAndEnd(phrases.notTransferred(), untransferred())
  }

  /** How the call ends if the carrier did not accept the transfer. */
  const untransferred = () => (dialogue.hasGivenUp() ? 'failed' : 'handed_off')

  /**
   * When a machine answered, if a message is to be left once its greeting has ended: at the carrier's beep, at the end of
   * its turn, or after enough silence or time.
   */
  let machineSince: number | undefined
  const hasGreetingEnded = (now: number, isSpeaking: boolean) =>
    machineSince !== undefined && now - machineSince >= (isSpeaking ? maxGreetingMs : machineSilenceMs)
  const leaveMessage = () => sayAndEnd(phrases.voicemail(), 'voicemail')
  media.onMachine?.(({ beep }) => {
    if (machineSince === undefined) report.emit({ type: 'voicemail' })
    if (agent.voicemail === 'continue') return
    if (agent.voicemail === 'hangup') end('voicemail')
    else if (beep) leaveMessage()
    else if (machineSince === undefined) {
      machineSince = clock.now()
      dialogue.close()
    }
  })

  const keyPad = createKeyPad(clock.now, (digits) => {
    report.emit({ type: 'digits', digits })
    report.addSegment({ speaker: 'caller', text: digits, timestamp: report.seconds(), source: 'keys' })
    dialogue.callerTurn(`[keys: ${digits}]`)
  })
  media.onDigit((digit) => keyPad.press(digit))

  try {
    const jitter = createJitterBuffer(jitterFrames)
    const [callerTurns, recording, heardLatency] = await Promise.all([
      followCallerTurns(media, {
        setup,
        report,
        dialogue,
        phrases,
        now: clock.now,
        signal: callOver.signal,
        onFrame: (frame) => jitter.push(frame),
        onTurnEnd() {
          if (machineSince !== undefined) leaveMessage()
        },
      }),
      setup.recordingPath ? startRecording(setup.recordingPath, media.encoding).catch(() => undefined) : undefined,
      setup.recordingPath ? measureHeardLatency(media.encoding) : undefined,
    ])
    recorder = recording
    // The recording starts with the call's clock, as the times of the transcript do.
    for (let tick = 0; tick < Math.min(ticksBeforeStart, maxLeadTicks); tick++) recorder?.write(undefined, undefined)
    const silence = createSilenceWatch(limits, clock.now())
    onTick = (missed, now) => {
      const [heard, said] = [jitter.pull(), missed ? undefined : output.tick()]
      recorder?.write(heard, said)
      heardLatency?.write(heard, said, report.latency.at(-1))
      callerTurns.tick(missed)
      keyPad.tick(now)
      const isSilent = !callerTurns.isBusy() && (!output.isBusy() || dialogue.isReminding())
      // During a transfer, the carrier's answer decides how the call ends.
      const due = silence.tick(now, isSilent && !isTransferring)
      if (isTransferring) return
      // A long message to an answering machine does not delay the end.
      if (closingAs === 'voicemail' && now >= limits.maxDurationMs) end('voicemail')
      else if (now >= limits.maxDurationMs) sayAndEnd(phrases.get('closing'), 'max_duration')
      else if (hasGreetingEnded(now, callerTurns.isBusy())) leaveMessage()
      else if (due === 'end') sayAndEnd(phrases.get('closing'), 'silence')
      else if (due === 'remind' && machineSince === undefined && !closingAs) dialogue.remind()
    }
    report.emit({ type: 'session.started' })
    if (agent.welcomeMessage) dialogue.welcome(agent.welcomeMessage)

    const { reason, requestedAction } = await ended
    const durationMs = Math.round(clock.now())
    onTick = () => {}
    dialogue.close()
    await Promise.race([callerTurns.finishLastTurn(), sleep(lastTurnTimeoutMs, undefined, { ref: false })])
    return await conclude(reason, requestedAction, durationMs)
  } catch (error) {
    // Unexpected errors, such as a voice detector that fails to open; the dialogue handles failures of the stages.
    report.addFailure('transcriber', error)
    return await conclude('failed', undefined, Math.round(clock.now()))
  }

  async function conclude(
    reason: EndedReason,
    requestedAction: RequestedAction | undefined,
    durationMs: number,
  ): Promise<ConversationOutcome> {
    signal.removeEventListener('abort', stopOnRequest)
    clock.stop()
    callOver.abort(new Error('The call is over.'))
    if (!closedAs && reason !== 'transferred') media.hangUp()
    const recording = (await recorder?.finish().catch(() => null)) ?? null
    report.emit({ type: 'session.ended', reason })
    return {
      endedReason: reason,
      durationMs,
      transcript: report.transcript.sort((a, b) => a.timestamp - b.timestamp),
      usage: report.usage,
      latency: report.latency,
      earlyStarts: report.earlyStarts,
      tools: report.tools,
      unanswered: report.unanswered,
      recording,
      failures: report.failures,
      ...(failedTransfer && { failedTransfer, handoffReason: transferReason }),
      ...(requestedAction?.type === 'handoff' && { handoffReason: requestedAction.reason }),
      ...(dialogue.hasGivenUp() && { gaveUp: true as const }),
    }
  }
}
