export interface WrittenDocument {
  fileName: string
  /** A passage and a question that it answers. */
  passages: [text: string, question: string][]
}
