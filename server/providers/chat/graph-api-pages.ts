import { asId, asObject, asObjects, asText, badAnswer, type GraphClient, type Json } from './graph-api-client.ts'

/** The platform allows at most 6,000 template names per account: more pages than this mean a broken cursor. */
const pagesOfTemplates = 2_000

/**
 * Follows cursors at our own address: the `next` link could send the token to a foreign host. After `maxPages` the list
 * counts as broken: a cursor that never ends must not block a worker.
 */
export async function* pages<T>(
  client: GraphClient,
  path: string[],
  query: Record<string, string | undefined>,
  read: (items: Json[]) => T[],
  maxPages = pagesOfTemplates,
): AsyncGenerator<T[]> {
  const seen = new Set<string>()
  let after: string | undefined
  do {
    const answer = await client.call({ method: 'GET', path, query: { ...query, after }, repeatable: true })
    // A response without data must not look like an empty account.
    if (!Array.isArray(answer.data)) throw badAnswer(true, 'a list without its data')
    yield read(asObjects(answer.data))
    after = nextCursor(answer)
    if (after !== undefined && (seen.has(after) || seen.size >= maxPages))
      throw badAnswer(true, 'a list without an end')
    if (after !== undefined) seen.add(after)
  } while (after !== undefined)
}

function nextCursor(answer: Json): string | undefined {
  const paging = asObject(answer.paging)
  const next = asText(paging?.next)
  if (next === '') return undefined
  const cursor = asId(asObject(paging?.cursors)?.after) ?? cursorOf(next)
  if (!cursor) throw badAnswer(true, 'a further page without a cursor')
  return cursor
}

const cursorOf = (next: string) =>
  URL.canParse(next, 'http://relative') ? new URL(next, 'http://relative').searchParams.get('after') : null
