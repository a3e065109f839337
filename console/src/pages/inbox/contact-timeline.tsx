import { Anchor, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'
import { TimelineEntry } from '../../records/contacts/timeline-entry.tsx'
import { useMembers } from '../../records/members/use-members.ts'
import { ErrorState } from '../../ui/states.tsx'
import classes from './inbox.module.css'
import { PanelSection } from './panel-section.tsx'

const most = 100

/** Recent activity of the contact, newest first. */
export function ContactTimeline({ contactId }: { contactId: string }) {
  const [limit, setLimit] = useState(15)
  const { nameOf } = useMembers()
  const { data, error, refetch } = useRecord(['activities', contactId, limit], (signal) =>
    api.contacts.listActivities(contactId, { limit }, { signal }),
  )
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  return (
    <PanelSection title="Timeline">
      {!data && <Skeleton height={120} />}
      <ol className={classes.timeline}>
        {data?.activities.map((activity) => (
          <TimelineEntry key={activity.id} activity={activity} nameOf={nameOf} isBrief />
        ))}
      </ol>
      {data?.has_more &&
        (limit < most ? (
          <Anchor component="button" size="xs" onClick={() => setLimit(Math.min(most, limit + 30))}>
            Show earlier
          </Anchor>
        ) : (
          <Anchor component={Link} to={`/contacts/${contactId}`} size="xs">
            View the full timeline
          </Anchor>
        ))}
    </PanelSection>
  )
}
