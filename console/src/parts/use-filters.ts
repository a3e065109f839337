import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

/** What a list is narrowed to lives in the address, so that it can be shared, reloaded and gone back to. */
export function useFilters<Name extends string>(names: readonly Name[]) {
  const [parameters, setParameters] = useSearchParams()
  const filters = Object.fromEntries(names.map((name) => [name, parameters.get(name) ?? undefined])) as {
    [N in Name]: string | undefined
  }
  const setFilter = useCallback(
    (name: Name, value: string | null | undefined) =>
      setParameters(
        (current) => {
          if (value) current.set(name, value)
          else current.delete(name)
          return current
        },
        { replace: true },
      ),
    [setParameters],
  )
  return {
    filters,
    setFilter,
    isFiltered: names.some((name) => parameters.has(name)),
    clearFilters: () =>
      setParameters(
        (current) => {
          for (const name of names) current.delete(name)
          return current
        },
        { replace: true },
      ),
  }
}
