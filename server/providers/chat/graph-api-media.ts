import { randomBytes } from 'node:crypto'
import { isLoopback } from '../../platform/loopback.ts'
import { ChatError, type ChatPlatform, type OutgoingMedia } from './contract.ts'
import { asId, asText, badAnswer, type GraphClient, type Json } from './graph-api-client.ts'
import { chatErrorOf } from './graph-api-errors.ts'

export function mediaCalls(
  client: GraphClient,
  phoneNumberId: string,
): Pick<ChatPlatform, 'uploadMedia' | 'downloadMedia'> {
  const { maxMediaBytes, mediaTimeLimitMs } = client.options

  /** The platform's links expire after five minutes; a new look-up returns a new link. */
  async function open(mediaId: string) {
    const found = await client.call({
      method: 'GET',
      path: [mediaId],
      query: { phone_number_id: phoneNumberId },
      repeatable: true,
    })
    const size = Number(found.file_size ?? Number.NaN)
    if (size > maxMediaBytes) throw tooLarge(maxMediaBytes)
    const answer = await client.download(trustedUrl(asText(found.url), client.options.baseUrl))
    return { found, answer, size: Number.isSafeInteger(size) && size >= 0 ? size : null }
  }

  return {
    async uploadMedia(media) {
      const answer = await client.call({
        method: 'POST',
        path: [phoneNumberId, 'media'],
        upload: multipart(media),
        timeLimitMs: mediaTimeLimitMs,
        // A second upload creates a second file that nothing refers to; the platform deletes it after a while.
        repeatable: true,
      })
      const id = asId(answer.id)
      if (!id) throw badAnswer(true, 'an upload without an id')
      return { id }
    },
    async downloadMedia(mediaId) {
      let opened = await open(mediaId)
      if (hasExpired(opened.answer.status)) {
        opened.answer.body.destroy()
        opened = await open(mediaId)
      }
      const { found, answer, size } = opened
      const { status, headers, body } = answer
      if (status !== 200) {
        body.destroy()
        throw chatErrorOf({ status, headers, repeatable: true, token: '' })
      }
      return {
        bytes: body,
        mimeType: asText(found.mime_type) || headers['content-type'] || 'application/octet-stream',
        size: size ?? lengthOf(headers['content-length']),
        sha256: hexadecimal(found),
      }
    },
  }
}

const hasExpired = (status: number): boolean => [401, 403, 404, 410].includes(status)

/** The platform's own file hosts. */
const platformHosts = ['facebook.com', 'fbsbx.com', 'whatsapp.net']

/** A download carries the token, so it may go only to the platform: its own address or one of its file hosts. */
function trustedUrl(text: string, baseUrl: string): URL {
  if (!URL.canParse(text)) throw badAnswer(true, 'a file without a link')
  const url = new URL(text)
  const base = new URL(baseUrl)
  // Other implementations of the protocol often serve files on a separate port.
  const isOwn =
    url.protocol === base.protocol &&
    (url.hostname === base.hostname || (isLoopback(url.hostname) && isLoopback(base.hostname)))
  const isFileHost =
    url.protocol === 'https:' &&
    url.port === '' &&
    platformHosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`))
  if (isOwn || isFileHost) return url
  throw new ChatError({
    verdict: 'fail',
    scope: 'request',
    code: 'foreign_host',
    subcode: null,
    message: `the platform links to a file at ${url.host}, which is not its own address`,
    retryAfterMs: null,
  })
}

const tooLarge = (maxBytes: number) =>
  new ChatError({
    verdict: 'fail',
    scope: 'request',
    code: 'too_large',
    subcode: null,
    message: `the file is larger than ${maxBytes} bytes`,
    retryAfterMs: null,
  })

const lengthOf = (header: string | undefined): number | null => (header && /^\d+$/.test(header) ? Number(header) : null)

/** Hexadecimal in look-ups, Base64 in webhooks; the length tells which. */
function hexadecimal({ sha256 }: Json): string | null {
  const text = asText(sha256)
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === 32 ? bytes.toString('hex') : null
}

function multipart({ bytes, mimeType, fileName, size }: OutgoingMedia) {
  const boundary = `frontdesk-${randomBytes(16).toString('hex')}`
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const head = Buffer.from(
    `${field('messaging_product', 'whatsapp')}${field('type', oneLine(mimeType))}--${boundary}\r\n` +
      `Content-Disposition: form-data; name="file"; filename="${quotable(fileName)}"\r\n` +
      `Content-Type: ${oneLine(mimeType)}\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    ...(size !== undefined && { contentLength: head.length + size + tail.length }),
    bytes: (async function* () {
      yield head
      yield* bytes
      yield tail
    })(),
  }
}

const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ')

/** Escapes names as browsers do in multipart forms. */
const quotable = (text: string): string => text.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22')
