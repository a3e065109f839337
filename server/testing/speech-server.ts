import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer as readAll } from 'node:stream/consumers'
import { type WebSocket, WebSocketServer } from 'ws'
import { toPcm16 } from '../providers/speech/audio.ts'
import { encodeMulaw } from '../providers/speech/mulaw.ts'
import { handling, listenLocally } from './listen-locally.ts'

interface SpeechRequest {
  path: string
  query: Record<string, string>
  keyTerms: string[]
  headers: IncomingMessage['headers']
  body: Buffer
}

type Fault = { status: number; body?: string } | 'never' | 'break'

/**
 * - `error`: a message that reports an error for the sentence; `closed`: one without a context, and the end.
 * - `half`: the connection breaks in the middle of the audio.
 * - `silent`: the sentence is over without any audio.
 */
type VoiceFault = 'error' | 'closed' | 'half' | 'silent' | 'never'

const partsOf = ({ pathname: path, searchParams }: URL) => ({
  path,
  query: Object.fromEntries(searchParams),
  keyTerms: searchParams.getAll('keyterm'),
})

/** A 300 Hz tone of 100 ms per character. */
const toneOf = (text: string, rate: number): Int16Array =>
  Int16Array.from({ length: (text.length * rate) / 10 }, (_, i) => 8000 * Math.sin((2 * Math.PI * 300 * i) / rate))

/**
 * One server that implements the speech APIs of Deepgram, ElevenLabs and OpenAI. Recognition returns texts set by the
 * test.
 */
export async function startSpeechServer() {
  const requests: SpeechRequest[] = []
  /** Faults for the next requests or sockets, one each. */
  const faults: Fault[] = []
  /** Recognition results, one per turn. */
  const texts: string[] = []
  /** The languages that recognition detects, as each API names them. */
  const languages: { deepgram?: string[]; openai?: string } = {}
  const sockets: { audio: Buffer[]; messages: string[]; socket: WebSocket }[] = []
  /** Faults for the next sentences of an ElevenLabs socket, one each. */
  const voiceFaults: (VoiceFault | undefined)[] = []
  const voiceSockets: { url: URL; messages: Record<string, unknown>[]; socket: WebSocket }[] = []
  /** How many of the next `Finalize` messages get no answer, as Deepgram does if it has no audio left to process. */
  const skip = { finalizes: 0 }
  const server = createServer(handling(answer))
  const upgrades = new WebSocketServer({ noServer: true })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url as string, 'http://local')
    const body = await readAll(request)
    requests.push({ ...partsOf(url), headers: request.headers, body })
    const fault = faults.shift()
    if (fault === 'never') return
    if (fault === 'break') {
      response.writeHead(200).write(Buffer.alloc(1600))
      setImmediate(() => response.destroy())
    } else if (fault) response.writeHead(fault.status).end(fault.body ?? '{}')
    else if (url.pathname === '/v1/audio/transcriptions')
      response.end(JSON.stringify({ text: texts.shift() ?? '', language: languages.openai }))
    else if (url.pathname === '/v1/audio/speech')
      sendInPieces(response, toPcm16(toneOf(JSON.parse(String(body)).input, 24_000)))
    else if (/^\/v1\/text-to-speech\/[^/]+\/stream$/.test(url.pathname)) {
      const { text } = JSON.parse(String(body))
      const narrow = url.searchParams.get('output_format') === 'ulaw_8000'
      sendInPieces(response, narrow ? encodeMulaw(toneOf(text, 8_000)) : toPcm16(toneOf(text, 16_000)))
    } else if (/^\/v1\/text-to-speech\/[^/]+\/stream\/with-timestamps$/.test(url.pathname))
      sendTimed(response, JSON.parse(String(body)).text, url.searchParams.get('output_format') === 'ulaw_8000')
    else if (url.pathname === '/v2/voices') response.end(JSON.stringify(elevenLabsPage(url.searchParams)))
    else response.writeHead(404).end()
  }

  server.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url as string, 'http://local')
    requests.push({ ...partsOf(url), headers: request.headers, body: Buffer.alloc(0) })
    const fault = faults.shift()
    if (fault === 'never') return void socket.on('error', () => {})
    if (fault) return void socket.end(`HTTP/1.1 ${fault === 'break' ? 500 : fault.status} No\r\n\r\n`)
    if (url.pathname.endsWith('/multi-stream-input'))
      return upgrades.handleUpgrade(request, socket, head, (opened) => speak(opened, url))
    const bytesPerSample = url.searchParams.get('encoding') === 'mulaw' ? 1 : 2
    const bytesPerSecond = Number(url.searchParams.get('sample_rate')) * bytesPerSample
    upgrades.handleUpgrade(request, socket, head, (opened) => listen(opened, bytesPerSecond))
  })

  function listen(socket: WebSocket, bytesPerSecond: number): void {
    const heard = { audio: [] as Buffer[], messages: [] as string[], socket }
    sockets.push(heard)
    /** In seconds: the end of the audio, and of the last final result. */
    let end = 0
    let finalEnd = 0
    const result = (transcript: string, is_final: boolean, from_finalize: boolean, until = end) => {
      socket.send(
        JSON.stringify({
          type: 'Results',
          start: finalEnd,
          duration: until - finalEnd,
          is_final,
          speech_final: is_final,
          from_finalize,
          channel: { alternatives: [{ transcript, confidence: 0.9, words: [], languages: languages.deepgram }] },
        }),
      )
      if (is_final) finalEnd = until
    }
    socket.send('{"type":"Metadata","request_id":"r"}')
    let frames = 0
    socket.on('message', (data, isBinary) => {
      if (isBinary) {
        heard.audio.push(data as Buffer)
        end += (data as Buffer).length / bytesPerSecond
        const [first] = texts[0]?.split(' ') ?? []
        if (++frames % 25 === 0 && first) result(first, false, false)
        return
      }
      heard.messages.push(String(data))
      if (!String(data).includes('Finalize')) return
      if (skip.finalizes > 0) {
        skip.finalizes--
        finalEnd = end
        return
      }
      // Deepgram splits a long turn into several final results; only the last has `from_finalize`.
      const [first = '', ...rest] = (texts.shift() ?? '').split(' ')
      result(first, true, false, (finalEnd + end) / 2)
      result(rest.join(' '), true, true)
    })
  }

  /** ElevenLabs’ socket: a context speaks what was flushed once it is closed, and then says that it is complete. */
  function speak(socket: WebSocket, url: URL): void {
    const entry = { url, messages: [] as Record<string, unknown>[], socket }
    voiceSockets.push(entry)
    const narrow = url.searchParams.get('output_format') === 'ulaw_8000'
    const flushed = new Map<unknown, string>()
    socket.on('message', (data) => {
      const message = JSON.parse(String(data))
      entry.messages.push(message)
      const { context_id: contextId, text = '', flush, close_context } = message
      if (flush) flushed.set(contextId, text)
      if (!close_context) return
      const send = (answer: object) => socket.send(JSON.stringify(answer))
      const fault = voiceFaults.shift()
      if (fault === 'never') return
      if (fault === 'error') return send({ contextId, message: 'No', error: 'invalid_input_message', code: 1008 })
      if (fault === 'closed') {
        send({ message: 'No', error: 'quota_exceeded', code: 1008 })
        return socket.close(1008, 'No')
      }
      const pieces = fault === 'silent' ? [] : timedPieces((flushed.get(contextId) ?? '').trimEnd(), narrow)
      for (const [i, { characters, audio }] of pieces.entries()) {
        if (i === 1 && fault === 'half') return socket.terminate()
        // Times count from the beginning of the piece.
        const alignment = {
          chars: characters,
          charStartTimesMs: characters.map((_, at) => at * 100),
          charDurationsMs: characters.map(() => 100),
        }
        send({ contextId, audio: Buffer.from(audio).toString('base64'), alignment, normalizedAlignment: null })
      }
      send({ contextId, isFinal: true })
    })
  }

  const { url } = await listenLocally(server)
  return {
    url,
    requests,
    faults,
    texts,
    languages,
    sockets,
    skip,
    voiceFaults,
    voiceSockets,
  }
}

