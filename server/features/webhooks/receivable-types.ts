import { insufficientScope, invalid } from '../../platform/errors.ts'
import type { EventKind } from '../../platform/events.ts'
import { covers } from '../../platform/http/principal.ts'
import { ping } from './events.ts'

/**
 * A webhook receives only event types that the credential which set it up may read. Otherwise `webhooks:admin` alone
 * would expose every message. The scopes of that credential are stored with the webhook.
 */

/** The types that a webhook receives now. */
export function receivedTypes(webhook: { events: string[]; scopes: string[] }, kinds: readonly EventKind[]): string[] {
  const scopes = new Set(webhook.scopes)
  return subscribable(kinds)
    .filter(({ type, scope }) => covers(scopes, scope) && webhook.events.some((pattern) => matches(pattern, type)))
    .map(({ type }) => type)
}

/**
 * Returns whether these scopes allow to read a type. Types that this version does not know, written by a newer node,
 * need `full_access`.
 */
export function readableTypes(scopes: readonly string[], kinds: readonly EventKind[]): (type: string) => boolean {
  const held = new Set(scopes)
  const requiredScopes = new Map(kinds.map(({ type, scope }) => [type, scope]))
  return (type) => covers(held, requiredScopes.get(type) ?? 'full_access')
}

/**
 * The events to subscribe to with these scopes, without duplicates. A pattern that covers unreadable types is replaced
 * by the readable ones. A pattern or type without any readable one is refused with the missing scope.
 */
export function checkEvents(wanted: string[], scopes: ReadonlySet<string>, kinds: readonly EventKind[]): string[] {
  const events = wanted.flatMap((pattern, i) => {
    const matching = subscribable(kinds).filter(({ type }) => matches(pattern, type))
    const [first] = matching
    if (!first) throw invalid(['body', 'events', String(i)], `There are no events called ${pattern}`, 'unknown_event')
    const readable = matching.filter(({ scope }) => covers(scopes, scope))
    if (readable.length === 0) throw insufficientScope(first.scope, `, which the event ${pattern} requires`)
    return readable.length === matching.length ? [pattern] : readable.map(({ type }) => type)
  })
  return [...new Set(events)]
}

/** A pattern is `*`, a group such as `call.*`, or a type. */
const matches = (pattern: string, type: string): boolean =>
  pattern === '*' || (pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern)

/** A ping reaches the tested endpoint whatever it subscribes to. */
const subscribable = (kinds: readonly EventKind[]) => kinds.filter(({ type }) => type !== ping.type)
