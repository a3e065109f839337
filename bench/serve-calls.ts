import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { TurnEvent } from '../server/features/agents/answering/turn.ts'
import type { CallMedia, ConversationOutcome } from '../server/features/calls/conversation/contract.ts'
import { runConversation } from '../server/features/calls/conversation/run-conversation.ts'
import { createOfflineSpeech } from '../server/providers/speech/offline.ts'
import { createHummingVoice } from '../server/providers/speech/scripted.ts'
import { startStream } from '../server/providers/telephony/twilio-media-stream.ts'
import { isAudible } from './audible.ts'
import { createMockTranscriber, createMockVoice, mockModel } from './mock-stages.ts'

/**
 * Media sockets of calls without a database. `/echo` is the baseline: parse and return each frame. `/call` is a whole
 * conversation over the carrier's protocol.
 */
const speech = createOfflineSpeech()
const hum = createHummingVoice()
const mockVoice = createMockVoice()
/** Long enough for the agent to speak during the whole measurement. */
const monologue = 'This sentence is spoken again and again. '.repeat(60)
const mockTranscriber = createMockTranscriber('Hello, I would like to know when my parcel arrives.'.split(' '))
const done: TurnEvent = {
  type: 'done',
  text: '',
  usage: { input_tokens: 0, output_tokens: 0, model: 'none' },
  sources: [],
  unanswered: null,
}

export interface Held {
  outcomes: ConversationOutcome[]
  bargeIns: BargeIn[]
}

/** From the caller's first audible frame to the pause of the agent, and to the decision that the caller has the turn. */
interface BargeIn {
  pausedMs: number
  decidedMs: number
}

async function* thanks(): AsyncGenerator<TurnEvent> {
  yield { type: 'text', text: 'Thank you. I have written that down, and somebody will call you.' }
  yield done
}
async function* confirm(): AsyncGenerator<TurnEvent> {
  yield { type: 'text', text: 'Yes.' }
  yield done
}

async function converse(socket: WebSocket, kind: string): Promise<void> {
  const { stream } = await startStream(socket, 10_000)
  const recognised = kind === 'recognised'
  const hosted = kind.startsWith('hosted')
  let [soundAt, pausedAt] = [0, 0]
  const media: CallMedia = {
    ...stream,
    onFrame(listener) {
      stream.onFrame((frame) => {
        if (isAudible(frame)) soundAt ||= performance.now()
        listener(frame)
      })
    },
    clear() {
      pausedAt ||= performance.now()
      stream.clear()
    },
  }
  const outcome = await runConversation(media, {
    agent: {
      welcomeMessage: kind.endsWith('monologue') ? monologue : 'Good morning.',
      language: 'en-US',
      interruptible: true,
      voicemail: 'continue',
    },
    call: { id: 'bench', direction: 'inbound' },
    converse: hosted ? mockModel : recognised ? thanks : confirm,
    voice: hosted ? mockVoice : recognised ? speech.voice : hum,
    voiceName: 'slt',
    transcriber: hosted ? mockTranscriber : recognised ? speech.transcriber : speech.scripted,
    voiceActivity: speech.voiceActivity,
    recordingPath: null,
    transfer: async () => ({ result: 'refused', message: 'There is no carrier' }),
    limits: { maxDurationMs: 600_000, silenceTimeoutMs: 600_000 },
    onEvent(event) {
      if (event.type === 'interruption' && !event.falseAlarm && pausedAt)
        bargeIns.push({ pausedMs: pausedAt - soundAt, decidedMs: performance.now() - soundAt })
    },
    signal: new AbortController().signal,
  })
  outcomes.push(outcome)
}

const outcomes: ConversationOutcome[] = []
const bargeIns: BargeIn[] = []
const sockets = new WebSocketServer({ noServer: true })
const server = createServer((_request, response) =>
  response.end(JSON.stringify({ outcomes: outcomes.splice(0), bargeIns: bargeIns.splice(0) } satisfies Held)),
)
server.on('upgrade', (request, socket, head) =>
  sockets.handleUpgrade(request, socket, head, (opened) => {
    const { pathname, searchParams } = new URL(request.url as string, 'http://local')
    if (pathname === '/call')
      void converse(opened, searchParams.get('kind') ?? 'scripted').catch(() => opened.terminate())
    else
      opened.on('message', (data) => {
        const { event, streamSid, media } = JSON.parse(String(data))
        if (event === 'media') opened.send(JSON.stringify({ event, streamSid, media: { payload: media.payload } }))
      })
  }),
)
server.listen(0, '127.0.0.1', () => console.log(`listening http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.once('SIGTERM', () => void speech.close().then(() => process.exit()))
