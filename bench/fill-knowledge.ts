import type { ClientConfig } from 'pg'
import { insertChunks, insertLexemes, insertVectors } from '../server/features/knowledge/indexing/queries.ts'
import { searchableWords } from '../server/features/knowledge/searchable-words.ts'
import { packVectors } from '../server/features/knowledge/vectors/quantize.ts'
import { createKey } from '../server/features/organizations/create-key.ts'
import { createOrganization } from '../server/features/organizations/create-organization.ts'
import { createDatabase } from '../server/platform/create-database.ts'
import type { Database, TenantScope } from '../server/platform/database.ts'
import { newId } from '../server/platform/ids.ts'
import { embeddedTenantConnection } from '../server/platform/tenant-login.ts'
import { createRandom } from '../server/testing/seeded-numbers.ts'

export const dimensions = 384
export const model = 'bench'
const chunksInDocument = 100
/** Words other than stop words in a chunk of 400 tokens. */
const wordsInChunk = 150

const random = createRandom(20)

/**
 * Words with the frequencies of a natural language (Zipf: the n-th is proportional to 1/n), without the most frequent
 * ones.
 */
const syllables = ['ba', 'co', 'di', 'fu', 'ga', 'le', 'mi', 'no', 'pu', 'ra', 'se', 'ti', 'vo', 'xa', 'ze']
const vocabulary = Array.from({ length: 30_000 }, (_, i) => {
  const parts: string[] = []
  for (let rest = i + 15; rest > 0; rest = Math.floor(rest / 15)) parts.push(syllables[rest % 15] as string)
  return `${parts.join('')}k`
})
const shares = vocabulary.map((_, i) => 1 / (i + 60))
const sums = shares.map(
  (
    (sum) => (share: number) =>
      (sum += share)
  )(0),
)
function anyWord(): string {
  const wanted = random() * (sums.at(-1) as number)
  let [low, high] = [0, sums.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sums[middle] as number) < wanted) low = middle + 1
    else high = middle
  }
  return vocabulary[low] as string
}

export function anyVector(): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, () => random() + random() + random() - 1.5)
  const length = Math.hypot(...vector)
  return vector.map((component) => component / length)
}

/**
 * One organization with this many chunks among others with fewer each, and questions whose words occur together in some
 * chunk.
 */
export async function fillKnowledge(
  connection: ClientConfig,
  { chunks, others, chunksOfOthers }: { chunks: number; others: number; chunksOfOthers: number },
) {
  const database = createDatabase({ connection, tenantConnection: embeddedTenantConnection(connection), poolSize: 2 })
  const { scope, secret } = await newOrganization(database)
  const questions = await addChunks(database, scope, chunks)
  for (let i = 0; i < others; i++) await addChunks(database, (await newOrganization(database)).scope, chunksOfOthers)
  await database.close()
  // The most frequent words of the vocabulary: nearly every chunk has some of them.
  const commonQuestions = Array.from({ length: 50 }, (_, i) => vocabulary.slice(i, i + 8).join(' '))
  return { organizationId: scope.organizationId, secret, questions, commonQuestions }
}

const newOrganization = (database: Database) =>
  database.inSystem(async (tx) => {
    const { organization } = await createOrganization(tx, { name: 'Bench' })
    const key = await createKey(tx, {
      organizationId: organization.id,
      name: 'bench',
      mode: 'live',
      scopes: ['full_access'],
    })
    return { scope: { organizationId: organization.id, livemode: true }, secret: key.secret }
  })

async function addChunks(database: Database, scope: TenantScope, count: number): Promise<string[]> {
  const questions: string[] = []
  for (let added = 0; added < count; added += chunksInDocument) {
    const texts = Array.from({ length: Math.min(chunksInDocument, count - added) }, () =>
      Array.from({ length: wordsInChunk }, anyWord).join(' '),
    )
    for (const text of texts.slice(0, 5)) questions.push(text.split(' ').slice(0, 7).join(' '))
    await database.inTenant(scope, async (tx) => {
      const id = newId()
      await tx.run`
        insert into documents (id, document_type, file_name, file_key, size_bytes, sha256, language)
        values (${id}, 'txt', 'bench.txt', ${id}, 1, ${id}, 'english')`
      const chunks = texts.map((text, ordinal) => ({ ordinal, text }))
      await insertChunks(
        tx,
        id,
        chunks.map(({ ordinal, text }) => ({
          id: newId(),
          ordinal,
          page: null,
          start_offset: 0,
          end_offset: text.length,
          heading: '',
          text,
          child_lengths: [text.length >> 1, text.length - (text.length >> 1)],
        })),
      )
      await insertLexemes(tx, id, { language: 'english', first: 0, words: texts.map(searchableWords) })
      await insertVectors(
        tx,
        id,
        model,
        chunks.map(({ ordinal }) => ({ ordinal, vectors: packVectors([anyVector(), anyVector()]) })),
      )
      await tx.run`
        update documents set status = 'ready', chunk_count = ${texts.length}, embedding_model = ${model} where id = ${id}`
    })
  }
  return questions
}
