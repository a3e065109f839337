import { Anchor } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { api } from '../../data/api.ts'
import { useSession } from '../../data/session.tsx'

const key = 'watched-imports'

/** An import that somebody started can be left: wherever they are, they are told when it has ended. */
export function useWatchedImports() {
  const { mode } = useSession()
  const [all, setAll] = useLocalStorage<{ id: string; mode: string }[]>({
    key,
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  return {
    ids: all.filter((each) => each.mode === mode).map(({ id }) => id),
    watch: (id: string) => setAll((current) => [...current, { id, mode }]),
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
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { data, error } = useQuery({
    queryKey: [mode, 'imports', id],
    queryFn: async ({ signal }) => api.contacts.getImport(id, { signal }),
    refetchInterval: (query) => (isOver(query.state.data?.state) || query.state.error ? false : 2000),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it has ended
  useEffect(() => {
    // One that is not there any more, or belongs to another organization, is no news.
    if (error) forget(id)
    if (!data || !isOver(data.state)) return
    forget(id)
    void queries.invalidateQueries({ queryKey: [mode, 'contacts'] })
    void queries.invalidateQueries({ queryKey: [mode, 'imports'] })
    const { created, updated, invalid } = data.counts
    const parts = [
      `${created.toLocaleString()} created`,
      updated > 0 && `${updated.toLocaleString()} updated`,
      invalid > 0 && `${invalid.toLocaleString()} rows could not be used`,
    ]
    const shown = `import-${id}`
    const open = () => {
      notifications.hide(shown)
      void navigate(`/contacts/import?id=${id}`)
    }
    notifications.show({
      id: shown,
      autoClose: 15_000,
      color: data.state === 'failed' ? 'red' : 'green',
      title: data.state === 'failed' ? `The import of ${data.file_name} failed` : `${data.file_name} is imported`,
      message: (
        <>
          {data.state === 'failed' ? data.error : parts.filter(Boolean).join(', ')}.{' '}
          <Anchor component="button" size="sm" onClick={open}>
            See the report
          </Anchor>
        </>
      ),
    })
  }, [data?.state, error])
  return null
}
