import type { MessageType } from '../schema.ts'

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
 * What the platform accepts. It refuses every other type at upload, including ZIP and CSV. It accepts WebP only as a
 * sticker.
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
/** `isAnimated` is read from the file. */
export const stickerRule = (isAnimated: boolean): MediaRule => ({
  maxBytes: (isAnimated ? 500 : 100) * 1024,
  mimeTypes: ['image/webp'],
})
export const largestStickerBytes = stickerRule(true).maxBytes

/** The extended WebP format has a bit for animation in its first chunk; the simple formats have none. */
export const isAnimatedWebp = (head: Buffer): boolean =>
  head.toString('latin1', 12, 16) === 'VP8X' && ((head[20] ?? 0) & 0x02) !== 0

export const largestMediaBytes = mediaRules.document.maxBytes

/** The message type for a file, unless the sender chooses another. */
export function mediaTypeOf(mimeType: string): MediaType {
  const fits = (Object.keys(mediaRules) as MediaType[]).find((type) => mediaRules[type].mimeTypes.includes(mimeType))
  return fits ?? 'document'
}

/** The number of leading bytes needed to detect a file's type. */
export const headBytes = 512

/**
 * Detected content takes precedence over the declared type. Types without a signature, such as text, are trusted as
 * declared; a declared type whose signature is missing is not. Clients such as curl declare office files as
 * `application/octet-stream`, so for those the file extension decides.
 */
export function mimeTypeOf(head: Buffer, declared: string, fileName: string): string {
  const declaredType = declared.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const extension = /\.([a-z]{3,4})$/i.exec(fileName)?.[1]?.toLowerCase() ?? ''
  const claim =
    declaredType === '' || declaredType === 'application/octet-stream'
      ? (documentsByExtension[extension] ?? declaredType)
      : declaredType
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
  // An MPEG audio frame begins with eleven set bits: layer 0 is AAC, layer 3 is MP3.
  const [first = 0, second = 0] = head
  if (first === 0xff && (second & 0xf6) === 0xf0) return 'audio/aac'
  if (first === 0xff && (second & 0xe6) === 0xe2) return 'audio/mpeg'
  return undefined
}

const brands: Record<string, string> = { '3gp': 'video/3gpp', '3g2': 'video/3gpp', M4A: 'audio/mp4', M4B: 'audio/mp4' }

/**
 * Exactly one type with its parameters: browsers use the last of a list, and other characters are not valid in a
 * header.
 */
const oneType = /^[a-z]+\/[a-z0-9][a-z0-9.+-]{0,100}(?:; ?[a-z0-9-]+=[\w."+-]+)*$/

/** The Content-Type to serve a file with, whose type the contact's device declared. */
export function servedType(declaredType: string | null): string {
  const type = declaredType?.trim().toLowerCase() ?? ''
  return oneType.test(type) ? type : 'application/octet-stream'
}

/** Browsers display these inline without running any script in them. */
export const mayBeShown = (mimeType: string): boolean =>
  /^(audio|video)\/[\w.+-]+/.test(mimeType) || /^image\/(jpeg|png|gif|webp)\b/.test(mimeType)
