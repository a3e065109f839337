import { Button, Center, Text } from '@mantine/core'

/** The foot of a list: how much is shown, and a button for more. */
export function MoreButton({
  shown,
  total,
  hasMore,
  isLoading,
  onMore,
}: {
  shown: number
  total: number | undefined
  hasMore: boolean
  isLoading: boolean
  onMore(): void
}) {
  return (
    <Center py="sm" style={{ flexDirection: 'column', gap: 8 }}>
      <Text size="xs" c="dimmed" aria-live="polite">
        {total === undefined ? '' : `${shown.toLocaleString()} of ${total.toLocaleString()}`}
      </Text>
      {hasMore && (
        <Button variant="default" size="xs" loading={isLoading} onClick={onMore}>
          Show more
        </Button>
      )}
    </Center>
  )
}

/** The same for a list with a cursor. */
export function MoreOf({
  list,
}: {
  list: {
    rows: unknown[]
    total: number | undefined
    hasNextPage: boolean
    isFetchingNextPage: boolean
    fetchNextPage(): Promise<unknown>
  }
}) {
  return (
    <MoreButton
      shown={list.rows.length}
      total={list.total}
      hasMore={list.hasNextPage}
      isLoading={list.isFetchingNextPage}
      onMore={() => void list.fetchNextPage()}
    />
  )
}
