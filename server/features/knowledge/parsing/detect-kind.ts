import { utf16Of } from '../../../platform/text-encoding/encoding-detector.ts'
import { type FileKind, kindByName } from './file-kinds.ts'
import { isOle, looksLikeHtml, pdfStart, startOf } from './signatures.ts'
import { looksLikeZip, namesInZip, zipMimeType } from './zip.ts'

/** Signatures of images, by the first bytes in hexadecimal. */
const images: [signature: RegExp, kind: FileKind][] = [
  [/^89504e470d0a1a0a/, 'png'],
  [/^ffd8ff/, 'jpg'],
  [/^(?:49492a00|4d4d002a)/, 'tiff'],
  [/^52494646.{8}57454250/, 'webp'],
]

/** Signatures of files that are neither text nor any supported kind: GIF, RIFF, gzip, 7z, RAR, ELF, Mach-O, Windows programs. */
const foreign = /^(?:47494638|52494646|1f8b08|377abcaf|52617221|7f454c46|cffaedfe|4d5a9000)/

/** Kinds that are text with conventions: their content does not tell them apart for sure, so the name decides. */
const textKinds: readonly FileKind[] = ['txt', 'md', 'html', 'csv']

/**
 * The kind of a file, by content first and by name second; nothing when it is of no supported kind. `bytes` is the
 * whole file or at least its first 64 KiB. An empty file is of the kind that its name promises: processing reports that
 * it is empty.
 */
export function detectKind(bytes: Buffer, fileName: string): FileKind | undefined {
  const named = kindByName(fileName)
  if (bytes.length === 0) return named
  const head = bytes.subarray(0, 16).toString('hex')
  const image = images.find(([signature]) => signature.test(head))?.[1]
  if (image) return image
  if (looksLikeZip(bytes)) return zipKind(bytes, named)
  // Office files with a password have this container; their reader reports it.
  if (isOle(bytes)) return named === 'docx' || named === 'xlsx' || named === 'pptx' ? named : undefined
  if (named === 'pdf' ? pdfStart(bytes) >= 0 : bytes.subarray(0, 5).toString('latin1') === '%PDF-') return 'pdf'
  const start = startOf(bytes)
  if (start.startsWith('{\\rtf')) return 'rtf'
  if (foreign.test(head) || !looksLikeText(bytes)) return undefined
  if (named && textKinds.includes(named)) return named
  return looksLikeHtml(start) ? 'html' : undefined
}

function zipKind(bytes: Buffer, named: FileKind | undefined): FileKind | undefined {
  const mimeType = zipMimeType(bytes)
  if (mimeType === 'application/epub+zip') return 'epub'
  if (mimeType === 'application/vnd.oasis.opendocument.text') return 'odt'
  if (mimeType) return undefined
  const names = namesInZip(bytes)
  if (names.some((name) => /^word\//i.test(name))) return 'docx'
  if (names.some((name) => /^xl\//i.test(name))) return 'xlsx'
  if (names.some((name) => /^ppt\//i.test(name))) return 'pptx'
  if (names.includes('META-INF/container.xml')) return 'epub'
  // The directory of a cut-off archive is missing: its reader reports what is wrong.
  const isOffice = named === 'docx' || named === 'xlsx' || named === 'pptx' || named === 'epub' || named === 'odt'
  return isOffice ? named : undefined
}

function looksLikeText(bytes: Buffer): boolean {
  const sample = bytes.subarray(0, 4096)
  if (utf16Of(sample)) return true
  const controls = sample.filter((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27)).length
  return !sample.includes(0) && controls <= sample.length / 50
}
