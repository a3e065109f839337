import type { Encoding, Transcriber, Voice, VoiceActivity } from '../../../providers/speech/contract.ts'
import type { Turn, TurnEvent } from '../../agents/turn.ts'

/**
 * The far end of a call, whatever carries it: a carrier's media stream or a browser's socket. A frame is 20 ms of audio
 * in the line's encoding, without a header (160 bytes of mu-law, 640 bytes of PCM16 little-endian); frames of other
 * lengths are cut and joined. Each `on…` takes one listener, and what came before it was given is not lost: call them
 * at once after the line is up.
 */
export interface CallMedia {
  readonly encoding: Encoding
  onFrame(listener: (frame: Uint8Array) => void): void
  onDigit(listener: (digit: string) => void): void
  /** A mark comes back when all audio sent before it was played, and also when `clear` threw that audio away. */
  onMark(listener: (name: string) => void): void
  /** The far end hung up (`hung_up`) or its connection was lost (`lost`). Called once. */
  onClose(listener: (why: 'hung_up' | 'lost') => void): void
  /** The carrier found that a machine answered; `beep` when it also heard that the greeting is over. */
  onMachine?(listener: (result: { beep: boolean }) => void): void
  /** Only a simulated caller has a script: the words it begins to say now. */
  onScript?(listener: (text: string) => void): void
  /** Queued by the far end and played in real time. None of these throws, also after the line was closed. */
  send(frame: Uint8Array): void
  mark(name: string): void
  /** Throws away what was sent and not played. */
  clear(): void
  hangUp(): void
}

/** The agents' verb with everything filled in that stays the same throughout the call: scope, agent, contact, variables. */
export type CallConverse = (turn: {
  /** Oldest first; the agent's side holds only what was really played. */
  history: Turn[]
  /** What the caller said now, or which keys were pressed: `[keys: 12#]`. */
  heard: string
  /** Aborted when the caller interrupts, when it takes too long, and when the call ends. */
  signal: AbortSignal
}) => AsyncIterable<TurnEvent>

export interface ConversationSetup {
  agent: AgentOnCall
  /** `speed` compresses the time of a simulated call; 1 where people talk. */
  call: { id: string; direction: 'inbound' | 'outbound'; speed?: number }
  converse: CallConverse
  voice: Voice
  /** The provider's own name of the voice, from voices.ts. */
  voiceName: string
  transcriber: Transcriber
  voiceActivity: VoiceActivity
  /** Where the recording is written while the call runs; null: not recorded. */
  recordingPath: string | null
  limits: ConversationLimits
  /** Called as things happen, never concurrently; what it throws is ignored. */
  onEvent(event: ConversationEvent): void
  /** Aborting ends the call: with `ended_by_request`, or with the reason if that is an `EndedReason`. */
  signal: AbortSignal
}

export interface AgentOnCall {
  /** With its variables filled in; empty: the agent waits for the caller to begin. */
  welcomeMessage: string
  language: string
  endpointingMs?: number
  interruptible: boolean
  voicemail: 'hangup' | 'leave_message' | 'continue'
  /** Left on a machine; the welcome message where it is missing. */
  voicemailMessage?: string
  /** Said when a stage fails for the first time. */
  fallbackPhrase?: string
  /** Said when it fails again, before the call ends or, with a number, is transferred there. */
  givingUp?: { say: string; transferTo?: string }
  /** Said before hanging up because nobody spoke, or because the time is over. */
  closingPhrase?: string
}

export interface ConversationLimits {
  maxDurationMs: number
  /** How long nobody speaks before the call is ended. */
  silenceTimeoutMs: number
  /** From the end of the caller's turn to the model's first words; each later pause of the model likewise. */
  modelTimeoutMs?: number
  transcriberTimeoutMs?: number
  /** From a sentence to its first audio. */
  voiceTimeoutMs?: number
}

export type EndedReason =
  | 'caller_hung_up'
  | 'agent_ended'
  | 'ended_by_request'
  | 'handed_off'
  /** The line is left open for the carrier to connect elsewhere. */
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
  /** A stage failed and the fallback phrase stood in for it. */
  | { type: 'stage.failed'; at: number; stage: Stage; message: string }
  | { type: 'session.ended'; at: number; reason: EndedReason }

export type Stage = 'transcriber' | 'model' | 'voice'

/** What was said, by whom, when: `timestamp` in seconds from the start. The agent's text is only what was played. */
export interface TranscriptSegment {
  speaker: 'agent' | 'caller'
  text: string
  timestamp: number
  /** Where the caller's text comes from; the agent's is known. */
  source?: 'recognised' | 'scripted' | 'keys'
  /** What the recogniser heard, and what a simulated caller was to say, where each is known. */
  recognised_text?: string
  scripted_text?: string
  /** The agent was cut off here. */
  interrupted?: true
}

export interface TurnLatency {
  /** Seconds from the start, when the caller stopped speaking. */
  at: number
  /** Waited to be sure that the caller had finished. */
  endpointingMs: number
  /** From there to the final text. */
  transcriberMs: number
  /** From there to the model's first words. */
  modelMs: number
  /** From its first sentence to the first audio. */
  voiceMs: number
  /** From the end of the caller's speech to the first audio sent. */
  totalMs: number
}

export interface ConversationUsage {
  transcriber: { provider: string; model: string; audioSeconds: number }
  model: { inputTokens: number; outputTokens: number; turns: number; model?: string }
  voice: { provider: string; model: string; characters: number; audioSeconds: number }
}

/** A tool that the agent used, and what came of it. `at` in seconds from the start. */
export interface UsedTool {
  name: string
  arguments: Record<string, unknown>
  result: string
  isError: boolean
  at: number
}

export interface Outcome {
  endedReason: EndedReason
  /** From the first to the last moment of the line. */
  durationMs: number
  transcript: TranscriptSegment[]
  usage: ConversationUsage
  latency: TurnLatency[]
  tools: UsedTool[]
  recording: { file: string; durationMs: number } | null
  /** Where to, if the reason is `transferred`. */
  transferTo?: string
  /** Why, if the reason is `handed_off`, as the agent put it. */
  handoffReason?: string
  /** A stage failed twice in a row and the caller was told what happens next, however the call then ended. */
  gaveUp?: true
  /** What failed, without secrets, if anything did. */
  failures: { stage: Stage; message: string; at: number }[]
}

/** Talks until the call is over; never rejects. */
export type RunConversation = (media: CallMedia, setup: ConversationSetup) => Promise<Outcome>
