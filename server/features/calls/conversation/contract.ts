import type { TokenUsage } from '../../../providers/llm/token-cost.ts'
import type { Encoding, Transcriber, Voice, VoiceActivity } from '../../../providers/speech/contract.ts'
import type { Turn, TurnEvent, Unanswered } from '../../agents/answering/turn.ts'
import type { Phrases, TurnTaking } from '../../agents/config/speech-settings.ts'

/**
 * The far end of a call: a carrier's media stream or a browser's WebSocket. A frame is 20 ms of audio in the encoding
 * of the media, without a header (160 bytes of mu-law or 640 bytes of PCM16 little-endian); the conversation re-frames
 * audio of other lengths. Each `on…` method takes one listener. Events that arrive before the listener is set are
 * buffered, so set all listeners as soon as the connection is open.
 */
export interface CallMedia {
  readonly encoding: Encoding
  onFrame(listener: (frame: Uint8Array) => void): void
  onDigit(listener: (digit: string) => void): void
  /** The far end returns a mark once it has played all audio sent before it, or `clear` has discarded that audio. */
  onMark(listener: (name: string) => void): void
  /** Called once: the far end hung up (`hung_up`) or the connection broke (`lost`). */
  onClose(listener: (why: 'hung_up' | 'lost') => void): void
  /** The carrier detected an answering machine. `beep` is true when the machine's greeting has ended. */
  onMachine?(listener: (result: { beep: boolean }) => void): void
  /** Simulated callers only: called with the text that the caller is about to say. */
  onScript?(listener: (text: string) => void): void
  /** The far end plays queued frames in real time. None of these methods throws, even after the connection closed. */
  send(frame: Uint8Array): void
  mark(name: string): void
  /** Discards audio that was sent but not played yet. */
  clear(): void
  hangUp(): void
}

/** The agents' `converse` with everything bound that is constant during a call: scope, agent, contact, variables. */
export type CallConverse = (turn: {
  /** Oldest first. Agent turns contain only the text that was actually played. */
  history: Turn[]
  /** The transcript of the caller's turn, or the keys that were pressed: `[keys: 12#]`. */
  heard: string
  /** Aborted on barge-in, on timeout and at the end of the call. */
  signal: AbortSignal
}) => AsyncIterable<TurnEvent>

/** A tool that is heard on the call itself: the hold phrase would disturb its tones. */
export const pressKeysName = 'press_keys'

export interface ConversationSetup {
  agent: AgentOnCall
  /** `speed` accelerates the clock of a simulated call; 1 for calls with people. */
  call: { id: string; direction: 'inbound' | 'outbound'; speed?: number }
  converse: CallConverse
  voice: Voice
  /** The provider's id of the voice, from voices.ts. */
  voiceName: string
  transcriber: Transcriber
  /** Names and terms that the caller may say. */
  keyTerms?: string[]
  voiceActivity: VoiceActivity
  /** File that the recording is written to during the call; null when the call is not recorded. */
  recordingPath: string | null
  limits: ConversationLimits
  /** Called for each event, never concurrently. Errors that it throws are ignored. */
  onEvent(event: ConversationEvent): void
  /** Asks the carrier to connect the caller to another number. Never rejects. */
  transfer(wanted: WantedTransfer): Promise<TransferAnswer>
  /** Aborting ends the call with `ended_by_request`, or with the abort reason if that is an `EndedReason`. */
  signal: AbortSignal
}

export interface WantedTransfer {
  to: string
  /** For the person there. */
  reason: string
  /** What the carrier says to the caller if the call is not taken. */
  notTaken: { text: string; language: string }
}

/** With `unknown` the carrier may have transferred the call. If it did, it closes the media connection. */
export type TransferAnswer = { result: 'accepted' } | { result: 'refused' | 'unknown'; message: string }

export interface AgentOnCall {
  /** Variables are already filled in. When empty, the agent waits for the caller to speak first. */
  welcomeMessage: string
  language: string
  /** Whether the recognizer detects the caller's language, and phrases and voice follow it. */
  detectsLanguage?: boolean
  endpointingMs?: number
  interruptible: boolean
  turnTaking?: Partial<TurnTaking>
  voicemail: 'hangup' | 'leave_message' | 'continue'
  /** The agent's own phrases; the others have defaults in the language of the call. */
  phrases?: Partial<Phrases>
  /**
   * What happens when a stage fails a second time in a row: the call is transferred to `transferTo`, or ends. A person
   * calls back if `promisesCallBack`, also when a transfer fails.
   */
  givingUp?: { transferTo?: string; promisesCallBack?: boolean }
}

export interface ConversationLimits {
  maxDurationMs: number
  /** The call ends after this much silence on both sides. The agent's reminders do not count as speech. */
  silenceTimeoutMs: number
  /** The agent asks `count` times whether the caller is still there, each time after `everyMs` of silence. */
  silenceReminders?: { count: number; everyMs: number }
  /** From the end of the caller's turn to the model's first event, and between any two events of the model. */
  modelTimeoutMs?: number
  transcriberTimeoutMs?: number
  /** From sending a sentence to the voice to its first audio, and between any two pieces of audio. */
  voiceTimeoutMs?: number
  /** How long the closing words of a call may take in addition to the time in which the slowest voice speaks them. */
  closingTimeoutMs?: number
  /** The agent says its hold phrase if it has said nothing and a tool runs this long. */
  holdAfterMs?: number
}

