import { Readable } from 'node:stream'
import { emit } from '../../../platform/events.ts'
import { claimKeptFile, keepFile } from '../../files/keep-file.ts'
import { enqueueIndexing } from '../enqueue-indexing.ts'
import { documentCreated } from '../events.ts'
import { fileNameOf } from '../faqs/faq-text.ts'
import { type FileKind, factsOf } from '../parsing/file-kinds.ts'
import { insertDocument } from '../queries.ts'
import { findTwin, lockDocument } from '../replacements/queries.ts'
import { putContent } from '../replacements/replace-content.ts'
import type { DocumentSource } from '../schema.ts'
import type { Crawl } from './crawl.ts'
import { decoded } from './page-address.ts'
import { countPage, endPage, type PageToRead } from './queries.ts'

interface ReadPage {
  body: Buffer
  kind: FileKind
  title: string | undefined
  facts: Pick<PageToRead, 'etag' | 'last_modified' | 'text_hash'>
}

/** Makes a document of a page, or the next version of the one that it has. */
export async function storePage(crawl: Crawl, page: PageToRead, { body, kind, title, facts }: ReadPage): Promise<void> {
  const { website, scope, inTenant } = crawl
  const file = await keepFile(crawl, scope, Readable.from([body]), 'documents')
  try {
    const isTaken = await inTenant(async (tx) => {
      const source: DocumentSource = {
        kind: 'web_page',
        url: page.url,
        website_id: website.id,
        crawled_at: new Date().toISOString(),
        ...(title === undefined && { file_kind: kind }),
      }
      const made = {
        document_type: 'txt' as const,
        file_kind: kind,
        file_name:
          title === undefined ? fileName(page.url, kind) : `${fileNameOf(title || addressTitle(page.url))}.txt`,
        file_key: file.key,
        size_bytes: file.size,
        sha256: file.sha256,
        source,
      }
      const known = page.document_id ? await lockDocument(tx, page.document_id) : undefined
      const ends = { etag: facts.etag, lastModified: facts.last_modified, textHash: facts.text_hash }
      if (known ? await findTwin(tx, known.id, made) : false) return refuse()
      const document = known ? await putContent(tx, known, made) : await insertDocument(tx, { id: file.id, ...made })
      if (!document) return refuse()
      await claimKeptFile(tx, file.key)
      if (!known) {
        await enqueueIndexing(tx, document)
        await emit(tx, documentCreated, document)
      }
      await endPage(tx, website.id, page.id, { status: 'read', documentId: document.id, ...ends })
      await countPage(tx, website.id, { changed: 1 })
      return true

      /** Another document, of an upload or another website, has this name and content. */
      async function refuse() {
        const reason = 'Another document has the same text'
        await endPage(tx, website.id, page.id, { status: 'skipped', reason, documentId: known?.id })
        await countPage(tx, website.id, {})
        return false
      }
    })
    if (!isTaken) await file.discard()
  } catch (error) {
    await file.discard()
    throw error
  }
}

const addressTitle = (url: string): string => {
  const { host, pathname } = new URL(url)
  return `${host}${pathname === '/' ? '' : pathname.replaceAll('/', ' ')}`
}

/** The name of a file that a page links to, with the extension of its kind. */
function fileName(url: string, kind: FileKind): string {
  const name =
    new URL(url).pathname
      .split('/')
      .at(-1)
      ?.replace(/\.[a-z0-9]{1,8}$/i, '') || addressTitle(url)
  return `${fileNameOf(decoded(name))}.${factsOf(kind).extensions[0]}`
}
