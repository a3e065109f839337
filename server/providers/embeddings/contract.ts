/** What a model's cosines mean: each model has another scale. */
export interface CosineScale {
  /** Of a question with a text about something else: worth nothing. */
  unrelated: number
  /** Chance hardly reaches it: below it, no text is about the question. */
  floor: number
  /** Of a question with a text that answers it: worth everything. */
  answer: number
}

/** What Frontdesk needs of an embedding model: text in, unit vectors out. */
export interface Embedder {
  /** Stored with every vector: vectors of two models must never be compared. */
  readonly model: string
  readonly dimensions: number
  /** Of a model that was tuned; that of others is measured. */
  readonly scale?: CosineScale
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
