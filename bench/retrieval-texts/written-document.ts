export interface WrittenDocument {
  fileName: string
  /** A passage and a question that it answers. */
  passages: [text: string, question: string][]
}

export interface Question {
  query: string
  fileName: string
  /** Position of the answer in the document, in characters; anywhere in it if absent. */
  start?: number
  end?: number
}

export interface QuestionSet {
  name: string
  documents: Map<string, string>
  questions: Question[]
}
