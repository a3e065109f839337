import type { TenantTx } from '../../../platform/database.ts'
import { AppError, conflict, found } from '../../../platform/errors.ts'
import { unknownCollections } from '../collections/find-collections.ts'
import { setMembership } from '../collections/write-collection.ts'
import { createFaq } from '../faqs/create-faq.ts'
import { type Closer, lockedGap } from './close-gap.ts'
import { closeGap, findGap } from './queries.ts'
import type { Gap, GapAnswer } from './schema.ts'

/** Writes the answer as an FAQ entry and marks the gap as answered, in one transaction. */
export async function answerGap(tx: TenantTx, { id, memberId }: Closer, given: GapAnswer): Promise<Gap> {
  const gap = await lockedGap(tx, id)
  if (gap.status === 'answered') throw conflict('This gap is answered already: change its FAQ entry')
  const { question = gap.question.slice(0, 500).toWellFormed(), answer, collection_ids: collectionIds = [] } = given
  const unknown = await unknownCollections(tx, collectionIds)
  if (unknown.length > 0) throw new AppError(404, `No such collection: ${unknown.join(', ')}`)
  const { id: documentId } = await createFaq(tx, { question, answer })
  for (const collectionId of collectionIds) await setMembership(tx, { collectionId, documentId, isMember: true })
  await closeGap(tx, id, { status: 'answered', documentId, memberId })
  return found(await findGap(tx, id), 'Knowledge gap')
}
