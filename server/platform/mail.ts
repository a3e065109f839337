export interface Mail {
  to: string
  subject: string
  text: string
}

/**
 * `failed`: the server refused it for good. `unknown`: the connection broke after the message may have been accepted, so
 * sending it again could deliver it twice. Throws if it was certainly not sent and may be sent again.
 */
type MailOutcome = 'sent' | 'failed' | 'unknown'

export interface Mailer {
  send(mail: Mail): Promise<MailOutcome>
}

/** Jobs that were enqueued before the setting was removed fail as with a server that cannot be reached, and end. */
export const noMailServer: Mailer = {
  send: () => Promise.reject(new Error('no email can be sent: SMTP_URL is not set')),
}

/** A server that is up greets within seconds; some delay the greeting or the last reply on purpose, against spam. */
const timeouts = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 20_000, socketTimeout: 60_000 }

export function createMailer({ url, from }: { url: string; from: string }): Mailer {
  // With a password in the URL, a server that offers no STARTTLS gets neither the password nor the mail.
  const requireTLS = URL.parse(url)?.password !== ''
  // Loaded with the first mail: it would take a quarter of a second of every start.
  const open = async () => (await import('nodemailer')).createTransport({ url, requireTLS, ...timeouts }, { from })
  let opening: ReturnType<typeof open> | undefined
  return {
    async send({ to, subject, text }) {
      opening ??= open()
      const transport = await opening
      try {
        // As an object: a string would be parsed as a list of addresses.
        await transport.sendMail({ to: { name: '', address: to }, subject, text })
        return 'sent'
      } catch (error) {
        return outcomeOf(error as SmtpError)
      }
    },
  }
}

interface SmtpError extends Error {
  code?: string
  syscall?: string
  responseCode?: number
  timeoutType?: string
}

/** Errors before the message is sent. */
const early = ['EDNS', 'ETLS', 'EAUTH', 'EENVELOPE']

function outcomeOf(error: SmtpError): MailOutcome {
  const { code = '', syscall, responseCode, timeoutType } = error
  // A refused login or STARTTLS is a fault of the settings or the server, not of this mail.
  if (responseCode !== undefined && responseCode >= 500 && code !== 'EAUTH' && code !== 'ETLS') return 'failed'
  const isEarly =
    responseCode !== undefined ||
    early.includes(code) ||
    syscall === 'connect' ||
    // The others are those of connecting, the greeting and TLS.
    (timeoutType !== undefined && timeoutType !== 'SOCKET_TIMEOUT')
  if (isEarly) throw error
  return 'unknown'
}
