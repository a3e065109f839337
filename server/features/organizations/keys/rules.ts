import { AppError } from '../../../platform/errors.ts'
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
