import { richText } from '../rich/rich-text.ts'
import type { RichContent } from '../rich/schema.ts'
import type { TemplateChoice } from './fill-template.ts'

/** A message that a person or an agent sends in a ticket. */
export interface Reply {
  /** The text, or the caption of the file. */
  body: string
  contextMessageId: string | null
  /** Its use is counted. */
  savedReplyId?: string | undefined
  /** Sent instead of the text; the stored text is then rendered from the template. */
  template?: TemplateChoice
  /** Sent instead of the text; `body` is then the readable form of it. */
  rich?: RichContent
}

export const richReply = (rich: RichContent, contextMessageId: string | null = null): Reply => ({
  body: richText(rich),
  contextMessageId,
  rich,
})
