import { createHmac, timingSafeEqual } from 'node:crypto'
import { type CarrierHooks, type CarrierStatus, carrierStatuses, type HookAnswer, type TransferTo } from './contract.ts'

export const twilioHooks: CarrierHooks = {
  isSigned({ url, form, signature, authToken }) {
    if (typeof signature !== 'string') return false
    const given = Buffer.from(signature, 'base64')
    const isRight = (candidate: string) => {
      const expected = signatureOf(candidate, form, authToken)
      return expected.length === given.length && timingSafeEqual(expected, given)
    }
    // The carrier is inconsistent about whether a standard port is part of the signed URL.
    return spellingsOf(url).map(isRight).includes(true)
  },

  read(form) {
    const text = (name: string) => form.get(name)?.[0] ?? ''
    const number = (name: string) => (/^\d{1,9}$/.test(text(name)) ? Number(text(name)) : null)
    const status = text('CallStatus') as CarrierStatus
    return {
      callId: text('CallSid'),
      from: text('From'),
      to: text('To'),
      status: carrierStatuses.includes(status) ? status : null,
      seconds: number('CallDuration'),
      sequence: number('SequenceNumber'),
      answeredBy: text('AnsweredBy') || null,
      errorCode: text('ErrorCode') || text('SipResponseCode') || null,
      isConnected: connectedBy(text('DialCallStatus'), text('DialBridged')),
    }
  },

  connect({ url, parameters, afterUrl }) {
    const given = Object.entries(parameters).map(
      ([name, value]) => `<Parameter name="${escaped(name)}" value="${escaped(value)}"/>`,
    )
    return twiml(
      `<Connect action="${escaped(afterUrl)}" method="POST"><Stream url="${escaped(url)}">${given.join('')}</Stream></Connect>`,
    )
  },
  hangUp: () => twiml('<Hangup/>'),
  refuse: (reason) => twiml(`<Reject reason="${reason}"/>`),
  say: (text, language) => twiml(`${said(text, language)}<Hangup/>`),
  brief: ({ text, language, acceptUrl }) =>
    twiml(
      `<Gather numDigits="1" timeout="${acceptSeconds}" action="${escaped(acceptUrl)}" method="POST">${said(text, language)}</Gather><Hangup/>`,
    ),
  proceed: () => twiml(''),
}

/** Time to press a key after the briefing. A voicemail presses none. */
const acceptSeconds = 10

/** The carrier's voices need a region, as in `de-DE`. */
const said = (text: string, language = '') =>
  /^[a-z]{2,3}-[A-Z]{2}$/.test(language)
    ? `<Say language="${language}">${escaped(text)}</Say>`
    : `<Say>${escaped(text)}</Say>`

/** A person who hangs up during the briefing has answered (`completed`) without being connected. */
const connectedBy = (status: string, bridged: string): boolean | null =>
  status === '' ? null : bridged === '' ? status === 'completed' || status === 'answered' : bridged === 'true'

export function dialTwiml({ number, callerId, ringSeconds, afterUrl, briefingUrl }: TransferTo): string {
  const after = afterUrl ? ` action="${escaped(afterUrl)}" method="POST"` : ''
  const briefing = briefingUrl ? ` url="${escaped(briefingUrl)}" method="POST"` : ''
  return twiml(
    `<Dial callerId="${escaped(callerId)}" timeout="${ringSeconds}"${after}><Number${briefing}>${escaped(number)}</Number></Dial>`,
  ).body
}

/**
 * HMAC-SHA1 over the URL as the carrier knows it, followed by each parameter's name and value, sorted by name in byte
 * order. For a repeated name, each distinct value once, sorted.
 */
export function signatureOf(url: string, form: ReadonlyMap<string, string[]>, authToken: string): Buffer {
  const hmac = createHmac('sha1', authToken).update(url)
  for (const name of [...form.keys()].sort(byBytes))
    for (const value of [...new Set(form.get(name))].sort(byBytes)) hmac.update(name).update(value)
  return hmac.digest()
}

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

function spellingsOf(url: string): string[] {
  const [, scheme, host, rest = ''] = /^(https?|wss?):\/\/([^/?#]+)(.*)$/.exec(url) ?? []
  if (!scheme || !host) return [url]
  const standard = scheme === 'https' || scheme === 'wss' ? ':443' : ':80'
  if (host.endsWith(standard)) return [url, `${scheme}://${host.slice(0, -standard.length)}${rest}`]
  return /:\d+$/.test(host) ? [url] : [url, `${scheme}://${host}${standard}${rest}`]
}

function twiml(verbs: string): HookAnswer {
  return {
    contentType: 'text/xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<Response>${verbs}</Response>`,
  }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] as string)
