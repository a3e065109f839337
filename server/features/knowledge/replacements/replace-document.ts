import type { Database, TenantScope, TenantTx } from '../../../platform/database.ts'
import { conflict, found } from '../../../platform/errors.ts'
import { Answer } from '../../../platform/http/answer.ts'
import type { FileStore } from '../../../providers/files/contract.ts'
import { findDocument, type NewDocument } from '../queries.ts'
import { receiveDocument, type Upload } from '../receive-document.ts'
import type { Document } from '../schema.ts'
import { fileSource, kindBytes, uploadOrSource } from '../sources/accepted-kind.ts'
import { deleteReplacement, lockDocument } from './queries.ts'
import { replaceContent } from './replace-content.ts'

/** Stores the new version of a document's file. Searches find the old version until the new one is ready. */
export async function replaceDocument(
  deps: { database: Database; files: FileStore },
  scope: TenantScope,
  id: string,
  upload: Upload<Document>,
): Promise<unknown> {
  // Before the file is received, so that a refusal does not wait for it.
  const document = replaceable(found(await findDocument(deps.database.forTenant(scope), id), 'Document'))
  return receiveDocument(deps, scope, upload, {
    headBytes: kindBytes,
    accept: document.source === null ? uploadOrSource : fileSource,
    take: (tx, made) => takeVersion(tx, id, made),
  })
}

function replaceable(document: Document): Document {
  const { source } = document
  if (source?.kind === 'faq') throw conflict('This document is an FAQ: change its question or answer instead')
  if (source?.kind === 'web_page') throw conflict('This document is a web page: crawl its website again instead')
  return document
}

async function takeVersion(tx: TenantTx, id: string, made: NewDocument): Promise<Document | Answer<Document>> {
  const document = replaceable(found(await lockDocument(tx, id), 'Document'))
  const isSame = document.sha256 === made.sha256 && document.file_name === made.file_name
  if (!isSame || document.status === 'failed') return replaceContent(tx, document, made)
  // The current version is the newest again: one that was being read is dropped.
  await deleteReplacement(tx, id)
  return new Answer(200, (await findDocument(tx, id)) as Document)
}
