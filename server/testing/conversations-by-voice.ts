import type { TurnEvent } from '../features/agents/answering/turn.ts'
import type {
  AgentOnCall,
  CallConverse,
  ConversationEvent,
  ConversationLimits,
  ConversationOutcome,
  ConversationSetup,
} from '../features/calls/conversation/contract.ts'
import { runConversation } from '../features/calls/conversation/run-conversation.ts'
import type { OfflineSpeech } from '../providers/speech/offline.ts'
import { createFarEnd, type FarEnd, type FarEndOptions } from './call-media.ts'
import { until } from './process.ts'

interface TestCall {
  far: FarEnd
  events: ConversationEvent[]
  outcome: Promise<ConversationOutcome>
  /** Caller turns passed to the agent. */
  heard: string[]
  /** Resolves once this many events of the type were emitted. */
  saw(type: ConversationEvent['type'], times?: number): Promise<void>
  end: AbortController
}

export type TestSetup = Omit<Partial<ConversationSetup>, 'agent' | 'limits'> & {
  agent?: Partial<AgentOnCall>
  limits?: Partial<ConversationLimits>
}

const usage = { input_tokens: 10, output_tokens: 5, model: 'test' }
export const done = (text = ''): TurnEvent => ({ type: 'done', text, usage, sources: [], unanswered: null })

export const says = (...texts: string[]): CallConverse =>
  async function* () {
    for (const text of texts) yield { type: 'text', text }
    yield done(texts.join(''))
  }

/** Starts a conversation with a far end that the test controls. */
export function startCall(
  speech: OfflineSpeech,
  converse: CallConverse,
  { agent, limits, ...setup }: TestSetup = {},
  farEnd: FarEndOptions = {},
): TestCall {
  const far = createFarEnd(farEnd)
  const events: ConversationEvent[] = []
  const end = new AbortController()
  const heard: string[] = []
  const outcome = runConversation(far.media, {
    call: { id: 'call', direction: 'outbound', speed: farEnd.speed ?? 1 },
    voice: speech.voice,
    voiceName: 'slt',
    transcriber: speech.transcriber,
    voiceActivity: speech.voiceActivity,
    recordingPath: null,
    transfer: async () => ({ result: 'accepted' }),
    onEvent: (event) => events.push(event),
    signal: end.signal,
    ...setup,
    converse(turn) {
      heard.push(turn.heard)
      return converse(turn)
    },
    agent: {
      welcomeMessage: 'Good morning, how can I help you?',
      language: 'en-US',
      interruptible: true,
      voicemail: 'hangup',
      ...agent,
    },
    // Long timeouts: speech is many times slower on a busy machine, and few tests are about timeouts.
    limits: {
      maxDurationMs: 900_000,
      silenceTimeoutMs: 600_000,
      voiceTimeoutMs: 60_000,
      transcriberTimeoutMs: 60_000,
      modelTimeoutMs: 60_000,
      ...limits,
    },
  })
  const saw = (type: ConversationEvent['type'], times = 1) =>
    until(async () => events.filter((event) => event.type === type).length >= times)
  return { far, events, outcome, heard, saw, end }
}

export const textsOf = (speaker: 'agent' | 'caller', { transcript }: ConversationOutcome): string[] =>
  transcript.filter((segment) => segment.speaker === speaker).map(({ text }) => text)
