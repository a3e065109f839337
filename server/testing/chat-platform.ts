import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenLocally } from './listen-locally.ts'
import { answerAboutNumber, createPlatformNumbers, type PlatformNumbers } from './platform-numbers.ts'

/**
 * A minimal Graph-compatible server for tests in live mode. It proves that the code does not depend on behavior that
 * only our own simulator has.
 */
export interface ChatPlatformServer {
  url: string
  /** Bodies of requests to `…/messages`, oldest first: sends, reactions and read receipts. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into requests freely
  sent: any[]
  /** Requests to `…/block_users`, oldest first. */
  blocks: { method: string; user: string }[]
  /** The responses to the next ones. */
  nextBlocks: Behaviour[]
  /** Uploaded and downloadable files, by id. */
  media: Map<string, PlatformFile>
  /** The responses to the next requests to `…/messages`; after these, everything is accepted. */
  next: Behaviour[]
  /** The same for typing indicators, which come at their own time. */
  nextTyping: Behaviour[]
  /** The same for uploads, look-ups and downloads. */
  nextMedia: Behaviour[]
  token: string
  numbers: PlatformNumbers
}

interface PlatformFile {
  bytes: Buffer
  mimeType: string
  fileName?: string | undefined
  /** Overrides the reported hash. */
  sha256?: string
}

type Behaviour = { status: number; body: object } | 'hang up' | ((body: never) => void | Promise<void>)

/** The platform's refusal with this code. */
export const refusal = (code: number, message = 'No'): Behaviour => ({
  status: code === 190 ? 401 : 400,
  body: { error: { message: `(#${code}) ${message}`, type: 'OAuthException', code, fbtrace_id: 'AbC' } },
})

export async function startChatPlatform(): Promise<ChatPlatformServer> {
  const platform: ChatPlatformServer = {
    url: '',
    sent: [],
    blocks: [],
    nextBlocks: [],
    media: new Map(),
    next: [],
    nextTyping: [],
    nextMedia: [],
    token: 'EAAtest',
    numbers: createPlatformNumbers(),
  }
  const server = createServer((request, response) => {
    void answer(platform, request, response).catch((error) => response.destroy(error))
  })
  const { url } = await listenLocally(server)
  platform.url = url
  return platform
}

let numbers = 0

async function answer(platform: ChatPlatformServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.concat(await Array.fromAsync(request))
  const json = (status: number, value: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  if (request.headers.authorization !== `Bearer ${platform.token}`)
    return void json(401, { error: { message: 'Invalid OAuth access token', type: 'OAuthException', code: 190 } })
  const url = new URL(request.url ?? '', platform.url)
  const number = answerAboutNumber(platform.numbers, request.method, url)
  if (number) return void json(200, number)
  const [, kind, id = '', edge] = url.pathname.split('/')
  if (edge === 'block_users') {
    const behaviour = platform.nextBlocks.shift()
    if (typeof behaviour === 'object') return void json(behaviour.status, behaviour.body)
    const [{ user }] = JSON.parse(body.toString()).block_users
    platform.blocks.push({ method: request.method as string, user })
    return void json(200, { messaging_product: 'whatsapp', block_users: {} })
  }
  const isMessage = edge === 'messages'
  const message = isMessage ? JSON.parse(body.toString()) : undefined
  // Templates, and the health of numbers, are read at times of the service's own.
  const isMedia = edge === 'media' || (edge === undefined && !url.searchParams.has('fields'))
  const ofMedia = isMedia ? platform.nextMedia : []
  const ahead = message?.typing_indicator ? platform.nextTyping : isMessage ? platform.next : ofMedia
  const behaviour = ahead.shift()
  if (message && (behaviour === undefined || typeof behaviour !== 'object')) platform.sent.push(message)
  if (behaviour === 'hang up') return void request.socket.destroy()
  if (typeof behaviour === 'function') await behaviour(message as never)
  else if (behaviour) return void json(behaviour.status, behaviour.body)

  if (isMessage) return void json(200, message.status ? { success: true } : accepted(message))
  if (edge === 'media') return void json(200, { id: keepUpload(platform, request, body) })
  const file = platform.media.get(id)
  if (!file)
    return void json(400, { error: { message: 'Unsupported get request', type: 'GraphMethodException', code: 100 } })
  if (kind === 'files') return void response.writeHead(200, { 'content-type': file.mimeType }).end(file.bytes)
  json(200, {
    messaging_product: 'whatsapp',
    url: `${platform.url}/files/${id}`,
    mime_type: file.mimeType,
    sha256: file.sha256 ?? createHash('sha256').update(file.bytes).digest('hex'),
    file_size: String(file.bytes.length),
    id,
  })
}

const accepted = ({ to, recipient }: { to?: string; recipient?: string }) => ({
  messaging_product: 'whatsapp',
  contacts: [{ input: to ?? recipient, wa_id: to?.replace('+', '') ?? recipient }],
  messages: [{ id: `wamid.test.${process.pid}.${++numbers}` }],
})

/** Finds the parts at fixed positions instead of parsing the form. */
function keepUpload(platform: ChatPlatformServer, request: IncomingMessage, body: Buffer): string {
  const [, boundary = ''] = /boundary=(.+)$/.exec(request.headers['content-type'] ?? '') ?? []
  const head = body.indexOf('name="file"')
  const start = body.indexOf('\r\n\r\n', head) + 4
  const end = body.lastIndexOf(`\r\n--${boundary}--`)
  const about = body.toString('utf8', head, start)
  const id = String(9_000_000_000_000_000_000n + BigInt(++numbers))
  platform.media.set(id, {
    bytes: body.subarray(start, end),
    mimeType: /content-type: ([^\r\n]+)/i.exec(about)?.[1] ?? '',
    fileName: /filename="([^"]*)"/.exec(about)?.[1],
  })
  return id
}
