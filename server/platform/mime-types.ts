export const images = ['image/jpeg', 'image/png']
export const videos = ['video/mp4', 'video/3gpp']
export const sounds = ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg']
const openXml = 'application/vnd.openxmlformats-officedocument'
export const documentsByExtension: Record<string, string> = {
  pdf: 'application/pdf',
  txt: 'text/plain',
  doc: 'application/msword',
  docx: `${openXml}.wordprocessingml.document`,
  xls: 'application/vnd.ms-excel',
  xlsx: `${openXml}.spreadsheetml.sheet`,
  ppt: 'application/vnd.ms-powerpoint',
  pptx: `${openXml}.presentationml.presentation`,
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
