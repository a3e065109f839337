import { useLocation, useNavigate, useSearchParams } from 'react-router'

/**
 * The open page of a list, as the API's cursor in the address. The cursors of earlier pages are kept in the history
 * state; after opening a link, "Previous" leads to the first page.
 */
export function usePageCursor() {
  const navigate = useNavigate()
  const { state } = useLocation()
  const [params] = useSearchParams()
  const after = params.get('after') ?? undefined
  const page = after ? Number(params.get('page')) || 2 : 1
  const trail: (string | null)[] = Array.isArray(state?.trail) ? state.trail : []

  function go(cursor: string | null, number: number, before: (string | null)[]) {
    const next = new URLSearchParams(params)
    if (cursor) {
      next.set('after', cursor)
      next.set('page', String(number))
    } else {
      next.delete('after')
      next.delete('page')
    }
    void navigate({ search: next.toString() }, { state: { trail: before } })
  }

  return {
    after,
    page,
    first: () => go(null, 1, []),
    next: (cursor: string) => go(cursor, page + 1, [...trail, after ?? null]),
    previous: () => go(trail.at(-1) ?? null, trail.length > 0 ? page - 1 : 1, trail.slice(0, -1)),
  }
}
