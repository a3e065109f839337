import { InvalidInput } from '../../platform/errors.ts'
import type { EventKind } from '../../platform/events.ts'
import { fullAccess, meets, type Principal } from '../../platform/http/principal.ts'

/** `type=a&type=b` and `type=a,b` mean the same; undefined means all. */
export function wantedTypes(given: string[] | undefined): string[] | undefined {
  const wanted = given
    ?.flatMap((each) => each.split(','))
    .map((each) => each.trim())
    .filter(Boolean)
  if (!wanted || wanted.length === 0) return undefined
  const malformed = wanted.filter((each) => !/^(?:\*|[a-z_]+(?:\.(?:\*|[a-z_]+))?)$/.test(each))
  if (malformed.length > 0)
    throw new InvalidInput(
      malformed.map((each) => ({
        loc: ['query', 'type'],
        msg: `${each} is not an event type: use one such as task.completed, or contact.* for all of a kind`,
        type: 'string_pattern_mismatch',
      })),
    )
  return wanted.includes('*') ? undefined : wanted
}

/**
 * The requested types that the caller may see; undefined for all. A type that the caller may not see looks as if it
 * never happened.
 */
export function visibleTypes(
  wanted: string[] | undefined,
  principal: Principal,
  kinds: EventKind[],
): string[] | undefined {
  const seesAll = principal.scopes.has(fullAccess)
  if (!wanted && seesAll) return undefined
  const visible = kinds.filter((kind) => meets(principal, kind)).map(({ type }) => type)
  if (!wanted) return visible
  const exact = wanted.filter((each) => !each.endsWith('.*'))
  const prefixes = wanted.filter((each) => each.endsWith('.*')).map((each) => each.slice(0, -1))
  const matching = visible.filter((type) => exact.includes(type) || prefixes.some((prefix) => type.startsWith(prefix)))
  return [...new Set(matching)]
}
