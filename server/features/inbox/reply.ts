import type { TemplateChoice } from './fill-template.ts'

/** What a person or an agent sends in a ticket. */
export interface Reply {
  /** The text, or the caption of the file. */
  body: string
  contextMessageId: string | null
  /** Goes in place of the text, which is then made of it. */
  template?: TemplateChoice
}
