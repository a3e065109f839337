import { member } from './errors.ts'
import type { Paging } from './operation.ts'

export interface CursorPage<Item> {
  data: Item[]
  /** Whether there is a next page. */
  has_more: boolean
  /** Id of the last element of `data`; null only when `data` is empty. */
  next_cursor: string | null
  /** Number of matching elements in the collection. */
  total_count: number
}

/**
 * A list: await it for one page as the API returns it, or iterate over all items of all pages with `for await`. No
 * request is sent before either.
 */
export interface List<Item, Page> extends Promise<Page>, AsyncIterable<Item> {
  pages(): AsyncIterable<Page>
}

type Query = Record<string, unknown>

export function createList<Item, Page>(
  paging: Paging,
  query: Query,
  ask: (query: Query) => Promise<Page>,
): List<Item, Page> {
  let first: Promise<Page> | undefined
  const one = () => (first ??= ask(query))

  async function* pages(): AsyncGenerator<Page> {
    let next: Query | undefined = query
    while (next) {
      const page: Page = await ask(next)
      yield page
      next = after(paging, next, page)
    }
  }

  async function* items(): AsyncGenerator<Item> {
    // Rows inserted while we read push others to the next page, where they appear again.
    const seen = new Set<unknown>()
    for await (const page of pages())
      for (const item of itemsOf<Item>(paging, page)) {
        const id = member(item, 'id')
        if (paging.by !== 'cursor' && id !== undefined) {
          if (seen.has(id)) continue
          seen.add(id)
        }
        yield item
      }
  }

  return {
    // biome-ignore lint/suspicious/noThenProperty: it is a promise, and asks when it is first awaited
    then: (fulfilled, rejected) => one().then(fulfilled, rejected),
    catch: (rejected) => one().catch(rejected),
    finally: (done) => one().finally(done),
    [Symbol.toStringTag]: 'List',
    pages,
    [Symbol.asyncIterator]: items,
  }
}

const itemsOf = <Item>({ items }: Paging, page: unknown) => member(page, items) as Item[]

/** The query of the next page, if there is one. */
function after(paging: Paging, query: Query, page: unknown): Query | undefined {
  const count = itemsOf(paging, page).length
  if (count === 0) return undefined
  if (paging.by === 'cursor')
    return member(page, 'has_more') ? { ...query, starting_after: member(page, 'next_cursor') } : undefined
  const total = Number(member(page, 'total'))
  if (paging.by === 'offset') {
    const offset = Number(query.offset ?? 0) + count
    return offset < total ? { ...query, offset } : undefined
  }
  const number = Number(query.page ?? 1)
  const size = Number(member(page, paging.size) ?? query[paging.size] ?? count)
  return number * size < total ? { ...query, page: number + 1 } : undefined
}
