import { randomBytes } from 'node:crypto'

/** The platform's error codes with their status and text. */
const codes: Record<number, [status: number, title: string]> = {
  2: [503, 'Service temporarily unavailable'],
  100: [400, 'Invalid parameter'],
  190: [401, 'Error validating access token: the session is invalid or has expired.'],
  80008: [400, 'There have been too many calls to this WhatsApp Business account.'],
  130429: [400, 'Rate limit hit'],
  131000: [500, 'Something went wrong'],
  131008: [400, 'Required parameter is missing'],
  131009: [400, 'Parameter value is not valid'],
  131016: [500, 'Service unavailable'],
  131021: [400, 'Recipient cannot be sender'],
  131026: [400, 'Message undeliverable'],
  131047: [400, 'Re-engagement message'],
  131049: [400, 'This message was not delivered to maintain healthy ecosystem engagement.'],
  131050: [400, 'User has stopped marketing messages from this business'],
  131051: [400, 'Unsupported message type'],
  131053: [400, 'Media upload error'],
  131056: [400, '(Business Account, Consumer Account) pair rate limit hit'],
  131057: [500, 'Account in maintenance mode'],
  131062: [400, 'Business-scoped User ID (BSUID) recipients are not supported for this message.'],
  132000: [400, 'Number of parameters does not match the expected number of params'],
  132001: [404, 'Template name does not exist in the translation'],
  132005: [400, 'Template hydrated text too long'],
  132012: [400, 'Parameter format does not match format in the created template'],
  132015: [400, 'Template is paused'],
  132016: [400, 'Template is disabled'],
  132018: [400, 'There is an issue with the parameters in your template'],
  139100: [400, 'Failed to block/unblock some users'],
}

export const titleOf = (code: number): string => codes[code]?.[1] ?? 'Something went wrong'

interface RefusalOptions {
  subcode?: number
  /** Texts of template management. */
  user?: { title: string; message: string }
  /** The `message` where the code alone does not determine it. */
  message?: string
}

/**
 * An error answer. It is thrown but is no Error: under throttling thousands are created per second, and their stacks
 * are never read.
 */
export class Refusal {
  readonly status: number
  readonly code: number
  readonly details: string
  readonly options: RefusalOptions
  constructor(code: number, details: string, options: RefusalOptions = {}) {
    this.status = codes[code]?.[0] ?? 400
    this.code = code
    this.details = details
    this.options = options
  }

  body(): string {
    const { subcode, user, message } = this.options
    return JSON.stringify({
      error: {
        message: message ?? (this.code === 190 ? titleOf(190) : `(#${this.code}) ${titleOf(this.code)}`),
        type: 'OAuthException',
        code: this.code,
        ...(subcode !== undefined && { error_subcode: subcode }),
        ...(this.code === 2 && { is_transient: true }),
        ...(user
          ? { is_transient: false, error_user_title: user.title, error_user_msg: user.message }
          : this.details && { error_data: { messaging_product: 'whatsapp', details: this.details } }),
        fbtrace_id: `A${randomBytes(15).toString('base64url')}`,
      },
    })
  }
}

/** The platform's answer for an unknown path, or one that this token may not use. */
export const unknownObject = (id: string, verb = 'get') =>
  new Refusal(100, '', {
    subcode: 33,
    message:
      `Unsupported ${verb} request. Object with ID '${id}' does not exist, cannot be loaded due to missing ` +
      'permissions, or does not support this operation.',
  })

/** A refusal of template management, with its subcode and user message. */
export const templateRefusal = (subcode: number | undefined, title: string, message: string) =>
  new Refusal(100, '', { ...(subcode && { subcode }), user: { title, message } })
