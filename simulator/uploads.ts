import { randomBytes } from 'node:crypto'
import type { Numbers } from './numbers.ts'
import { Refusal, unknownObject } from './refusals.ts'

/** The app of every token. */
const appId = '634974688087057'
const types = new Set(['application/pdf', 'image/jpeg', 'image/jpg', 'image/png', 'video/mp4'])

interface UploadRequest {
  method: string
  token: string | undefined
  query: URLSearchParams
  chunks: AsyncIterable<Buffer>
  header(name: string): string | undefined
}

interface Upload {
  size: number
  received: number
  /** Kept for a client that lost the answer. */
  handle: string
}

/** Samples for media headers: a session, then the bytes, which may come in several requests, become a handle. */
export function createUploads(numbers: Numbers) {
  const sessions = new Map<string, Upload>()

  return {
    async app(id: string, { token }: UploadRequest) {
      await numbers.requireToken(token)
      return id === 'app' ? { id: appId, name: 'Simulator' } : { data: { app_id: appId, type: 'USER', is_valid: true } }
    },
    /** `POST /{app}/uploads` */
    async start(app: string, { token, query }: UploadRequest) {
      await numbers.requireToken(token)
      if (!/^(\d+|app)$/.test(app)) throw unknownObject(app, 'post')
      const size = Number(query.get('file_length'))
      if (!Number.isSafeInteger(size) || size < 1) throw new Refusal(100, 'Param file_length must be a number of bytes')
      const type = query.get('file_type') ?? ''
      if (!types.has(type)) throw new Refusal(100, `Param file_type must be one of {${[...types].join(', ')}}`)
      const session = `upload:${randomBytes(18).toString('base64url')}`
      if (sessions.size > 1_000) sessions.clear()
      sessions.set(session, { size, received: 0, handle: `4::${randomBytes(48).toString('base64')}` })
      return { id: session }
    },
    /** `GET /upload:…` says how much has arrived; `POST /upload:…` continues there. */
    async session(id: string, { token, method, chunks, header }: UploadRequest) {
      await numbers.requireToken(token)
      const upload = sessions.get(id)
      if (!upload) throw unknownObject(id, method.toLowerCase())
      if (method === 'GET') return { id, file_offset: upload.received }
      if (method !== 'POST') throw unknownObject(id, method.toLowerCase())
      if (Number(header('file_offset') ?? 0) !== upload.received)
        throw new Refusal(100, `Header file_offset must be ${upload.received}`)
      for await (const chunk of chunks) upload.received += chunk.length
      if (upload.received !== upload.size)
        throw new Refusal(100, `The file has ${upload.received} bytes and not ${upload.size}`)
      return { h: upload.handle }
    },
  }
}
