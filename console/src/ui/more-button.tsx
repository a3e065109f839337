import { Button, Center, Text } from '@mantine/core'

/** A list with a cursor, as far as its foot needs it. */
export interface Paged {
  rows: unknown[]
  total?: number | undefined
  hasNextPage?: boolean
  isFetchingNextPage?: boolean
  fetchNextPage?(): Promise<unknown>
}

/** The foot of a list: how much is shown, and a button for more. */
export function MoreButton({ list: { rows, total, hasNextPage, isFetchingNextPage, fetchNextPage } }: { list: Paged }) {
  return (
    <Center py="sm" style={{ flexDirection: 'column', gap: 8 }}>
      <Text size="xs" c="dimmed" aria-live="polite">
        {total === undefined ? '' : `${rows.length.toLocaleString()} of ${total.toLocaleString()}`}
      </Text>
      {hasNextPage && (
        <Button
          variant="default"
          size="xs"
          loading={isFetchingNextPage ?? false}
          onClick={() => void fetchNextPage?.()}
        >
          Show more
        </Button>
      )}
    </Center>
  )
}
