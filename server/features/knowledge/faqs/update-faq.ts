import { isDeepStrictEqual } from 'node:util'
import type { TenantTx } from '../../../platform/database.ts'
import { conflict, found, violates } from '../../../platform/errors.ts'
import { fileKey } from '../../../providers/files/contract.ts'
import { lockDocument } from '../replacements/queries.ts'
import { replaceContent } from '../replacements/replace-content.ts'
import { faqFile } from './faq-text.ts'
import { findAsked, findFaq, findFaqText, updateFaqRow } from './queries.ts'
import type { Faq, FaqChanges } from './schema.ts'
import { tidyFaq } from './tidy-faq.ts'

/** Searches find the previous text until the new one is indexed. */
export async function updateFaq(tx: TenantTx, id: string, changes: FaqChanges): Promise<Faq> {
  const document = found(await lockDocument(tx, id), 'FAQ')
  const previous = found(await findFaqText(tx, id), 'FAQ')
  const faq = tidyFaq({ ...previous, ...changes })
  if (!isDeepStrictEqual(faq, { ...previous })) {
    const asked = await findAsked(tx, faq.question)
    if (asked && asked.id !== id) throw conflict(`The question exists already: ${faq.question}`, asked.id)
    try {
      await updateFaqRow(tx, id, faq)
    } catch (error) {
      if (violates(error, 'faqs_question_is_unique')) throw conflict(`The question exists already: ${faq.question}`)
      throw error
    }
    await replaceContent(tx, document, faqFile(faq, fileKey(tx.scope, 'documents', id)))
  }
  return (await findFaq(tx, id)) as Faq
}
