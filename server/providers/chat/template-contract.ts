/** Templates as a chat platform keeps them. */

export interface TemplateDraft {
  name: string
  language: string
  category: string
  /** In the platform's format, examples included. */
  components: Record<string, unknown>[]
  /** How long the platform tries to deliver a message; null for its default. */
  ttlSeconds?: number | null
}

export interface LibraryDraft {
  name: string
  language: string
  category: string
  libraryTemplateName: string
  buttonInputs?: Record<string, unknown>[]
}

export interface TemplateVerdict {
  id: string
  /** The platform's own status: PENDING, APPROVED, REJECTED, or a value that we do not know. */
  status: string
  /** May differ from the requested category. */
  category: string
}

export interface PlatformTemplate extends TemplateVerdict {
  name: string
  language: string
  components: Record<string, unknown>[]
  /** Missing if the server does not say. */
  ttlSeconds?: number | null
  /** GREEN, YELLOW, RED, or empty while not rated. */
  qualityScore: string
  rejectedReason: string | null
}

export interface ClickQuery {
  templateId: string
  from: Date
  until: Date
  /** Messages that were sent by the platform's API for marketing messages are counted apart. */
  asMarketing: boolean
}

export interface ClickCount {
  /** `2026-11-16` */
  day: string
  /** The label of the button. */
  label: string
  /** All clicks, or the people who clicked at least once. */
  kind: 'clicks' | 'people'
  count: number
}

export interface LibraryTemplate {
  id: string
  name: string
  language: string
  category: string
  topic: string
  usecase: string
  industry: string[]
  header: string
  body: string
  bodyParams: string[]
  bodyParamTypes: string[]
  buttons: Record<string, unknown>[]
}
