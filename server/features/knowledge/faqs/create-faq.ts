import type { TenantTx } from '../../../platform/database.ts'
import { conflict, violates } from '../../../platform/errors.ts'
import { emit } from '../../../platform/events.ts'
import { newId } from '../../../platform/ids.ts'
import { fileKey } from '../../../providers/files/contract.ts'
import { enqueueIndexing } from '../enqueue-indexing.ts'
import { documentCreated } from '../events.ts'
import { insertDocument, lockSameFile } from '../queries.ts'
import type { Document } from '../schema.ts'
import { faqFile } from './faq-text.ts'
import { countFaqs, findAsked, findFaq, insertFaq } from './queries.ts'
import type { Faq, NewFaq } from './schema.ts'
import { tidyFaq } from './tidy-faq.ts'

/** Far more than a person writes; each is a document with a job. */
const maxFaqs = 10_000

/** Adds a question with its answer; one transaction with whatever else the caller does. */
export async function createFaq(tx: TenantTx, given: NewFaq): Promise<Faq> {
  const { id } = await createFaqDocument(tx, given)
  return (await findFaq(tx, id)) as Faq
}

/** The same, returning the document. */
export async function createFaqDocument(tx: TenantTx, given: NewFaq): Promise<Document> {
  const faq = tidyFaq(given)
  const asked = await findAsked(tx, faq.question)
  if (asked) throw conflict(`The question exists already: ${faq.question}`, asked.id)
  try {
    return await addFaq(tx, faq, await countFaqs(tx))
  } catch (error) {
    // A concurrent request added it.
    if (violates(error, 'faqs_question_is_unique')) throw conflict(`The question exists already: ${faq.question}`)
    throw error
  }
}

/** Adds an entry whose question is new; violates `faqs_question_is_unique` if a concurrent request added it. */
export async function addFaq(tx: TenantTx, faq: NewFaq, existing: number): Promise<Document> {
  if (existing >= maxFaqs)
    throw conflict(`There are ${maxFaqs.toLocaleString('en')} questions already: delete some, or upload a document`)
  const id = newId()
  const file = faqFile(faq, fileKey(tx.scope, 'documents', id))
  const document = await insertDocument(tx, { id, ...file })
  // An uploaded file of this very name and content: nothing would be gained from a second one.
  if (!document)
    throw conflict(`A document named ${file.file_name} has the same content`, (await lockSameFile(tx, file))?.id)
  await insertFaq(tx, id, faq)
  await enqueueIndexing(tx, document)
  await emit(tx, documentCreated, document)
  return document
}
