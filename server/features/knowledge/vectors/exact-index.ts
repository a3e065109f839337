import type { TenantSql } from '../../../platform/database.ts'
import { keepBest } from './best-chunks.ts'
import { createPasses, type Passes } from './compare-vectors.ts'
import type { VectorHit, VectorHits, VectorIndex, VectorQuery } from './contract.ts'
import { quantize } from './quantize.ts'
import { listAnsweringDocuments, readKnowledgeVersion } from './queries.ts'
import { type ChunkVectors, readAllVectors } from './read-all-vectors.ts'
import { createVectorMemory, paddedBytes, type VectorBlock } from './vector-memory.ts'

/** The vectors of one organization, mode, model and number of dimensions. */
interface Copy {
  version: number
  blocks: VectorBlock[]
  passes: Passes
  chunks: { document_id: string; revision: number; ordinal: number }[]
  /** What answers, replaced as a whole: a search keeps the one that it began with. */
  documents: ReadonlyMap<string, { revision: number; count: number }>
  /** Searches that use it: its memory is not reused meanwhile. */
  readers: number
  isGivenUp: boolean
  refreshing: Promise<boolean> | undefined
}

/**
 * Compares the question with every vector of the organization: exact, without an index to build, and without other
 * tenants' vectors. A copy stays in memory as long as the organization's knowledge has the same version; it was read
 * through the caller's own scope, so it never holds more than the caller may see.
 */
