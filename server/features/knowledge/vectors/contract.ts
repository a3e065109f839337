import type { TenantSql, TenantTx } from '../../../platform/database.ts'

export interface VectorQuery {
  /** Only vectors of the same model can be compared. */
  model: string
  /** Of the knowledge that the caller wants to search at least; the current one when absent. */
  version?: number | undefined
  /** A unit vector. */
  vector: Float32Array
  limit: number
  /** Only these documents; all of them when absent. */
  documentIds?: string[] | undefined
  /** When time is up, what was found so far is the answer. */
  signal?: AbortSignal | undefined
}

/** A chunk and the cosine of its best child. */
export interface VectorHit {
  document_id: string
  ordinal: number
  score: number
}

export interface VectorHits {
  /** Best first. */
  hits: VectorHit[]
  /** Whether time was up before every vector was compared. */
  partial: boolean
}

/** Finds the chunks nearest to a question among the ready documents of one organization and mode. */
export interface VectorIndex {
  search(sql: TenantSql, query: VectorQuery): Promise<VectorHits>
  /** Called in the transaction from which on these vectors, all stored, answer for the document. */
  add(tx: TenantTx, documentId: string, model: string): Promise<void>
}
