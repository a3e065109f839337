import { badRequest } from '../../platform/errors.ts'
import { utf16Of } from '../../platform/text-encoding/encoding-detector.ts'
import { typeByName } from './parsing/detect-type.ts'
import type { DocumentType } from './parsing/document.ts'
import { pdfStart } from './parsing/signatures.ts'

/** Enough of a file to tell its type. */
export const headBytes = 1024

const zip = '504b'
/** Password-protected Word documents have this container; their parser reports it. */
const ole = 'd0cf11e0a1b11ae1'
/**
 * Signatures that text never starts with: PDF, ZIP, OLE, PNG, JPEG, GIF, TIFF, RIFF, gzip, 7z, RAR, ELF, Mach-O,
 * Windows programs.
 */
const binary =
  /^(25504446|504b0304|d0cf11e0|89504e47|ffd8ff|47494638|49492a00|4d4d002a|52494646|1f8b08|377abcaf|52617221|7f454c46|cffaedfe|4d5a9000)/

/** The type by name and first bytes together; throws unless both say the same supported type. */
export function acceptedType(fileName: string, head: Buffer): DocumentType {
  const type = typeByName(fileName)
  if (!type) throw badRequest('Unsupported file format: upload a PDF, DOCX or TXT file')
  // An empty file passes by its name; processing then reports that it is empty.
  if (head.length > 0 && !agrees(type, head))
    throw badRequest(
      `Unsupported file format: the content is not what the name .${type} says. Upload a PDF, DOCX or TXT file`,
    )
  return type
}

function agrees(type: DocumentType, head: Buffer): boolean {
  const start = head.subarray(0, 8).toString('hex')
  if (type === 'pdf') return pdfStart(head) >= 0
  if (type === 'docx') return start.startsWith(zip) || start === ole
  return utf16Of(head) !== undefined || !(binary.test(start) || head.includes(0))
}
