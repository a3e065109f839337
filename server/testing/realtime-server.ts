import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { toPcm16 } from '../providers/speech/audio.ts'
import { encodeMulaw } from '../providers/speech/mulaw.ts'
import { listenLocally } from './listen-locally.ts'

/**
 * What the model does when it is asked next:
 * - `error`: the request is refused with this code.
 * - `fails`: the response ends with this code and without output.
 * - `half`: the connection breaks in the middle of the speech.
 * - `hold`: the speech arrives, and the response stays open until it is cancelled.
 * - `never`: nothing comes.
 */
interface PlannedResponse {
  say?: string
  call?: { name: string; arguments: string }[]
  error?: string
  fails?: string
  half?: true
  hold?: true
  never?: true
}

/** - A status refuses the socket. - `silent`: it opens and says nothing. - `setup`: the settings are refused. */
type SocketFault = { status: number } | 'silent' | 'setup'

interface Item {
  id: string
  type: string
  role?: string
  text?: string
  call_id?: string
  audioMs?: number
}

type Message = Record<string, unknown> & { type: string; event_id?: string }

/** Speech takes this long per character. */
const msPerCharacter = 50

/**
 * A server that speaks OpenAI's Realtime protocol: one session per socket, manual turns, and responses outside of the
 * conversation, which read their input aloud.
 */
export async function startRealtimeServer() {
  const faults: SocketFault[] = []
  /** Transcripts of committed audio, one each; null for a failed one. */
  const texts: (string | null)[] = []
  const plans: PlannedResponse[] = []
  /** For responses outside of the conversation. */
  const phrasePlans: PlannedResponse[] = []
  const sessions: RealtimeTestSession[] = []
  const upgrades = new WebSocketServer({ noServer: true })
  const server = createServer((_request, response) => void response.writeHead(404).end())
  server.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url as string, 'http://local')
    const fault = faults.shift()
    if (typeof fault === 'object') return void socket.end(`HTTP/1.1 ${fault.status} No\r\n\r\n`)
    upgrades.handleUpgrade(request, socket, head, (opened) => {
      const model = url.searchParams.get('model') ?? ''
      sessions.push(serve(opened, { model, key: request.headers.authorization, fault, texts, plans, phrasePlans }))
    })
  })
  const { url } = await listenLocally(server)
  return {
    /** Without the version. */
    url,
    faults,
    texts,
    plans,
    phrasePlans,
    sessions,
  }
}

export interface RealtimeTestSession {
  model: string
  key: string | undefined
  socket: WebSocket
  /** The settings of the client. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
  settings: any
  /** All messages of the client except audio. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  received: any[]
  /** Errors that it sent. */
  errors: string[]
  /** Bytes of audio that the client sent. */
  audioBytes: number
  conversation: Item[]
}

