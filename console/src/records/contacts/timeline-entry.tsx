import type { api as types } from '@frontdesk/sdk'
import { Anchor, Text } from '@mantine/core'
import {
  IconArrowsExchange,
  IconCalendarEvent,
  IconChartLine,
  IconCheckbox,
  IconFlag,
  IconMessage,
  IconMessageReply,
  IconNote,
  IconPhone,
  IconRobot,
  IconSquarePlus,
  IconUser,
  IconUserPlus,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Moment } from '../../ui/moment.tsx'
import classes from './timeline.module.css'

type Activity = types.Activity
type Payload = Activity['payload']

/** Integrations may put anything into a payload; only text and numbers are shown. */
function text(payload: Payload, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = payload[name]
    if (typeof value === 'string' && value.trim() !== '') return value
    if (typeof value === 'number') return String(value)
  }
  return undefined
}

/** The service writes `[image] Our menu` for a file with a text. */
const previewText = (payload: Payload): string | undefined =>
  text(payload, 'preview', 'note')?.replace(
    /^\[(image|video|audio|document)\]( ?)/,
    (_, kind: string, more: string) =>
      `${kind === 'audio' ? 'Voice message' : kind[0]?.toUpperCase() + kind.slice(1)}${more && ': '}`,
  )

export const durationOf = (seconds: number): string => {
  const minutes = Math.floor(seconds / 60)
  return minutes > 0 ? `${minutes} min ${Math.round(seconds % 60)} s` : `${Math.round(seconds)} s`
}

interface Reading {
  icon: typeof IconNote
  title: ReactNode
  body?: string | undefined
  isNote?: boolean
}

const about = (payload: Payload) => text(payload, 'note', 'reason', 'summary', 'description')

const readings: Record<Activity['type'], (payload: Payload) => Reading> = {
  contact_created: (payload) => ({ icon: IconUserPlus, title: 'Contact created', body: about(payload) }),
  note_added: (payload) => ({ icon: IconNote, title: 'Note', body: about(payload), isNote: true }),
  meeting_scheduled: (payload) => ({
    icon: IconCalendarEvent,
    title: ['Meeting scheduled', text(payload, 'title', 'subject')].filter(Boolean).join(': '),
    body: [text(payload, 'starts_at', 'scheduled_at', 'at', 'time'), about(payload)].filter(Boolean).join('\n'),
  }),
  call_logged: callReading,
  stage_changed: (payload) => ({
    icon: IconFlag,
    title: (
      <>
        Stage changed from <b>{text(payload, 'old_stage') ?? 'none'}</b> to{' '}
        <b>{text(payload, 'new_stage') ?? 'none'}</b>
      </>
    ),
    body: about(payload),
  }),
  lead_score_changed: (payload) => {
    const [from, to] = [text(payload, 'old_score'), text(payload, 'new_score', 'score')]
    return {
      icon: IconChartLine,
      title: ['Lead score changed', from && `from ${from}`, to && `to ${to}`].filter(Boolean).join(' '),
      body: about(payload),
    }
  },
  handoff_to_human: (payload) => ({ icon: IconUser, title: 'Handed off to a person', body: about(payload) }),
  handoff_to_ai: (payload) => ({ icon: IconRobot, title: 'Handed off to AI', body: about(payload) }),
  task_created: (payload) => ({ icon: IconSquarePlus, title: <TaskTitle word="Task" payload={payload} /> }),
  task_completed: (payload) => ({ icon: IconCheckbox, title: <TaskTitle word="Task completed" payload={payload} /> }),
  message_inbound: (payload) => ({
    icon: IconMessage,
    title: 'Message received',
    body: previewText(payload),
  }),
  message_outbound: (payload) => ({
    icon: IconMessageReply,
    title: payload.campaign_id ? (
      <>
        Message sent by a{' '}
        <Anchor component={Link} to={`/campaigns/${String(payload.campaign_id)}`} inherit underline="always">
          campaign
        </Anchor>
      </>
    ) : (
      'Message sent'
    ),
    body: previewText(payload),
  }),
}

function callReading(payload: Payload): Reading {
  const id = text(payload, 'call_log_id')
  const seconds = payload.duration_seconds
  const status = text(payload, 'status')
  const words = [
    payload.direction === 'inbound' ? 'Inbound call' : payload.direction === 'outbound' ? 'Outbound call' : 'Call',
    typeof seconds === 'number' && seconds > 0 ? durationOf(seconds) : undefined,
    status === 'completed' ? undefined : status?.replace('-', ' '),
  ]
  const title = words.filter(Boolean).join(', ')
  return {
    icon: IconPhone,
    title: id ? (
      <Anchor component={Link} to={`/calls/${id}`} inherit>
        {title}
      </Anchor>
    ) : (
      title
    ),
    body: about(payload),
  }
}

function TaskTitle({ word, payload }: { word: string; payload: Payload }) {
  return (
    <>
      {word}: <b>{text(payload, 'title') ?? 'untitled'}</b>
    </>
  )
}

/** Who did it. Entries by the system have no author. */
function actorText(
  { actor_type, actor_id, type, payload }: Activity,
  nameOf: (id: string | null) => string | undefined,
) {
  if (type === 'message_inbound' || payload.campaign_id) return undefined
  if (actor_type === 'ai') return 'by AI'
  if (actor_type === 'system') return undefined
  const name = nameOf(actor_id)
  return name ? `by ${name}` : undefined
}

export function TimelineEntry({
  activity,
  nameOf,
  isBrief = false,
}: {
  activity: Activity
  nameOf: (id: string | null) => string | undefined
  /** Shortened, for the panel beside a conversation. */
  isBrief?: boolean
}) {
  // Types added by a newer service are shown by their name.
  const read = readings[activity.type] ?? (() => ({ icon: IconArrowsExchange, title: activity.type }))
  const { icon: Icon, title, body, isNote } = read(activity.payload)
  const actor = actorText(activity, nameOf)
  return (
    <li className={classes.entry} data-brief={isBrief || undefined}>
      <span className={classes.icon} aria-hidden>
        <Icon size={15} stroke={1.6} />
      </span>
      <div>
        <div className={classes.line}>
          <span>
            {title}
            {actor && (
              <Text span c="dimmed" inherit>
                {' '}
                {actor}
              </Text>
            )}
          </span>
          <Text span size="xs" c="dimmed">
            <Moment at={activity.created_at} />
          </Text>
        </div>
        {body && (
          <div className={isNote ? `${classes.body} ${classes.note}` : classes.body} dir="auto">
            {body}
          </div>
        )}
      </div>
    </li>
  )
}
