import type { TenantSql } from '../../../platform/database.ts'
import type { FileStore } from '../../../providers/files/contract.ts'
import { faqText } from '../faqs/faq-text.ts'
import { findFaqText } from '../faqs/queries.ts'
import { UnreadableDocument } from '../parsing/document.ts'
import type { IndexedText } from './indexed-text.ts'
import type { StartedDocument } from './queries.ts'
import { readDocument } from './read-document.ts'
import { Superseded } from './superseded.ts'
import { titleOf } from './title.ts'
import { toChunks } from './to-chunks.ts'

type TextSource = Pick<StartedDocument, 'id' | 'document_type' | 'file_kind' | 'file_name' | 'file_key' | 'source'>

/** The chunks of a document: of its file, or of the FAQ entry that it is. */
export async function readText(
  { files, sql, ocrLanguages }: { files: FileStore; sql: TenantSql; ocrLanguages: readonly string[] | undefined },
  { id, document_type, file_kind, file_name, file_key: fileKey, source }: TextSource,
  progress: { signal: AbortSignal; onProgress(share: number): void },
): Promise<IndexedText> {
  if (source?.kind === 'faq') {
    const faq = await findFaqText(sql, id)
    if (!faq) throw new Superseded()
    return faqText(faq)
  }
  const parsed = await readDocument(files, { fileKey, kind: file_kind ?? document_type, ocrLanguages, ...progress })
  const chunks = toChunks(parsed)
  if (chunks.length === 0) throw new UnreadableDocument('empty', 'There is no text in the file.')
  return { title: titleOf(file_name), language: parsed.language, chunks }
}
