/** What Frontdesk needs of an embedding model: text in, unit vectors out. */
export interface Embedder {
  /** Stored with every vector: vectors of two models must never be compared. */
  readonly model: string
  readonly dimensions: number
  /** Cosines of a question with a text that has nothing to do with it, and with one that answers it; where measured. */
  readonly cosines?: { unrelated: number; answer: number }
  /** Whether texts of other languages get vectors that say little. */
  readonly isEnglish?: boolean
  /**
   * One unit vector per text, in the given order; longer texts than the model reads are cut. Some models embed questions
   * in another way than passages. Throws `EmbeddingError`.
   */
  embed(texts: string[], signal?: AbortSignal, role?: 'question' | 'passage'): Promise<Float32Array[]>
  /** The same model, paid by the organization's own account if it has one. */
  forOrganization?(organizationId: string): Embedder
  /** Ends its process; `embed` throws afterwards. */
  close(): Promise<void>
}

/** `retry`: the same texts may succeed later; `fail`: a setting or the installation has to change first. */
export class EmbeddingError extends Error {
  readonly verdict: 'retry' | 'fail'
  constructor(verdict: 'retry' | 'fail', message: string, cause?: unknown) {
    super(message, { cause })
    this.verdict = verdict
  }
}
