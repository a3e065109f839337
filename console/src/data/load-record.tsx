import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { Page } from '../ui/page.tsx'
import { ErrorState } from '../ui/states.tsx'
import { MissingRecord } from './missing-record.tsx'
import { isMissing } from './queries.ts'

/** Renders a record once it is loaded, with the states before: skeleton, error, not found. */
export function LoadRecord<T extends { id: string }>({
  what,
  id,
  query,
  children,
}: {
  /** The noun, as in "Agent not found". */
  what: string
  id: string
  query: { data: T | undefined; error: unknown; refetch(): unknown }
  children(record: T): ReactNode
}) {
  const { data, error, refetch } = query
  if (isMissing(error)) return <MissingRecord what={what} />
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  // After a navigation the query still holds the previous record.
  if (data?.id !== id)
    return (
      <Page title={what} head={<Skeleton height={28} width={220} />}>
        <Skeleton height={320} />
      </Page>
    )
  return children(data)
}
