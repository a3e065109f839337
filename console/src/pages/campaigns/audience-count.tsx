import { Card, Skeleton, Text } from '@mantine/core'
import { errorText } from '../../ui/error-text.ts'
import { people } from './campaign-standing.ts'
import classes from './campaigns.module.css'
import type { usePreflight } from './use-audience.ts'

/** How many would get it as it stands. */
export function AudienceCount({
  preflight: { data, isReady, error, isFetching },
}: {
  preflight: ReturnType<typeof usePreflight>
}) {
  return (
    <Card withBorder mb="md" padding="sm" maw={340}>
      <Text size="sm" c="dimmed">
        Would get it
      </Text>
      <div className={classes.figure} aria-live="polite" data-fetching={isFetching || undefined}>
        {!isReady ? '–' : data ? people(data.recipients) : error ? '–' : <Skeleton height={28} width={120} my={3} />}
      </div>
      <Text size="xs" c="dimmed">
        {!isReady
          ? 'Choose who gets it.'
          : error
            ? errorText(error)
            : data && data.total_contacts_count !== data.recipients
              ? `of ${data.total_contacts_count.toLocaleString('en')} in the audience`
              : 'everybody in the audience'}
      </Text>
    </Card>
  )
}
