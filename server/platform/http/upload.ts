import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, badRequest, invalid } from '../errors.ts'

const notAForm = (besides = '') => new AppError(415, `Unsupported Media Type: send multipart/form-data${besides}`)

/** Applies to the routes of this context only: all other routes refuse forms. */
export async function acceptForms(app: FastifyInstance, { orJson }: { orJson: boolean }): Promise<void> {
  if (!orJson) app.removeAllContentTypeParsers()
  await app.register(multipart, { throwFileSizeLimit: false })
  app.addContentTypeParser('*', (_request, _payload, done) => done(notAForm(orJson ? ' or application/json' : '')))
}

export interface ReceivedFile {
  /** The file name from the client, without folders. */
  fileName: string
  /** The media type from the client. */
  mimeType: string
  /** The form's other parts. */
  fields: Map<string, string>
}

/** Limits for the parts besides the file: far more than any of our forms needs, too little to do harm. */
const besides = { fields: 50, fieldNameSize: 200, fieldSize: 64 * 1024, headerPairs: 100 }
const maxOverheadBytes = 8 * 1024 * 1024

/**
 * Reads a form with one file in its part `file`. The bytes are streamed to `store` with back-pressure; the caller must
 * remove what `store` kept when this throws.
 */
export async function receiveFile(
  request: FastifyRequest,
  maxBytes: number,
  store: (bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<ReceivedFile> {
  // An empty request is reported as a missing file rather than as a wrong content type.
  if (!request.isMultipart()) throw request.headers['content-type'] === undefined ? noFile() : notAForm()
  if (Number(request.headers['content-length']) > maxBytes + maxOverheadBytes) throw tooLarge(maxBytes)
  try {
    return await readForm(request, maxBytes, store)
  } catch (error) {
    // A client reads the refusal only after it has sent its bytes; they are discarded.
    request.raw.unpipe()
    request.raw.resume()
    throw error
  }
}

async function readForm(
  request: FastifyRequest,
  maxBytes: number,
  store: (bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<ReceivedFile> {
  const fields = new Map<string, string>()
  let fileName: string | undefined
  let mimeType = ''
  let files = 0
  const parts = request.parts({ limits: { ...besides, fileSize: maxBytes + 1 } })
  for await (const part of refusingMalformed(parts)) {
    if (part.type === 'field') {
      if (part.valueTruncated) throw invalid(['body', part.fieldname], 'This part is too long', 'too_long')
      fields.set(part.fieldname, String(part.value))
      continue
    }
    if (++files > 1) throw invalid(['body', 'file'], 'Send one file, in the part named file', 'too_many_files')
    if (part.fieldname !== 'file') {
      part.file.resume()
      continue
    }
    // A browser sends an empty name for a file field in which no file was chosen.
    const named: string | undefined = part.filename
    if (!named) throw noFile()
    fileName = baseName(named)
    mimeType = part.mimetype
    await store(atMost(maxBytes, refusingMalformed(part.file)))
  }
  if (fileName === undefined) throw noFile()
  return { fileName, mimeType, fields }
}

/** Errors of the form parser are the client's mistake. Errors of the store never reach this function. */
async function* refusingMalformed<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* source
  } catch (error) {
    const { statusCode } = error as { statusCode?: number }
    if (statusCode === 413) throw new AppError(413, 'The form has too many parts')
    throw badRequest('The form data is malformed or incomplete')
  }
}

async function* atMost(maxBytes: number, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let total = 0
  for await (const piece of bytes) {
    total += piece.length
    if (total > maxBytes) throw tooLarge(maxBytes)
    yield piece
  }
}

const noFile = () => invalid(['body', 'file'], 'A file is required', 'missing')

const tooLarge = (maxBytes: number) =>
  new AppError(413, `The file is larger than ${maxBytes.toLocaleString('en')} bytes`)

const maxName = 255

/** The name without folders; a name that is too long is shortened but keeps its extension. */
function baseName(path: string): string {
  const name = path
    .slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
    .replaceAll('\0', '')
    // They turn the order of letters, so that an extension seems to be another one.
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    // Browsers encode quotation marks in form names this way.
    .replaceAll('%22', '"')
    .toWellFormed()
  if (name.length <= maxName) return name
  const extension = /\.[^.]{1,16}$/.exec(name)?.[0] ?? ''
  return name.slice(0, maxName - extension.length).replace(/[\ud800-\udbff]$/, '') + extension
}
