import type { api as types } from '@frontdesk/sdk'
import { Anchor, Skeleton, Text } from '@mantine/core'
import {
  IconArrowDownLeft,
  IconArrowUpRight,
  IconCalendar,
  IconCheckbox,
  IconFlag,
  IconNote,
  IconPhone,
  IconRobot,
  IconStar,
  IconUser,
  IconUserPlus,
} from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { api } from '../../app/api.ts'
import { Moment } from '../../parts/moment.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { useRecord } from '../../parts/use-records.ts'
import classes from './inbox.module.css'
import { PanelSection } from './panel-section.tsx'

const icons: Record<types.Activity['type'], typeof IconUser> = {
  contact_created: IconUserPlus,
  note_added: IconNote,
  meeting_scheduled: IconCalendar,
  call_logged: IconPhone,
  stage_changed: IconFlag,
  lead_score_changed: IconStar,
  handoff_to_human: IconUser,
  handoff_to_ai: IconRobot,
  task_created: IconCheckbox,
  task_completed: IconCheckbox,
  message_inbound: IconArrowDownLeft,
  message_outbound: IconArrowUpRight,
}

const word = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** What happened, and what there is to say about it. */
function wordsOf({ type, payload }: types.Activity): [what: string, detail: string] {
  switch (type) {
    case 'contact_created':
      return ['Contact added', '']
    case 'note_added':
      return ['Note', word(payload.note)]
    case 'meeting_scheduled':
      return ['Meeting', word(payload.title) || word(payload.note)]
    case 'call_logged':
      return ['Call', word(payload.summary) || word(payload.note) || word(payload.status)]
    case 'stage_changed':
      return ['Stage', [payload.old_stage, payload.new_stage].map(word).filter(Boolean).join(' → ')]
    case 'lead_score_changed':
      return ['Score', word(payload.score) || word(payload.new_score)]
    case 'handoff_to_human':
      return ['Handed to a person', word(payload.reason)]
    case 'handoff_to_ai':
      return ['Handed to the AI', word(payload.reason)]
    case 'task_created':
      return ['Task added', word(payload.title)]
    case 'task_completed':
      return ['Task done', word(payload.title)]
    case 'message_inbound':
      return ['Wrote', word(payload.preview)]
    case 'message_outbound':
      return ['Was written to', word(payload.preview)]
  }
}

const most = 100

/** What there was with this contact besides and before, newest first. */
export function ContactTimeline({ contactId }: { contactId: string }) {
  const [limit, setLimit] = useState(15)
  const { data, error, refetch } = useRecord(['activities', contactId, limit], (signal) =>
    api.contacts.listActivities(contactId, { limit }, { signal }),
  )
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  return (
    <PanelSection title="Timeline">
      {!data && <Skeleton height={120} />}
      <ol className={classes.timeline}>
        {data?.activities.map((activity) => {
          const Icon = icons[activity.type]
          const [what, detail] = wordsOf(activity)
          return (
            <li key={activity.id}>
              <Icon size={14} aria-hidden />
              <div>
                <Text size="sm" component="div">
                  {what}{' '}
                  <Text span size="xs" c="dimmed">
                    <Moment at={activity.created_at} />
                  </Text>
                </Text>
                {detail && (
                  <Text size="xs" c="dimmed" lineClamp={2} dir="auto">
                    {detail}
                  </Text>
                )}
              </div>
            </li>
          )
        })}
      </ol>
      {data?.has_more &&
        (limit < most ? (
          <Anchor component="button" size="xs" onClick={() => setLimit(Math.min(most, limit + 30))}>
            Earlier
          </Anchor>
        ) : (
          <Anchor component={Link} to={`/contacts/${contactId}`} size="xs">
            All of it on the contact's page
          </Anchor>
        ))}
    </PanelSection>
  )
}
