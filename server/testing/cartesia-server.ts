import { createServer, type IncomingMessage } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { toPcm16 } from '../providers/speech/audio.ts'
import { encodeMulaw } from '../providers/speech/mulaw.ts'
import { listenLocally } from './listen-locally.ts'

interface CartesiaRequest {
  path: string
  query: Record<string, string>
  keyTerms: string[]
  headers: IncomingMessage['headers']
}

/**
 * - A status refuses the request or the socket.
 * - `error`: an error message in place of the answer.
 * - `half`: the connection breaks in the middle of the answer.
 * - `never`: no answer.
 */
type Fault = { status: number } | { error: number } | 'half' | 'never'

/** 100 ms of a 300 Hz tone per character. */
function toneOf(text: string, encoding: string, rate: number): Uint8Array {
  const samples = Int16Array.from({ length: (text.length * rate) / 10 }, (_, i) =>
    Math.round(8000 * Math.sin((2 * Math.PI * 300 * i) / rate)),
  )
  return encoding === 'pcm_mulaw' ? encodeMulaw(samples) : toPcm16(samples)
}

/** A server that speaks Cartesia's published protocols for recognition, voices and the list of voices. */
export async function startCartesiaServer() {
  const requests: CartesiaRequest[] = []
  /** For the next request, socket or message that has to be answered, one each. */
  const faults: Fault[] = []
  /** Recognition results, one per turn. */
  const texts: string[] = []
  const sockets: { path: string; audio: Buffer[]; messages: string[]; socket: WebSocket }[] = []
  const upgrades = new WebSocketServer({ noServer: true })
  /** The fault for a message, unless the next one is meant for a connection. */
  const nextFault = () => (typeof faults[0] === 'object' && 'status' in faults[0] ? undefined : faults.shift())

  const server = createServer((request, response) => {
    const url = note(request)
    const fault = faults.shift()
    if (fault === 'never') return
    if (typeof fault === 'object' && 'status' in fault) return void response.writeHead(fault.status).end('{}')
    if (url.pathname !== '/voices') return void response.writeHead(404).end('{}')
    const isFirst = !url.searchParams.has('starting_after')
    const voice = (id: string, name: string, language: string) => ({ id, name, language, description: `${name}.` })
    const data = isFirst ? [voice('v-1', 'Ana', 'es')] : [voice('v-2', 'Bruno', 'pt')]
    response.end(JSON.stringify({ data, has_more: isFirst, next_page: isFirst ? 'v-1' : null }))
  })

  function note(request: IncomingMessage): URL {
    const url = new URL(request.url as string, 'http://local')
    const { pathname: path, searchParams } = url
    const keyTerms = searchParams.getAll('keyterm')
    requests.push({ path, query: Object.fromEntries(searchParams), keyTerms, headers: request.headers })
    return url
  }

  server.on('upgrade', (request, socket, head) => {
    const url = note(request)
    const [fault] = faults
    if (typeof fault === 'object' && 'status' in fault) {
      faults.shift()
      return void socket.end(`HTTP/1.1 ${fault.status} No\r\n\r\n`)
    }
    upgrades.handleUpgrade(request, socket, head, (socket) => {
      const entry = { path: url.pathname, audio: [] as Buffer[], messages: [] as string[], socket }
      sockets.push(entry)
      if (url.pathname === '/stt/websocket') listen(entry)
      else speak(entry)
    })
  })

  function listen({ audio, messages, socket }: (typeof sockets)[number]): void {
    const send = (message: object) => socket.send(JSON.stringify({ request_id: 'r', ...message }))
    const transcript = (text: string, is_final: boolean) =>
      send({ type: 'transcript', is_final, text, duration: 1, language: 'en', words: [] })
    socket.on('message', (data, isBinary) => {
      if (isBinary) {
        audio.push(data as Buffer)
        const [first] = texts[0]?.split(' ') ?? []
        if (audio.length % 25 === 0 && first) transcript(first, false)
        return
      }
      const command = String(data)
      messages.push(command)
      if (command !== 'finalize') return
      const fault = nextFault()
      if (fault === 'never') return
      if (typeof fault === 'object' && 'error' in fault)
        return send({ type: 'error', title: 'No', message: 'Not now', error_code: null, status_code: fault.error })
      const text = texts.shift() ?? ''
      // Pieces have their own spaces, and end anywhere.
      const cut = Math.ceil(text.length / 2)
      transcript(text.slice(0, cut), true)
      if (fault === 'half') return socket.terminate()
      transcript(text.slice(cut), true)
      send({ type: 'flush_done' })
    })
  }

  function speak({ messages, socket }: (typeof sockets)[number]): void {
    socket.on('message', (data) => {
      messages.push(String(data))
      const { context_id, cancel, transcript, output_format, add_timestamps } = JSON.parse(String(data))
      if (cancel) return
      const send = (message: object) => socket.send(JSON.stringify({ status_code: 206, context_id, ...message }))
      const fault = nextFault()
      if (fault === 'never') return
      if (typeof fault === 'object' && 'error' in fault)
        return send({ type: 'error', done: true, title: 'No', message: transcript, status_code: fault.error })
      const audio = Buffer.from(toneOf(transcript, output_format.encoding, output_format.sample_rate))
      const half = Math.floor(audio.length / 4) * 2
      const chunk = (bytes: Buffer) =>
        send({ type: 'chunk', data: bytes.toString('base64'), done: false, step_time: 1 })
      chunk(audio.subarray(0, half))
      if (fault === 'half') return socket.terminate()
      if (add_timestamps) {
        const words = [...String(transcript).matchAll(/\S+/g)]
        const word_timestamps = {
          words: words.map(([word]) => word.replace(/[.,!?]+$/, '')),
          start: words.map(({ index }) => index / 10),
          end: words.map(({ 0: word, index }) => (index + word.length) / 10),
        }
        send({ type: 'timestamps', done: false, word_timestamps })
      }
      chunk(audio.subarray(half))
      send({ type: 'done', done: true })
    })
  }

  const { url } = await listenLocally(server)
  return {
    url,
    requests,
    faults,
    texts,
    sockets,
  }
}
