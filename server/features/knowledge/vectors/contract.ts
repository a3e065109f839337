import type { TenantSql, TenantTx } from '../../../platform/database.ts'

export interface VectorQuery {
  /** Only vectors of the same model can be compared. */
  model: string
  /** The search sees at least this version of the knowledge; by default the current one. */
  version?: number | undefined
  /** A unit vector. */
  vector: Float32Array
  limit: number
  /** Only these documents; all of them when absent. */
  documentIds?: string[] | undefined
  /** Aborted when time is up: the search then returns what it has found so far. */
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
  /** Called in the transaction that makes these stored vectors the ones by which the document is found. */
  add(tx: TenantTx, documentId: string, model: string): Promise<void>
}
