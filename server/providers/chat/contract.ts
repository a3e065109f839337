import type { Readable } from 'node:stream'
import type { InteractiveMessage } from './interactive-message.ts'
import type {
  ClickCount,
  ClickQuery,
  LibraryDraft,
  LibraryTemplate,
  PlatformTemplate,
  TemplateDraft,
  TemplateVerdict,
} from './template-contract.ts'

/** The interface between Frontdesk and a chat platform. Vendors implement it; features depend only on it. */

export interface ChatCredentials {
  phoneNumberId: string
  businessAccountId: string
  accessToken: string
  /** The app of the token, which owns uploaded samples; the platform is asked if it is not given. */
  appId?: string | undefined
}

/** A connection to one business account and number. Every call has a time limit and throws a `ChatError`. */
export interface ChatPlatform {
  /** Reads the number with the given token, which proves that the token may use it. */
  readNumber(): Promise<NumberFacts>
  /**
   * Reads quality, messaging limit, throughput, name review and status of the number, whether it can send, and the review
   * of its account; facts that the platform leaves out are absent.
   */
  readHealth(): Promise<NumberHealth>
  createTemplate(draft: TemplateDraft): Promise<TemplateVerdict>
  createTemplateFromLibrary(draft: LibraryDraft): Promise<TemplateVerdict>
  /** Yields every template of the business account, page by page. */
  listTemplates(): AsyncIterable<PlatformTemplate[]>
  /** Returns undefined if the platform has no such template. */
  findTemplate(which: { id: string } | { name: string; language: string }): Promise<PlatformTemplate | undefined>
  /** Deletes one language of the name and leaves the others; returns `gone` if the platform did not know it. */
  deleteTemplate(which: { id: string; name: string }): Promise<'deleted' | 'gone'>
  /**
   * Reads how often the links of a template's messages were clicked, by day (UTC). The platform counts only for
   * accounts that have turned its template analytics on.
   */
  readClicks(which: ClickQuery): Promise<ClickCount[]>
  listLibrary(filter: { search?: string; name?: string; language?: string }): Promise<LibraryTemplate[]>
  /** `onWritten`: a connection was found, and the request is being written to it. */
  send(message: OutgoingMessage, onWritten?: () => void): Promise<AcceptedMessage>
  /** With `isTyping`, the customer also sees a typing indicator until the next message, for at most 25 s. */
  markRead(chatMessageId: string, options?: { isTyping?: boolean }): Promise<void>
  /**
   * Adds a person to the block list of the number, or removes them; repeating it does no harm. The platform blocks only
   * people who wrote within the last 24 hours.
   */
  setBlocked(person: Recipient, isBlocked: boolean): Promise<void>
  /**
   * Asks for the address book (`contacts`) or the chats of the WhatsApp Business app on this number, which then arrive
   * as webhooks. The platform takes one request for each, within 24 hours after the app was connected.
   */
  requestAppData(what: 'contacts' | 'history'): Promise<{ requestId: string | null }>
  /** Give the size if it is known: some platforms refuse uploads of unknown length. */
  uploadMedia(media: OutgoingMedia): Promise<{ id: string }>
  /** Uploads a sample for reviewers of templates. An upload that breaks off is resumed. */
  uploadSample(sample: SampleFile): Promise<{ handle: string }>
  /** The stream must be read or destroyed. A link that has expired is looked up again. */
  downloadMedia(mediaId: string): Promise<DownloadedMedia>
}

interface NumberFacts {
  /** Whether the business account of the credentials owns the number. */
  isOfBusinessAccount: boolean
}

/** In the platform's own words, which may be values that we do not know. */
interface NumberHealth {
  quality_rating?: string
  messaging_limit_tier?: string
  throughput_level?: string
  name_status?: string
  number_status?: string
  messaging_status?: string
  messaging_problems?: string[]
  account_review_status?: string
}

/** A phone number in E.164, or the platform's id of a user who shares no number. */
export type Recipient = { phoneNumber: string } | { userId: string }

interface Envelope {
  to: Recipient
  /** Returned with every status of this message. Matches a status to a message whose response was lost. */
  callbackData?: string
  /** The message that this one quotes. */
  replyTo?: string
}

type MediaSource = { id: string } | { link: string }

export type OutgoingMessage = Envelope &
  (
    | { type: 'text'; body: string; previewUrl?: boolean }
    | { type: 'image' | 'video'; media: MediaSource; caption?: string }
    | { type: 'document'; media: MediaSource; caption?: string; fileName?: string }
    | { type: 'audio' | 'sticker'; media: MediaSource }
    | { type: 'interactive'; interactive: InteractiveMessage }
    | { type: 'location'; location: OutgoingPlace }
    /** Cards in the platform's format. */
    | { type: 'contacts'; contacts: Record<string, unknown>[] }
    /** An empty emoji removes the reaction. */
    | { type: 'reaction'; messageId: string; emoji: string }
    | {
        type: 'template'
        name: string
        language: string
        components: Record<string, unknown>[]
        /** Sent by the platform's API for marketing messages, which takes marketing templates alone. */
        asMarketing?: boolean
      }
  )

interface OutgoingPlace {
  latitude: number
  longitude: number
  name?: string
  address?: string
}

interface AcceptedMessage {
  /** The platform's id of the message. */
  id: string
  /** The recipient as the platform reports it. May differ from the given number. */
  recipientId: string | null
  /** `accepted`, `held_for_quality_assessment` or `paused`, if the platform reports it. */
  status: string | null
}

export interface OutgoingMedia {
  bytes: AsyncIterable<Buffer>
  mimeType: string
  fileName: string
  size?: number | undefined
}

export interface SampleFile {
  fileName: string
  mimeType: string
  size: number
  /** The bytes from this one on. */
  open(offset: number): Promise<AsyncIterable<Buffer>>
}

export interface DownloadedMedia {
  bytes: Readable
  mimeType: string
  size: number | null
  /** Hexadecimal, if the platform reports it. */
  sha256: string | null
}

/**
 * What to do about a failure.
 * - `retry`: the platform provably did not execute the request, or it is idempotent; the same request may succeed after
 *   `retryAfterMs`, or after a delay of the caller's choice if that is null.
 * - `fail`: the request will never succeed as it is.
 * - `pause`: stop everything in `scope` until a person or the platform has changed something.
 * - `token_expired`: like `pause`, for the whole account: the credentials are no longer valid.
 * - `unknown`: the platform may have executed the request; repeating it could do it twice.
 */
export type ChatVerdict = 'retry' | 'fail' | 'pause' | 'token_expired' | 'unknown'

/** What the failure affects. */
export type ChatErrorScope = 'request' | 'recipient' | 'template' | 'number' | 'account' | 'app'

interface ChatErrorFacts {
  verdict: ChatVerdict
  scope: ChatErrorScope
  /**
   * The platform's code, or one of ours if it gave none: `unreachable` (never sent), `timeout` and `no_answer` (sent),
   * `bad_answer` (not what the platform documents), `http_503` (a status and nothing else), `too_large`,
   * `foreign_host`, `bad_token`, `bad_id`, `no_app`, `closing`.
   */
  code: string
  subcode: string | null
  /** Readable by people; never contains a token. */
  message: string
  retryAfterMs: number | null
  /** Whether `retryAfterMs` is our estimate, because the platform named none. */
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