export type EndedReason =
  | 'caller_hung_up'
  | 'agent_ended'
  | 'ended_by_request'
  | 'handed_off'
  /** The media connection stays open: the carrier connects the caller to another number. */
  | 'transferred'
  | 'max_duration'
  | 'silence'
  | 'voicemail'
  | 'line_lost'
  /** A stage failed twice in a row. */
  | 'failed'

export type ConversationEvent =
  | { type: 'session.started'; at: number }
  | { type: 'transcript.partial'; at: number; speaker: 'caller'; text: string }
  | { type: 'transcript.final'; at: number; segment: TranscriptSegment }
  | { type: 'agent.speech_started'; at: number }
  | { type: 'agent.speech_stopped'; at: number }
  | { type: 'interruption'; at: number; falseAlarm: boolean }
  | { type: 'digits'; at: number; digits: string }
  | { type: 'tool.call'; at: number; name: string; arguments?: unknown }
  | { type: 'tool.result'; at: number; name: string; ok: boolean; result?: unknown }
  | { type: 'handoff'; at: number; reason?: string }
  | { type: 'voicemail'; at: number }
  /** A stage failed once; the agent says the fallback phrase. */
  | { type: 'stage.failed'; at: number; stage: Stage; message: string }
  /** A provider failed and the next one of the agent's chain took over. The caller notices a delay at most. */
  | { type: 'stage.fallback'; at: number; stage: Stage; from: string; to: string; message: string }
  | { type: 'session.ended'; at: number; reason: EndedReason }

export type Stage = 'transcriber' | 'model' | 'voice'

/** One utterance. `timestamp` is in seconds since the start of the call. The agent's text is only what was played. */
export interface TranscriptSegment {
  speaker: 'agent' | 'caller'
  text: string
  timestamp: number
  /** Where the caller's text comes from. Not set for the agent. */
  source?: 'recognised' | 'scripted' | 'keys'
  /** The recognizer's text and, for a simulated caller, the script. Each is set only if it is known. */
  recognised_text?: string
  scripted_text?: string
  /** Barge-in: the caller interrupted the agent here. */
  interrupted?: true
}

export interface TurnLatency {
  /** When the caller stopped speaking, in seconds since the start of the call. */
  at: number
  /** Endpointing: silence after the last speech until the turn counted as over. */
  endpointingMs: number
  /** From the end of the turn to its final transcript. */
  transcriberMs: number
  /** From the final transcript to the model's first text. */
  modelMs: number
  /** From the first complete sentence to its first audio. */
  voiceMs: number
  /** From the end of the caller's speech to the first audio sent. */
  totalMs: number
  /** How long the search in the knowledge base took, if there was one. It may run during endpointing. */
  retrievalMs?: number
  /** How long tools ran before the first text, if any did. Part of `modelMs`. */
  toolsMs?: number
  /** In the recording: from the end of the caller's sound to the start of the agent's. */
  heardMs?: number
}

/** Answers that the model started at a pause: used if the turn was over, discarded if the caller went on. */
export interface EarlyStarts {
  used: number
  discarded: number
}

export interface ConversationUsage {
  transcriber: { provider: string; model: string; audioSeconds: number }
  model: TokenUsage & { turns: number; model?: string }
  voice: { provider: string; model: string; characters: number; audioSeconds: number }
}

/** One tool call and its result. `at` is in seconds since the start of the call. */
export interface UsedTool {
  name: string
  arguments: Record<string, unknown>
  result: string
  isError: boolean
  at: number
}

export interface ConversationOutcome {
  endedReason: EndedReason
  /** From the start of the conversation until its end was decided. */
  durationMs: number
  transcript: TranscriptSegment[]
  usage: ConversationUsage
  latency: TurnLatency[]
  earlyStarts: EarlyStarts
  tools: UsedTool[]
  unanswered: UnansweredQuestion[]
  recording: { file: string; durationMs: number } | null
  /** The agent's reason for a hand-off, or for a transfer that the carrier did not accept. */
  handoffReason?: string
  /** The carrier was asked for a transfer and did not confirm it. */
  failedTransfer?: Exclude<TransferAnswer, { result: 'accepted' }>
  /** A stage failed twice in a row and the agent gave up. Also set if the caller then hung up first. */
  gaveUp?: true
  /** Every failure of a stage. Messages contain no secrets. */
  failures: { stage: Stage; message: string; at: number }[]
}

/** What the caller asked without getting an answer of the knowledge base. */
export interface UnansweredQuestion {
  question: string
  reason: Unanswered
}

/** Runs one conversation until the call ends. Never rejects. */
export type RunConversation = (media: CallMedia, setup: ConversationSetup) => Promise<ConversationOutcome>
