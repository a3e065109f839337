import { readLocalStorageValue, useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { api } from '../../data/api.ts'
import { useSession } from '../../data/session.tsx'
import { useRefresh } from '../../data/use-records.ts'
import { showWithButton } from '../../ui/toast-with-button.tsx'

const key = 'watched-imports'
interface Watched {
  id: string
  mode: string
}

/** Imports started in this browser. Their end is announced on whatever page is open. */
export function useWatchedImports() {
  const { mode } = useSession()
  const [all, setAll] = useLocalStorage<Watched[]>({
    key,
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  return {
    ids: all.filter((each) => each.mode === mode).map(({ id }) => id),
    // A function would not be called for a component that has unmounted: the member may leave before the response.
    watch: (id: string) => setAll([...readLocalStorageValue<Watched[]>({ key, defaultValue: [] }), { id, mode }]),
    forget: (id: string) => setAll((current) => current.filter((each) => each.id !== id)),
  }
}

export function ImportWatch() {
  const { ids } = useWatchedImports()
  return ids.map((id) => <Watch key={id} id={id} />)
}

const isOver = (state: string | undefined) => state === 'completed' || state === 'failed'

function Watch({ id }: { id: string }) {
  const { mode } = useSession()
  const { forget } = useWatchedImports()
  const refresh = useRefresh('contacts', 'imports')
  const navigate = useNavigate()
  const { data, error } = useQuery({
    queryKey: [mode, 'imports', id],
    queryFn: async ({ signal }) => api.contacts.getImport(id, { signal }),
    refetchInterval: (query) => (isOver(query.state.data?.state) || query.state.error ? false : 2000),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the import has ended
  useEffect(() => {
    // Deleted imports and those of another organization are dropped silently.
    if (error) forget(id)
    if (!data || !isOver(data.state)) return
    forget(id)
    void refresh()
    const { created, updated, invalid } = data.counts
    const parts = [
      `${created.toLocaleString()} created`,
      updated > 0 && `${updated.toLocaleString()} updated`,
      invalid > 0 && `${invalid.toLocaleString()} invalid rows`,
    ]
    showWithButton(
      {
        id: `import-${id}`,
        autoClose: 15_000,
        color: data.state === 'failed' ? 'red' : 'green',
        title: data.state === 'failed' ? `Import of ${data.file_name} failed` : `Imported ${data.file_name}`,
        message: `${data.state === 'failed' ? data.error : parts.filter(Boolean).join(', ')}.`,
      },
      { label: 'View report', run: () => void navigate(`/contacts/import?id=${id}`) },
    )
  }, [data?.state, error])
  return null
}
