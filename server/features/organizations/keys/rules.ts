import { rangeOf } from '../../../platform/address-ranges.ts'
import { AppError, InvalidInput } from '../../../platform/errors.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { modes } from '../schema.ts'
import type { Modes } from './queries.ts'

/** A test key sees test keys only; people and live keys see all. */
export const modesOf = (principal: Principal): Modes =>
  principal.keyId !== undefined && !principal.scope.livemode ? ['test'] : modes

/**
 * Creating keys requires full access, which includes every scope, so only the mode could exceed what the creator has.
 */
export function mayMint(principal: Principal, mode: 'test' | 'live'): void {
  if (!modesOf(principal).includes(mode)) throw new AppError(403, 'A test key can only create test keys')
}

export function checkAddresses(entries: readonly string[] | null | undefined): void {
  const faults = (entries ?? []).flatMap((entry, i) => {
    // Requests over IPv4 are compared as IPv4, so a mapped range would never match.
    if (rangeOf(entry) && !/^::ffff:/i.test(entry)) return []
    const msg = `${entry} is not an IPv4 or IPv6 address or range such as 203.0.113.0/24`
    return [{ loc: ['body', 'allowed_ips', String(i)], msg, type: 'value_error' }]
  })
  if (faults.length > 0) throw new InvalidInput(faults)
}