export function createExactIndex({ maxBytes }: { maxBytes: number }): VectorIndex {
  const memory = createVectorMemory(maxBytes)
  /** Least recently used first. */
  const copies = new Map<string, Copy>()
  /** The version at which an organization's vectors did not fit: no retry until something changes. */
  const tooLarge = new Map<string, number>()

  function newCopy(dimensions: number): Copy {
    const blocks: VectorBlock[] = []
    return {
      version: -1,
      blocks,
      passes: createPasses(memory, paddedBytes(dimensions), () => blocks),
      chunks: [],
      documents: new Map(),
      readers: 0,
      isGivenUp: false,
      refreshing: undefined,
    }
  }

  function giveUp(key: string, copy: Copy): void {
    if (copies.get(key) === copy) copies.delete(key)
    copy.isGivenUp = true
    if (copy.readers === 0) memory.giveBack(copy.blocks.splice(0))
  }

  function endReading(copy: Copy): void {
    copy.readers--
    if (copy.isGivenUp && copy.readers === 0) memory.giveBack(copy.blocks.splice(0))
  }

  /** Frees the least recently used copies to make room. */
  function takeBlock(bytesPerVector: number, except: Copy): VectorBlock | undefined {
    for (;;) {
      const block = memory.take(bytesPerVector)
      if (block) return block
      const oldest = [...copies].find(([, copy]) => copy !== except && copy.readers === 0 && !copy.refreshing)
      if (!oldest) return undefined
      giveUp(...oldest)
    }
  }

  /** False when there is no room for it. */
  function append(
    copy: Copy,
    { children, ...chunk }: ChunkVectors,
    { revision, bytesPerVector }: { revision: number; bytesPerVector: number },
  ): boolean {
    const number = copy.chunks.push({ ...chunk, revision }) - 1
    for (const child of children) {
      const last = copy.blocks.at(-1)
      if (last && memory.append(last, bytesPerVector, child, number)) continue
      const block = takeBlock(bytesPerVector, copy)
      if (!block) return false
      copy.blocks.push(block)
      memory.append(block, bytesPerVector, child, number)
    }
    return true
  }

  /** Adds what is new since its version and drops what is gone; false when it does not fit into the memory. */
  async function refresh(sql: TenantSql, copy: Copy, shape: { model: string; dimensions: number }): Promise<boolean> {
    // Read first: a later change raises the version, and the next search notices.
    const version = await readKnowledgeVersion(sql)
    const documents = await listAnsweringDocuments(sql, shape.model)
    const revisions = new Map(documents.map(({ id, revision }) => [id, revision]))
    const added = documents.filter(({ id, revision }) => copy.documents.get(id)?.revision !== revision)
    const bytesPerVector = paddedBytes(shape.dimensions)
    const counts = new Map<string, number>()
    for await (const chunks of readAllVectors(sql, added, shape))
      for (const chunk of chunks) {
        const revision = revisions.get(chunk.document_id) as number
        if (!append(copy, chunk, { revision, bytesPerVector })) return false
        counts.set(chunk.document_id, (counts.get(chunk.document_id) ?? 0) + 1)
      }
    // From here on searches see it, complete: no search finds neither the old nor the new revision.
    const answering = new Map([...copy.documents].filter(([id]) => revisions.has(id)))
    for (const { id, revision } of added) answering.set(id, { revision, count: counts.get(id) ?? 0 })
    copy.documents = answering
    copy.version = version
    return true
  }

  const hasTooManyDead = ({ chunks, documents }: Copy) => {
    let alive = 0
    for (const { count } of documents.values()) alive += count
    return chunks.length > 1000 && alive < chunks.length / 2
  }

  /** The current copy; undefined when the memory is too small for it. */
  async function currentCopy(
    sql: TenantSql,
    key: string,
    version: number,
    shape: { model: string; dimensions: number },
  ): Promise<Copy | undefined> {
    while (tooLarge.get(key) !== version) {
      const known = copies.get(key)
      if (known && !known.refreshing && hasTooManyDead(known)) giveUp(key, known)
      const copy = copies.get(key) ?? newCopy(shape.dimensions)
      // Most recently used, so it is evicted last.
      copies.delete(key)
      copies.set(key, copy)
      if (copy.version >= version) return copy
      copy.refreshing ??= refresh(sql, copy, shape)
        .catch((error) => {
          giveUp(key, copy)
          throw error
        })
        .finally(() => {
          copy.refreshing = undefined
        })
      if (await copy.refreshing) continue
      giveUp(key, copy)
      if (tooLarge.size > 1000) tooLarge.clear()
      tooLarge.set(key, version)
    }
    return undefined
  }

  async function searchCopy(copy: Copy, { vector, limit, documentIds, signal }: VectorQuery): Promise<VectorHits> {
    // Chunks that a refresh adds meanwhile are not among them.
    const { chunks, documents } = copy
    const wanted = documentIds && new Set(documentIds)
    const found = keepBest<VectorHit>(limit)
    const offer = (chunk: number, score: number) => {
      const { document_id, revision, ordinal } = chunks[chunk] as Copy['chunks'][number]
      if (wanted && !wanted.has(document_id)) return
      if (documents.get(document_id)?.revision === revision) found.offer({ document_id, ordinal, score })
    }
    copy.readers++
    try {
      const { threshold } = found
      const complete = await copy.passes.compare({ query: quantize(vector), signal, threshold, offer })
      return { hits: found.sorted(), partial: !complete }
    } finally {
      endReading(copy)
    }
  }

  /** For more vectors than fit into the memory: they are read, compared and dropped. */
  async function searchStored(sql: TenantSql, query: VectorQuery): Promise<VectorHits> {
    const { model, vector, limit, documentIds, signal } = query
    const wanted = documentIds && new Set(documentIds)
    const documents = (await listAnsweringDocuments(sql, model)).filter(({ id }) => !wanted || wanted.has(id))
    const found = keepBest<VectorHit>(limit)
    const { scale, bytes } = quantize(vector)
    for await (const chunks of readAllVectors(sql, documents, { model, dimensions: vector.length })) {
      for (const { children, document_id, ordinal } of chunks) {
        const score = Math.max(...children.map((child) => dotProduct(bytes, child.bytes) * scale * child.scale))
        found.offer({ document_id, ordinal, score })
      }
      if (signal?.aborted) return { hits: found.sorted(), partial: true }
    }
    return { hits: found.sorted(), partial: false }
  }

  return {
    async search(sql, query) {
      const { organizationId, livemode } = sql.scope
      const dimensions = query.vector.length
      const key = `${organizationId} ${livemode} ${query.model} ${dimensions}`
      const version = query.version ?? (await readKnowledgeVersion(sql))
      const copy = await currentCopy(sql, key, version, { model: query.model, dimensions })
      return copy ? searchCopy(copy, query) : searchStored(sql, query)
    },
    // The stored vectors are all it needs.
    add: async () => {},
  }
}

function dotProduct(a: Int8Array, b: Int8Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}
