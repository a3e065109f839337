import { badRequest } from '../../../platform/errors.ts'
import { once } from '../../../platform/once.ts'
import { detectKind } from '../parsing/detect-kind.ts'
import { type DocumentType, documentTypes } from '../parsing/document.ts'
import { type FileKind, factsOf, fileKinds } from '../parsing/file-kinds.ts'
import { isOle } from '../parsing/signatures.ts'
import type { FileFacts } from '../receive-document.ts'

/** Enough of a file to tell its kind. */
export const kindBytes = 64 << 10

const list = once(() => {
  const labels = (Object.keys(fileKinds) as FileKind[]).map((kind) => factsOf(kind).label)
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(labels)
})

const modernFormats: Record<string, string> = { doc: '.docx', dot: '.docx', xls: '.xlsx', xlt: '.xlsx', ppt: '.pptx' }

/** The format to save an old Office file as; undefined for other files. */
const modernFormat = (fileName: string, head: Buffer): string | undefined =>
  modernFormats[/\.([a-z]+)$/i.exec(fileName.trim())?.[1]?.toLowerCase() ?? ''] ??
  (isOle(head) ? '.docx, .xlsx or .pptx' : undefined)

/** The kind by content and name together; throws for a file that no reader knows. */
function acceptedKind(fileName: string, head: Buffer): FileKind {
  const kind = detectKind(head, fileName)
  const modern = kind ? undefined : modernFormat(fileName, head)
  if (modern)
    throw badRequest(
      `Unsupported file format: ${fileName} has a binary format of Office before 2007, which is not read. Save it as ${modern} and upload it again`,
    )
  if (!kind) throw badRequest(`Unsupported file format: ${fileName || 'the file'} is not ${list()}`)
  return kind
}

/** A document that is no upload shows `txt`, whatever its kind. */
export const fileSource = (fileName: string, head: Buffer): FileFacts => {
  const kind = acceptedKind(fileName, head)
  return { document_type: 'txt', file_kind: kind, source: { kind: 'file', file_kind: kind } }
}

/** A new version of an upload stays one if its kind is one of those that an upload may have. */
export const uploadOrSource = (fileName: string, head: Buffer): FileFacts => {
  const kind = acceptedKind(fileName, head)
  if (!documentTypes.includes(kind as DocumentType)) return fileSource(fileName, head)
  return { document_type: kind as DocumentType, file_kind: null, source: null }
}