function serve(
  socket: WebSocket,
  options: {
    model: string
    key: string | undefined
    fault: SocketFault | undefined
    texts: (string | null)[]
    plans: PlannedResponse[]
    phrasePlans: PlannedResponse[]
  },
): RealtimeTestSession {
  const { model, key, fault, texts, plans, phrasePlans } = options
  const conversation: Item[] = []
  const session: RealtimeTestSession = {
    model,
    key,
    socket,
    settings: undefined,
    received: [],
    errors: [],
    audioBytes: 0,
    conversation,
  }
  let buffered = 0
  /** The response that is being added to the conversation, with how to cancel it. */
  let active: { id: string; cancel(): void } | undefined
  const newId = (kind: string) => `${kind}_${randomBytes(6).toString('hex')}`
  const send = (type: string, rest: object = {}) =>
    socket.send(JSON.stringify({ type, event_id: newId('event'), ...rest }))
  const refuse = (event: Message, code: string) => {
    session.errors.push(code)
    send('error', {
      error: { type: 'invalid_request_error', code, message: 'No', param: null, event_id: event.event_id },
    })
  }
  const isPhone = () => session.settings?.audio?.output?.format?.type === 'audio/pcmu'
  const bytesPerMs = () => (isPhone() ? 8 : 48)
  const added = (item: Item) => {
    send('conversation.item.added', { item })
    send('conversation.item.done', { item })
  }

  function commit(event: Message) {
    if (buffered < 100 * bytesPerMs()) return refuse(event, 'input_audio_buffer_commit_empty')
    buffered = 0
    const item: Item = { id: newId('item'), type: 'message', role: 'user', text: '' }
    send('input_audio_buffer.committed', { item_id: item.id, previous_item_id: conversation.at(-1)?.id ?? null })
    conversation.push(item)
    added(item)
    const text = texts.shift()
    const about = { item_id: item.id, content_index: 0 }
    if (text === null)
      return send('conversation.item.input_audio_transcription.failed', {
        ...about,
        error: { type: 'server_error', code: 'audio_unintelligible', message: 'No' },
      })
    item.text = text ?? ''
    send('conversation.item.input_audio_transcription.delta', { ...about, delta: item.text })
    send('conversation.item.input_audio_transcription.completed', { ...about, transcript: item.text, usage: {} })
  }

  function create(event: Message) {
    const { id, type, role, call_id, content } = event.item as Item & { content?: { text: string }[] }
    const after = event.previous_item_id
    const index = after === 'root' ? -1 : conversation.findIndex((item) => item.id === after)
    if (after !== undefined && after !== 'root' && index < 0)
      return refuse(event, 'item_create_invalid_previous_item_id')
    const item: Item = {
      id,
      type,
      ...(role && { role }),
      ...(call_id && { call_id }),
      ...(content && { text: content.map(({ text }) => text).join('') }),
    }
    conversation.splice(after === undefined ? conversation.length : index + 1, 0, item)
    added(item)
  }

  function change(event: Message) {
    const index = conversation.findIndex(({ id }) => id === event.item_id)
    const item = conversation[index]
    if (!item) return refuse(event, 'item_not_found')
    if (event.type === 'conversation.item.delete') {
      conversation.splice(index, 1)
      return send('conversation.item.deleted', { item_id: item.id })
    }
    const endMs = Number(event.audio_end_ms)
    if (!(endMs <= (item.audioMs ?? 0))) return refuse(event, 'invalid_value')
    // Its text is removed as well: part of it was not heard.
    conversation[index] = { ...item, audioMs: endMs, text: '' }
    send('conversation.item.truncated', { item_id: item.id, content_index: 0, audio_end_ms: endMs })
  }

  function respond(event: Message) {
    // biome-ignore lint/suspicious/noExplicitAny: whatever the client sends
    const asked = event.response as any
    const isOutside = asked.conversation === 'none'
    if (!isOutside && active) return refuse(event, 'conversation_already_has_active_response')
    const isKnown = (member: string) => ['type', 'name', 'description', 'parameters'].includes(member)
    for (const tool of asked.tools ?? [])
      if (!Object.keys(tool).every(isKnown)) return refuse(event, 'unknown_parameter')
    const heard = [...conversation].reverse().find(({ role }) => role === 'user')?.text
    const planned = (isOutside ? phrasePlans : plans).shift()
    const plan: PlannedResponse = planned ?? { say: isOutside ? asked.input[0].content[0].text : `You said: ${heard}` }
    if (plan.error) return refuse(event, plan.error)
    const response_id = newId('resp')
    const response = { id: response_id, object: 'realtime.response', metadata: asked.metadata, output: [] }
    let audioTokens = 0
    const finish = (status: string, status_details: object | null = null) => {
      if (active?.id === response_id) active = undefined
      const usage = {
        total_tokens: 100 + audioTokens,
        input_tokens: 100,
        output_tokens: audioTokens + 5,
        input_token_details: { audio_tokens: 60, text_tokens: 40 },
        output_token_details: { audio_tokens: audioTokens, text_tokens: 5 },
      }
      send('response.done', { response: { ...response, status, status_details, usage } })
    }
    if (!isOutside) active = { id: response_id, cancel: () => finish('cancelled', { reason: 'client_cancelled' }) }
    send('response.created', { response: { ...response, status: 'in_progress' } })
    if (plan.never) return
    if (plan.fails) return finish('failed', { type: 'failed', error: { type: 'server_error', code: plan.fails } })
    let output_index = 0
    if (plan.say) {
      const item: Item = { id: newId('item'), type: 'message', role: 'assistant', text: plan.say, audioMs: 0 }
      const about = { response_id, item_id: item.id, output_index: output_index++, content_index: 0 }
      send('response.output_item.added', { ...about, item })
      if (!isOutside) conversation.push(item)
      send('response.content_part.added', { ...about, part: { type: 'audio' } })
      const pieces = plan.say.match(/.{1,12}/gs) ?? []
      for (const [i, piece] of pieces.entries()) {
        send('response.output_audio_transcript.delta', { ...about, delta: piece })
        const audio = toneOf(piece.length * msPerCharacter, isPhone())
        if (plan.half && i === Math.floor(pieces.length / 2))
          // Once the first half has left.
          return socket.ping('', false, () => socket.terminate())
        item.audioMs = (item.audioMs ?? 0) + piece.length * msPerCharacter
        audioTokens += piece.length
        send('response.output_audio.delta', { ...about, delta: Buffer.from(audio).toString('base64') })
      }
      if (plan.hold) return
      send('response.output_audio.done', about)
      send('response.output_audio_transcript.done', { ...about, transcript: plan.say })
      send('response.output_item.done', { ...about, item })
    }
    for (const { name, arguments: given } of plan.call ?? []) {
      const item = { id: newId('item'), type: 'function_call', call_id: newId('call'), name, arguments: given }
      const about = { response_id, item_id: item.id, output_index: output_index++ }
      send('response.output_item.added', { ...about, item: { ...item, arguments: '' } })
      conversation.push(item)
      send('response.function_call_arguments.delta', { ...about, call_id: item.call_id, delta: given })
      send('response.function_call_arguments.done', { ...about, call_id: item.call_id, arguments: given })
      send('response.output_item.done', { ...about, item })
    }
    finish('completed')
  }

  socket.on('message', (data) => {
    const event = JSON.parse(String(data)) as Message
    if (event.type === 'input_audio_buffer.append') {
      const { length } = Buffer.from(String(event.audio), 'base64')
      buffered += length
      session.audioBytes += length
      return
    }
    session.received.push(event)
    if (event.type === 'session.update') {
      session.settings = event.session
      if (fault === 'setup') refuse(event, 'invalid_value')
      else send('session.updated', { session: event.session })
    } else if (event.type === 'input_audio_buffer.commit') commit(event)
    else if (event.type === 'input_audio_buffer.clear') {
      buffered = 0
      send('input_audio_buffer.cleared')
    } else if (event.type === 'conversation.item.create') create(event)
    else if (event.type === 'conversation.item.delete' || event.type === 'conversation.item.truncate') change(event)
    else if (event.type === 'response.create') respond(event)
    else if (event.type === 'response.cancel') {
      if (active?.id === event.response_id) active?.cancel()
      else refuse(event, 'response_cancel_not_active')
    }
  })
  if (fault !== 'silent') send('session.created', { session: { type: 'realtime', model } })
  return session
}

function toneOf(ms: number, isPhone: boolean): Uint8Array {
  const rate = isPhone ? 8_000 : 24_000
  const samples = Int16Array.from({ length: (ms * rate) / 1000 }, (_, i) =>
    Math.round(8000 * Math.sin((2 * Math.PI * 300 * i) / rate)),
  )
  return isPhone ? encodeMulaw(samples) : toPcm16(samples)
}
