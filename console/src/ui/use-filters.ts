import { useSearchParams } from 'react-router'

/** What a list is narrowed to lives in the address, so that it can be shared, reloaded and gone back to. */
export function useFilters<Name extends string>(names: readonly Name[]) {
  const [params, setParams] = useSearchParams()
  const values = Object.fromEntries(names.map((name) => [name, params.get(name) || undefined])) as Partial<
    Record<Name, string>
  >
  /** Another filter starts at the list's beginning again. */
  const set = (changes: { [N in Name]?: string | null | undefined }) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current)
        for (const [name, value] of Object.entries<string | null | undefined>(changes))
          if (value) next.set(name, value)
          else next.delete(name)
        next.delete('after')
        next.delete('page')
        return next
      },
      { replace: true },
    )
  return {
    values,
    set,
    isFiltered: names.some((name) => values[name] !== undefined),
    clear: () => set(Object.fromEntries(names.map((name) => [name, undefined])) as Partial<Record<Name, undefined>>),
  }
}

export const asBoolean = (value: string | undefined): boolean | undefined =>
  value === 'true' ? true : value === 'false' ? false : undefined
