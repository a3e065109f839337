import Type, { type TSchema } from 'typebox'

/** A secret, or an address that may contain one. `NAME_FILE` may name a file that contains it. */
export const secret = (options: { pattern?: string; minLength?: number; description: string }) =>
  Type.Optional(Type.String({ ...options, isSecret: true }))

export const isSecret = (schema: TSchema): boolean => (schema as { isSecret?: boolean }).isSecret === true

/** Pattern of an address that paths are appended to: without a query. */
export const baseUrl = '^https?://[^/?#]+(/[^?#]*)?$'

/** A problem if some of these settings are set, but not all. */
export function* together<Name extends string>(
  settings: { [N in Name]?: unknown },
  ...names: Name[]
): Iterable<string> {
  const count = names.filter((name) => settings[name] !== undefined).length
  if (count === 0 || count === names.length) return
  const all = ['both', 'all three', 'all four'][names.length - 2]
  yield `${names.slice(0, -1).join(', ')} and ${names.at(-1)} go together: set ${all} or none`
}
