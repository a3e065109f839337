import type { Database, TenantScope, TenantTx } from '../../../platform/database.ts'
import { type Fault, InvalidInput } from '../../../platform/errors.ts'
import { Answer } from '../../../platform/http/answer.ts'
import type { FileStore } from '../../../providers/files/contract.ts'
import { createFaqDocument } from '../faqs/create-faq.ts'
import type { NewDocument } from '../queries.ts'
import { receiveDocument, type Upload } from '../receive-document.ts'
import { takeDocument } from '../upload-document.ts'
import { createWebsite, type WebsiteLimits } from '../websites/write-website.ts'
import { fileSource, kindBytes } from './accepted-kind.ts'
import type { AddedSource, NewSource } from './schema.ts'

/** Adds a website or an FAQ entry. */
export async function addSource(tx: TenantTx, limits: WebsiteLimits, source: NewSource): Promise<AddedSource> {
  const { kind, url, question, answer, variants, ...settings } = source
  if (kind === 'faq') {
    require(source, ['question', 'answer'])
    const document = await createFaqDocument(tx, {
      question: question ?? '',
      answer: answer ?? '',
      variants: variants ?? [],
    })
    return { kind, document, website: null }
  }
  require(source, ['url'])
  return { kind, document: null, website: await createWebsite(tx, limits, { kind, url: url ?? '', ...settings }) }
}

function require(source: NewSource, names: ('url' | 'question' | 'answer')[]): void {
  const faults: Fault[] = names
    .filter((name) => source[name] === undefined)
    .map((name) => ({ loc: ['body', name], msg: `${name} is required for the kind ${source.kind}`, type: 'missing' }))
  if (faults.length > 0) throw new InvalidInput(faults)
}

/** Stores a file of any kind that a reader knows, and enqueues its indexing. */
export const addFile = (
  deps: { database: Database; files: FileStore },
  scope: TenantScope,
  upload: Upload<AddedSource>,
): Promise<unknown> =>
  receiveDocument(deps, scope, upload, {
    headBytes: kindBytes,
    accept: fileSource,
    async take(tx: TenantTx, made: NewDocument) {
      const taken = await takeDocument(tx, made)
      const document = taken instanceof Answer ? taken.body : taken
      const added: AddedSource = { kind: 'file', document, website: null }
      return taken instanceof Answer ? new Answer(taken.status, added) : added
    },
  })
