import { Card, Skeleton, Text } from '@mantine/core'
import { errorText } from '../../ui/error-text.ts'
import { people } from './campaign-status.ts'
import classes from './campaigns.module.css'
import type { usePreflight } from './use-audience.ts'

/** The number of recipients of the draft. */
export function AudienceCount({
  preflight: { data, isReady, error, isFetching },
}: {
  preflight: ReturnType<typeof usePreflight>
}) {
  return (
    <Card withBorder mb="md" padding="sm" maw={340}>
      <Text size="sm" c="dimmed">
        Recipients
      </Text>
      <div className={classes.figure} aria-live="polite" data-fetching={isFetching || undefined}>
        {!isReady ? (
          '–'
        ) : data ? (
          data.recipients === 0 ? (
            'None'
          ) : (
            people(data.recipients)
          )
        ) : error ? (
          '–'
        ) : (
          <Skeleton height={28} width={120} my={3} />
        )}
      </div>
      <Text size="xs" c="dimmed">
        {!isReady
          ? 'Choose an audience.'
          : error
            ? errorText(error)
            : data?.total_contacts_count === 0
              ? 'No contact is in this audience.'
              : data && data.total_contacts_count !== data.recipients
                ? `of ${data.total_contacts_count.toLocaleString('en')} in the audience`
                : 'the whole audience'}
      </Text>
    </Card>
  )
}
