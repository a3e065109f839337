import { Button, Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'

/** The foot of a paged table: the position, and the previous and next page. */
export function Pager({
  page,
  size,
  shown,
  total,
  hasMore,
  onNext,
  onPrevious,
}: {
  page: number
  size: number
  shown: number
  total: number | undefined
  hasMore: boolean
  onNext(): void
  onPrevious(): void
}) {
  const first = (page - 1) * size + 1
  return (
    <Group justify="space-between" py="xs" gap="xs">
      <Text size="xs" c="dimmed" aria-live="polite">
        {total === undefined || shown === 0
          ? ''
          : `${first.toLocaleString()}–${(first + shown - 1).toLocaleString()} of ${total.toLocaleString()}`}
      </Text>
      {(page > 1 || hasMore) && (
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            disabled={page === 1}
            onClick={onPrevious}
            leftSection={<IconChevronLeft size={14} />}
          >
            Previous
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={!hasMore}
            onClick={onNext}
            rightSection={<IconChevronRight size={14} />}
          >
            Next
          </Button>
        </Group>
      )}
    </Group>
  )
}
