import type { api as types } from '@frontdesk/sdk'
import { Box, Button, Center, Chip, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { useSession } from '../../data/session.tsx'
import classes from '../../records/contacts/timeline.module.css'
import { TimelineEntry } from '../../records/contacts/timeline-entry.tsx'
import { useMembers } from '../../records/members/use-members.ts'
import { ErrorState } from '../../ui/states.tsx'

type Activity = types.Activity

/** The filters of the timeline. */
const timelineKinds: { key: string; label: string; types: Activity['type'][] }[] = [
  { key: 'notes', label: 'Notes', types: ['note_added'] },
  { key: 'messages', label: 'Messages', types: ['message_inbound', 'message_outbound'] },
  { key: 'calls', label: 'Calls', types: ['call_logged'] },
  { key: 'tasks', label: 'Tasks', types: ['task_created', 'task_completed'] },
  { key: 'meetings', label: 'Meetings', types: ['meeting_scheduled'] },
  {
    key: 'changes',
    label: 'Changes',
    types: ['contact_created', 'stage_changed', 'lead_score_changed', 'handoff_to_human', 'handoff_to_ai'],
  },
]

const pageSize = 30

/** The activity of a contact, newest first, by day. */
export function Timeline({
  contactId,
  kinds,
  onKinds,
}: {
  contactId: string
  /** The chosen filters, if the page keeps them in its address; otherwise the timeline does. */
  kinds?: string[]
  onKinds?: (kinds: string[]) => void
}) {
  const [own, setOwn] = useState<string[]>([])
  const chosen = kinds ?? own
  const activities = useActivities(contactId, chosen)
  const { nameOf } = useMembers()
  return (
    <Box>
      <Chip.Group multiple value={chosen} onChange={onKinds ?? setOwn}>
        <Group gap={6} mb="xs" role="group" aria-label="Show only">
          {timelineKinds.map(({ key, label }) => (
            <Chip key={key} value={key} size="xs" variant="outline">
              {label}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      {activities.error && !activities.data ? (
        <ErrorState error={activities.error} retry={activities.refetch} />
      ) : !activities.data ? (
        <TimelineSkeleton />
      ) : activities.rows.length === 0 ? (
        <Text size="sm" c="dimmed" py="lg" ta="center">
          {chosen.length > 0 ? 'No matching activity.' : 'No activity yet.'}
        </Text>
      ) : (
        byDay(activities.rows).map(({ day, entries }) => (
          <section key={day} aria-label={day}>
            <h3 className={classes.day}>{day}</h3>
            <ol className={classes.entries}>
              {entries.map((activity) => (
                <TimelineEntry key={activity.id} activity={activity} nameOf={nameOf} />
              ))}
            </ol>
          </section>
        ))
      )}
      {activities.hasNextPage && (
        <Center pb="md">
          <Button
            variant="default"
            size="xs"
            loading={activities.isFetchingNextPage}
            onClick={() => void activities.fetchNextPage()}
          >
            Show earlier
          </Button>
        </Center>
      )}
    </Box>
  )
}

function useActivities(contactId: string, kinds: string[]) {
  const { mode } = useSession()
  const wanted = timelineKinds.filter(({ key }) => kinds.includes(key)).flatMap(({ types }) => types)
  const query = useInfiniteQuery({
    queryKey: [mode, 'activities', contactId, wanted],
    queryFn: async ({ pageParam, signal }) =>
      api.contacts.listActivities(
        contactId,
        { limit: pageSize, offset: pageParam, type: wanted.length > 0 ? wanted : undefined },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * pageSize : undefined),
    // The previous rows stay while a filter changes, but never across contacts.
    placeholderData: (before, asked) => (asked?.queryKey[2] === contactId ? before : undefined),
  })
  // New entries push others to the next page, so duplicates are removed.
  const rows = new Map(query.data?.pages.flatMap(({ activities }) => activities.map((each) => [each.id, each])))
  return { ...query, rows: [...rows.values()] }
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' })
const dayWithYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })

function dayOf(time: string): string {
  const at = new Date(time)
  const today = new Date()
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1)
  if (at.toDateString() === today.toDateString()) return 'Today'
  if (at.toDateString() === yesterday.toDateString()) return 'Yesterday'
  return (at.getFullYear() === today.getFullYear() ? dayFormat : dayWithYear).format(at)
}

function byDay(activities: Activity[]): { day: string; entries: Activity[] }[] {
  const days: { day: string; entries: Activity[] }[] = []
  for (const activity of activities) {
    const day = dayOf(activity.created_at)
    const last = days.at(-1)
    if (last?.day === day) last.entries.push(activity)
    else days.push({ day, entries: [activity] })
  }
  return days
}

function TimelineSkeleton() {
  return (
    <Stack gap="md" py="sm" aria-hidden>
      {[70, 45, 60, 50].map((width) => (
        <Group key={width} gap={10} wrap="nowrap">
          <Skeleton circle height={28} width={28} />
          <Skeleton height={14} width={`${width}%`} />
        </Group>
      ))}
    </Stack>
  )
}
