import type { TenantTx } from '../../../platform/database.ts'
import { AppError, conflict, found } from '../../../platform/errors.ts'
import { unknownCollections } from '../collections/find-collections.ts'
import { setMembership } from '../collections/write-collection.ts'
import { createFaq } from '../faqs/create-faq.ts'
import { findFaq } from '../faqs/queries.ts'
import { type Faq, maxQuestion, maxVariants } from '../faqs/schema.ts'
import { updateFaq } from '../faqs/update-faq.ts'
import { type Closer, lockedGap } from './close-gap.ts'
import { closeGap, findGap } from './queries.ts'
import type { Gap, GapAnswer } from './schema.ts'

/**
 * Writes the answer as an FAQ entry and marks the gap as answered, in one transaction. A gap that was answered before
 * and reopened has its entry changed.
 */
export async function answerGap(tx: TenantTx, { id, memberId }: Closer, given: GapAnswer): Promise<Gap> {
  const gap = await lockedGap(tx, id)
  if (gap.status === 'answered') throw conflict('This gap is answered already: change its FAQ entry')
  const { collection_ids: collectionIds = [] } = given
  const unknown = await unknownCollections(tx, collectionIds)
  if (unknown.length > 0) throw new AppError(404, `No such collection: ${unknown.join(', ')}`)
  const { id: documentId } = await writeFaq(tx, gap, given)
  for (const collectionId of collectionIds) await setMembership(tx, { collectionId, documentId, isMember: true })
  await closeGap(tx, id, { status: 'answered', documentId, memberId })
  return found(await findGap(tx, id), 'Knowledge gap')
}

async function writeFaq(tx: TenantTx, gap: Gap, { answer, question, variants = [] }: GapAnswer): Promise<Faq> {
  const own = gap.document_id ? await findFaq(tx, gap.document_id) : undefined
  if (!own)
    return createFaq(tx, { question: question ?? gap.question.slice(0, maxQuestion).toWellFormed(), answer, variants })
  const others = [own.question, ...own.variants, ...variants].slice(0, maxVariants)
  return updateFaq(tx, own.id, { question: question ?? own.question, answer, variants: others })
}
