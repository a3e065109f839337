import type { JsonSchema } from './openapi-schemas.ts'

/** Where a caller finds each kind of id, by the name of the member or parameter that takes it. */
export type IdSources = Record<string, string>

/** Members of the example that a caller has to replace before sending it, and with what. */
export function membersToFillIn(schema: JsonSchema, example: unknown, ids: IdSources, name = ''): Map<string, string> {
  const found = new Map<string, string>()
  const own = wordsFor(schema, name, ids)
  if (own !== undefined && example !== null) found.set(name, own)
  const parts: [JsonSchema, unknown, string][] = Array.isArray(example)
    ? example.map((element) => [schema.items ?? {}, element, name])
    : example !== null && typeof example === 'object'
      ? Object.entries(example).map(([member, value]) => [schema.properties?.[member] ?? {}, value, member])
      : []
  for (const part of parts)
    for (const [member, words] of membersToFillIn(part[0], part[1], ids, part[2])) found.set(member, words)
  return found
}

/** What to put there; undefined where the example can be sent as it is. */
export function wordsFor(schema: JsonSchema, name: string, ids: IdSources): string | undefined {
  if (schema.fillIn !== undefined || schema.format !== 'uuid') return schema.fillIn
  const source = ids[name]
  if (source === undefined) throw new Error(`the document cannot say where the id ${name} comes from`)
  return source
}

export function fillInSentence(members: Map<string, string>): string | undefined {
  if (members.size === 0) return undefined
  const list = [...members].map(([name, words]) => `\`${name}\` (${words})`)
  return `Before you send the example, fill in ${new Intl.ListFormat('en').format(list)}.`
}
