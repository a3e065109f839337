import { useSearchParams } from 'react-router'

/** What a list is narrowed to stands in the address: it can be shared, bookmarked and come back to. */
export function useListFilters<Name extends string>(names: readonly Name[]) {
  const [params, setParams] = useSearchParams()
  const values = Object.fromEntries(names.map((name) => [name, params.get(name) || undefined])) as Partial<
    Record<Name, string>
  >
  return {
    values,
    isFiltered: names.some((name) => values[name] !== undefined),
    /** Another filter starts at the list's beginning again. */
    set(changes: Partial<Record<Name, string | undefined>>) {
      setParams(
        (current) => {
          const next = new URLSearchParams(current)
          for (const [name, value] of Object.entries<string | undefined>(changes as Record<string, string>))
            if (value) next.set(name, value)
            else next.delete(name)
          next.delete('after')
          next.delete('page')
          return next
        },
        { replace: true },
      )
    },
    clear() {
      this.set(Object.fromEntries(names.map((name) => [name, undefined])) as Partial<Record<Name, undefined>>)
    },
  }
}

export const asBoolean = (value: string | undefined): boolean | undefined =>
  value === 'true' ? true : value === 'false' ? false : undefined
