import type { api as types } from '@frontdesk/sdk'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../data/api.ts'
import { useSession } from '../../data/session.tsx'
import { useCursorList } from '../../data/use-records.ts'

export const isUnderWay = ({ state }: Pick<types.ContactImport, 'state'>) => state === 'queued' || state === 'running'

/** Polled until the import has ended. */
export function useImport(id: string) {
  const { mode } = useSession()
  return useQuery({
    queryKey: [mode, 'imports', id],
    queryFn: async ({ signal }) => api.contacts.getImport(id, { signal }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? 700 : false),
  })
}

export const useImports = () =>
  useCursorList(['imports', 'list'], (starting_after, signal) =>
    api.contacts.listImports({ limit: 20, starting_after }, { signal }),
  )

/** The corrected columns of the mapping. */
export type Renamed = Record<string, string | null>

/** Files checked in this tab, so that importing does not require choosing the file again. */
export const checkedFiles = new Map<string, { file: File; columns: Renamed; country: string | null }>()
