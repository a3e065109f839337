import type { MessageType } from './schema.ts'

export type MediaType = Exclude<MessageType, 'text'>

const megabyte = 1024 * 1024

interface MediaRule {
  maxBytes: number
  mimeTypes: string[]
}

const images = ['image/jpeg', 'image/png']
const videos = ['video/mp4', 'video/3gpp']
const sounds = ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg']
const openXml = 'application/vnd.openxmlformats-officedocument'
const documentsByExtension: Record<string, string> = {
  pdf: 'application/pdf',
  txt: 'text/plain',
  doc: 'application/msword',
  docx: `${openXml}.wordprocessingml.document`,
  xls: 'application/vnd.ms-excel',
  xlsx: `${openXml}.spreadsheetml.sheet`,
  ppt: 'application/vnd.ms-powerpoint',
  pptx: `${openXml}.presentationml.presentation`,
}

/**
 * What the platform takes. It refuses every other type at the upload, ZIP and CSV among them. WebP it takes as a sticker
 * only, which is a type of message that the API does not send.
 */
export const mediaRules: Record<MediaType, MediaRule> = {
  image: { maxBytes: 5 * megabyte, mimeTypes: images },
  video: { maxBytes: 16 * megabyte, mimeTypes: videos },
  audio: { maxBytes: 16 * megabyte, mimeTypes: sounds },
  document: {
    maxBytes: 100 * megabyte,
    mimeTypes: [...Object.values(documentsByExtension), ...images, ...videos, ...sounds],
  },
}
export const largestMediaBytes = mediaRules.document.maxBytes

/** How a file of this kind is sent unless the sender says otherwise. */
export function mediaTypeOf(mimeType: string): MediaType {
  const fits = (Object.keys(mediaRules) as MediaType[]).find((type) => mediaRules[type].mimeTypes.includes(mimeType))
  return fits ?? 'document'
}

/** How many of a file's first bytes are enough to tell what it is. */
export const headBytes = 512

/**
 * What the bytes are goes before what the sender says they are. Kinds that have no signature, such as text, are believed;
 * one that would have to have a signature, and does not, is not. Programs such as curl call an office file
 * `application/octet-stream`: its name says more.
 */
export function mimeTypeOf(head: Buffer, declared: string, fileName: string): string {
  const told = declared.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const extension = /\.([a-z]{3,4})$/i.exec(fileName)?.[1]?.toLowerCase() ?? ''
  const claim = told === '' || told === 'application/octet-stream' ? (documentsByExtension[extension] ?? told) : told
  const seen = signatureOf(head)
  if (seen === 'video/mp4' && (claim === 'audio/mp4' || claim === 'video/3gpp')) return claim
  if (seen === 'application/zip' || seen === 'application/x-ole-storage')
    return isMimeType(claim) && !isSigned(claim) ? claim : seen
  if (seen) return seen
  return isMimeType(claim) && !isSigned(claim) ? claim : 'application/octet-stream'
}

const isMimeType = (text: string) => /^[a-z]+\/[a-z0-9][a-z0-9.+-]{0,100}$/.test(text)

const signed = new Set([...images, ...videos, ...sounds, 'image/gif', 'image/webp', 'application/pdf'])
const isSigned = (mimeType: string) => signed.has(mimeType)

function signatureOf(head: Buffer): string | undefined {
  const starts = (bytes: string, at = 0) => head.toString('latin1', at, at + bytes.length) === bytes
  if (starts('\xff\xd8\xff')) return 'image/jpeg'
  if (starts('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (starts('GIF87a') || starts('GIF89a')) return 'image/gif'
  if (starts('RIFF') && starts('WEBP', 8)) return 'image/webp'
  if (starts('%PDF-')) return 'application/pdf'
  if (starts('OggS')) return 'audio/ogg'
  if (starts('#!AMR')) return 'audio/amr'
  if (starts('ID3')) return 'audio/mpeg'
  if (starts('ftyp', 4)) return brands[head.toString('latin1', 8, 11)] ?? 'video/mp4'
  if (starts('PK\x03\x04')) return 'application/zip'
  if (starts('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return 'application/x-ole-storage'
  // Eleven set bits begin a frame: layer 0 is AAC, layer 3 is MP3.
  const [first = 0, second = 0] = head
  if (first === 0xff && (second & 0xf6) === 0xf0) return 'audio/aac'
  if (first === 0xff && (second & 0xe6) === 0xe2) return 'audio/mpeg'
  return undefined
}

const brands: Record<string, string> = { '3gp': 'video/3gpp', '3g2': 'video/3gpp', M4A: 'audio/mp4', M4B: 'audio/mp4' }

/** One type with its parameters: of a list of types browsers believe the last, and other characters fit in no header. */
const oneType = /^[a-z]+\/[a-z0-9][a-z0-9.+-]{0,100}(?:; ?[a-z0-9-]+=[\w."+-]+)*$/

/** As what a file is handed out whose type a stranger told. */
export function servedType(told: string | null): string {
  const type = told?.trim().toLowerCase() ?? ''
  return oneType.test(type) ? type : 'application/octet-stream'
}

/** Browsers show these themselves and run nothing in them. */
export const mayBeShown = (mimeType: string): boolean =>
  /^(audio|video)\/[\w.+-]+/.test(mimeType) || /^image\/(jpeg|png|gif|webp)\b/.test(mimeType)
