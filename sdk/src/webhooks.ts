import { FrontdeskError } from './errors.ts'
import type { Event } from './generated/types.ts'

/** The request was not signed by the service, or is too old. Answer it with 400. */
export class WebhookError extends FrontdeskError {
  override name = 'WebhookError'
}

export interface WebhookRequest {
  /** The raw bytes or text as received, before parsing. */
  body: string | Uint8Array | ArrayBuffer
  /** A Headers object, or a plain object such as Node's `request.headers`. */
  headers: Headers | Record<string, string | string[] | undefined>
  /** `whsec_…`; several during a rotation. */
  secret: string | string[]
  /** How far the clocks of sender and receiver may differ, in either direction. */
  toleranceSeconds?: number
}

/**
 * Verifies that a webhook comes from the service (Standard Webhooks, `v1`) and returns its event. The same event may
 * arrive more than once, always with the same `id`.
 */
export async function verifyWebhook(request: WebhookRequest): Promise<Event> {
  const { toleranceSeconds = 300 } = request
  const id = headerOf(request.headers, 'webhook-id')
  const timestamp = headerOf(request.headers, 'webhook-timestamp')
  const signatures = headerOf(request.headers, 'webhook-signature')
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('webhook-timestamp is not a time')
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookError('The webhook is too old, or one of the clocks is wrong')
  const body = typeof request.body === 'string' ? encoder.encode(request.body) : new Uint8Array(request.body)
  const signed = concatenated(encoder.encode(`${id}.${timestamp}.`), body)
  const given = signatures
    .split(' ')
    .map((each) => each.split(','))
    .flatMap(([version, signature]) => (version === 'v1' && signature ? [signature] : []))
  const keys = await Promise.all([request.secret].flat().map(importSecret))
  // Every pair is tried, so that the timing does not reveal which one matched.
  const verdicts = await Promise.all(keys.flatMap((key) => given.map((each) => matches(key, each, signed))))
  if (!verdicts.includes(true)) throw new WebhookError('No signature of the webhook fits')
  return JSON.parse(new TextDecoder().decode(body))
}

const encoder = new TextEncoder()
const hmac = { name: 'HMAC', hash: 'SHA-256' }

/** Not every type library has a name for it. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

function headerOf(headers: WebhookRequest['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : plainHeader(headers, name)
  if (!value) throw new WebhookError(`The header ${name} is missing`)
  return value
}

function plainHeader(headers: Record<string, string | string[] | undefined>, wanted: string): string | undefined {
  const [, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === wanted) ?? []
  return Array.isArray(value) ? value.join(' ') : value
}

function importSecret(secret: string): Promise<Key> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''))
  if (!bytes || bytes.length === 0) throw new FrontdeskError('The webhook secret is not one: it starts with whsec_')
  return crypto.subtle.importKey('raw', bytes, hmac, false, ['verify'])
}

/** WebCrypto compares in constant time. */
async function matches(key: Key, signature: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const bytes = fromBase64(signature)
  return bytes !== undefined && crypto.subtle.verify(hmac, key, bytes, signed)
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function concatenated(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length)
  whole.set(first)
  whole.set(second, first.length)
  return whole
}