/** 100 ms for each character, in two pieces, of which the first ends in the middle of a word. */
function timedPieces(text: string, narrow: boolean): { characters: string[]; audio: Uint8Array }[] {
  const all = [...text]
  return [all.slice(0, 7), all.slice(7)].map((characters) => {
    const tone = toneOf(characters.join(''), narrow ? 8_000 : 16_000)
    return { characters, audio: narrow ? encodeMulaw(tone) : toPcm16(tone) }
  })
}

/** Lines of JSON with audio and the time of each character from the beginning of the text. */
function sendTimed(response: ServerResponse, text: string, narrow: boolean): void {
  let at = 0
  const lines = timedPieces(text, narrow).map(({ characters, audio }) => {
    const starts = characters.map(() => at++ / 10)
    const alignment = {
      characters,
      character_start_times_seconds: starts,
      character_end_times_seconds: starts.map((start) => start + 0.1),
    }
    return JSON.stringify({
      audio_base64: Buffer.from(audio).toString('base64'),
      alignment,
      normalized_alignment: null,
    })
  })
  sendInPieces(response, Buffer.from(`${lines.join('\n')}\n`))
}

/** Two pages. */
function elevenLabsPage(query: URLSearchParams): object {
  const voice = (voice_id: string, name: string, more: object = {}) => ({
    voice_id,
    name,
    category: 'premade',
    ...more,
  })
  if (query.get('next_page_token') === 'p2')
    return { voices: [voice('clone1', 'Our own voice')], has_more: false, next_page_token: null }
  const preview_url = 'https://storage.example.com/rachel.mp3'
  const labels = { language: 'en', accent: 'american' }
  const rachel = voice('21m00Tcm4TlvDq8ikWAM', 'Rachel', { description: 'Calm', preview_url, labels })
  return { voices: [rachel], has_more: true, next_page_token: 'p2' }
}

/** 1,001 bytes per piece, so that pieces end in the middle of a sample. */
function sendInPieces(response: ServerResponse, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += 1_001) response.write(bytes.subarray(at, at + 1_001))
  response.end()
}
