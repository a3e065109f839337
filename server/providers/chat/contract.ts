import type { Readable } from 'node:stream'

/** What Frontdesk needs of a chat platform, in Frontdesk's words. Vendors implement it; features know only this. */

export interface ChatCredentials {
  phoneNumberId: string
  businessAccountId: string
  accessToken: string
}

/** One business account and number at the platform. Every call has a time limit and throws a `ChatError`. */
export interface ChatPlatform {
  /** Reads the number with the given token, which proves that the token may use it. */
  readNumber(): Promise<NumberFacts>
  createTemplate(draft: TemplateDraft): Promise<TemplateVerdict>
  createTemplateFromLibrary(draft: LibraryDraft): Promise<TemplateVerdict>
  /** Every template of the business account, a page at a time, all pages followed. */
  listTemplates(): AsyncIterable<PlatformTemplate[]>
  /** Nothing when the platform has no such template. */
  findTemplate(which: { id: string } | { name: string; language: string }): Promise<PlatformTemplate | undefined>
  /** One language of the name, never the others; `gone` when the platform did not know it. */
  deleteTemplate(which: { id: string; name: string }): Promise<'deleted' | 'gone'>
  listLibrary(filter: { search?: string; name?: string; language?: string }): Promise<LibraryTemplate[]>
  send(message: OutgoingMessage): Promise<AcceptedMessage>
  markRead(chatMessageId: string): Promise<void>
  /** Give the size where it is known: not every platform takes an upload of unknown length. */
  uploadMedia(media: OutgoingMedia): Promise<{ id: string }>
  /** The bytes as a stream that must be read or destroyed; a link that expired meanwhile is looked up again. */
  downloadMedia(mediaId: string): Promise<DownloadedMedia>
}

export interface NumberFacts {
  /** Whether the business account of the credentials is the one that owns the number. */
  isOfBusinessAccount: boolean
}

export interface TemplateDraft {
  name: string
  language: string
  category: string
  /** As the platform wants them, examples included. */
  components: Record<string, unknown>[]
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
  /** The platform's own word: PENDING, APPROVED, REJECTED, or one we have never heard of. */
  status: string
  /** May differ from the one asked for. */
  category: string
}

export interface PlatformTemplate extends TemplateVerdict {
  name: string
  language: string
  components: Record<string, unknown>[]
  /** GREEN, YELLOW, RED, or empty while not rated. */
  qualityScore: string
  rejectedReason: string | null
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

/** A phone number in E.164, or the platform's id of a person who shows none. */
export type Recipient = { phoneNumber: string } | { userId: string }

interface Envelope {
  to: Recipient
  /** Comes back with every status of this message: how a lost answer is matched to what was sent. */
  callbackData?: string
  /** The message that this one answers. */
  replyTo?: string
}

type MediaSource = { id: string } | { link: string }

export type OutgoingMessage = Envelope &
  (
    | { type: 'text'; body: string; previewUrl?: boolean }
    | { type: 'image' | 'video'; media: MediaSource; caption?: string }
    | { type: 'document'; media: MediaSource; caption?: string; fileName?: string }
    | { type: 'audio'; media: MediaSource }
    /** An empty emoji takes the reaction back. */
    | { type: 'reaction'; messageId: string; emoji: string }
    | { type: 'template'; name: string; language: string; components: Record<string, unknown>[] }
  )

export interface AcceptedMessage {
  /** The platform's id of the message. */
  id: string
  /** Who the platform says it is for: may differ from the number that was given. */
  recipientId: string | null
  /** `accepted`, `held_for_quality_assessment` or `paused`, where the platform says so. */
  status: string | null
}

export interface OutgoingMedia {
  bytes: AsyncIterable<Buffer>
  mimeType: string
  fileName: string
  size?: number
}

export interface DownloadedMedia {
  bytes: Readable
  mimeType: string
  size: number | null
  /** Hexadecimal, where the platform tells. */
  sha256: string | null
}

/**
 * What to do about a failure.
 * - `retry`: it is proven that the platform did not do it, or doing it twice does no harm; the same request may succeed after
 *   `retryAfterMs`, or after a delay of the caller's choice where that is null.
 * - `fail`: it will never succeed as it is.
 * - `pause`: stop everything in `scope` until a person or the platform has changed something.
 * - `token_expired`: as `pause`, for the whole account: the credentials are no good any more.
 * - `unknown`: the platform may have done it; repeating it could do it twice.
 */
export type ChatVerdict = 'retry' | 'fail' | 'pause' | 'token_expired' | 'unknown'

/** How far a failure reaches. */
export type ChatErrorScope = 'request' | 'recipient' | 'template' | 'number' | 'account' | 'app'

export interface ChatErrorFacts {
  verdict: ChatVerdict
  scope: ChatErrorScope
  /**
   * The platform's code, or a word of ours where it gave none: `unreachable` (never sent), `timeout` and `no_answer`
   * (sent), `bad_answer` (not what the platform promises), `http_503` (a status and nothing else), `too_large`,
   * `foreign_host`, `bad_token`, `bad_id`, `closing`.
   */
  code: string
  subcode: string | null
  /** For a person; never holds a token. */
  message: string
  retryAfterMs: number | null
  /** Whether that wait is only our guess, because the platform named none. */
  waitIsGuessed?: boolean
}

export class ChatError extends Error implements ChatErrorFacts {
  readonly verdict: ChatVerdict
  readonly scope: ChatErrorScope
  readonly code: string
  readonly subcode: string | null
  readonly retryAfterMs: number | null
  readonly waitIsGuessed: boolean
  constructor(facts: ChatErrorFacts, cause?: unknown) {
    super(facts.message, { cause })
    this.verdict = facts.verdict
    this.scope = facts.scope
    this.code = facts.code
    this.subcode = facts.subcode
    this.retryAfterMs = facts.retryAfterMs
    this.waitIsGuessed = facts.waitIsGuessed ?? false
  }
}

/** What went wrong at the platform, as answers carry it. Its codes are numbers; our own words for silence are not. */
export const upstreamOf = ({ code, message }: ChatError) => ({
  code: /^\d{1,15}$/.test(code) ? Number(code) : code,
  message,
})

/**
 * What a person can act on, first: the platform's text for users, then its details, then its message. `error_data` is an
 * object, a plain sentence, or JSON in a string that names parts of the request (`{"blame_field_specs":…}`), which is shown
 * to nobody.
 */
export function explanationOf(error: Record<string, unknown>): string | undefined {
  const data = error.error_data
  const details =
    typeof data === 'string' ? (isSerialized(data) ? undefined : data) : (data as { details?: unknown } | null)?.details
  return [error.error_user_msg, details, error.message, error.error_user_title, error.title].find(
    (each): each is string => typeof each === 'string' && each.trim() !== '' && !isSerialized(each),
  )
}

const isSerialized = (text: string): boolean => /^\s*[[{"]/.test(text) && isJson(text)

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
