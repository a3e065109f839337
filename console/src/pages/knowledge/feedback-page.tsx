import type { api as types } from '@frontdesk/sdk'
import { Anchor, SegmentedControl, Text } from '@mantine/core'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { useCursorList } from '../../data/use-records.ts'
import { useMembers } from '../../records/members/use-members.ts'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { RecordList } from '../../ui/record-list.tsx'
import { useFilters } from '../../ui/use-filters.ts'
import { KnowledgeTabs } from './knowledge-tabs.tsx'

const empty = {
  down: {
    title: 'No bad answers',
    text: 'When a member rates an agent’s answer as bad in the inbox, it appears here with the reason.',
  },
  up: {
    title: 'No good answers',
    text: 'When a member rates an agent’s answer as good in the inbox, it appears here.',
  },
}

/** Answers of agents that members rated. */
export function FeedbackPage() {
  const filters = useFilters(['rating'])
  const rating = filters.values.rating === 'up' ? 'up' : 'down'
  const { nameOf } = useMembers()
  const list = useCursorList<types.Message>(['feedback', rating], (starting_after, signal) =>
    api.inbox.listRatedMessages({ rating, ...(starting_after && { starting_after }) }, { signal }),
  )
  return (
    <Page title="Knowledge" actions={<ApiRequest method="GET" path={`/inbox/feedback?rating=${rating}`} />}>
      <KnowledgeTabs value="feedback" />
      <SegmentedControl
        size="xs"
        mb="xs"
        aria-label="Rating"
        value={rating}
        onChange={(next) => filters.set({ rating: next === 'up' ? 'up' : null })}
        data={[
          { value: 'down', label: 'Bad answers' },
          { value: 'up', label: 'Good answers' },
        ]}
      />
      <RecordList
        label="Answers"
        list={list}
        empty={empty[rating]}
        columns={[
          {
            label: 'Answer',
            cell: ({ body, feedback, inbox_id }) => (
              <>
                {feedback?.reason && (
                  <Text size="sm" fw={550} dir="auto">
                    {feedback.reason}
                  </Text>
                )}
                <Text size="sm" {...(feedback?.reason && { c: 'dimmed' })} lineClamp={3} dir="auto">
                  {body}
                </Text>
                {inbox_id && (
                  <Anchor component={Link} to={`/inbox/${inbox_id}`} size="xs">
                    Open conversation
                  </Anchor>
                )}
              </>
            ),
          },
          {
            label: 'Rated by',
            from: 'sm',
            width: 160,
            cell: ({ feedback }) => nameOf(feedback?.member_id ?? null, 'You') ?? '–',
          },
          {
            label: 'Rated',
            width: 120,
            cell: ({ feedback }) => <Moment at={feedback?.rated_at ?? null} />,
          },
        ]}
      />
    </Page>
  )
}
