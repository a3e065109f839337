import { useSearchParams } from 'react-router'

export interface Filters<Name extends string> {
  values: Partial<Record<Name, string>>
  set(changes: { [N in Name]?: string | null | undefined }): void
  isFiltered: boolean
  clear(): void
}

/** The filters of a list, kept in the address: they can be shared, reloaded and reached with the back button. */
export function useFilters<Name extends string>(names: readonly Name[]): Filters<Name> {
  const [params, setParams] = useSearchParams()
  const values = Object.fromEntries(names.map((name) => [name, params.get(name) || undefined])) as Partial<
    Record<Name, string>
  >
  const set = (changes: { [N in Name]?: string | null | undefined }) => {
    // The address itself: a record that was opened a moment ago is not in the parameters of the last rendering yet.
    const next = new URLSearchParams(window.location.search)
    for (const [name, value] of Object.entries<string | null | undefined>(changes))
      if (value) next.set(name, value)
      else next.delete(name)
    // A changed filter starts at the first page.
    next.delete('after')
    next.delete('page')
    setParams(next, { replace: true })
  }
  return {
    values,
    set,
    isFiltered: names.some((name) => values[name] !== undefined),
    clear: () => set(Object.fromEntries(names.map((name) => [name, undefined])) as Partial<Record<Name, undefined>>),
  }
}

export const asBoolean = (value: string | undefined): boolean | undefined =>
  value === 'true' ? true : value === 'false' ? false : undefined
