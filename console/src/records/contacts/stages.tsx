import type { api as types } from '@frontdesk/sdk'
import { Group, Text } from '@mantine/core'
import { IconRobot, IconUser, IconUserQuestion } from '@tabler/icons-react'
import { Status, type Tone } from '../../ui/status.tsx'

export type Stage = types.Contact['stage']

export const stages: { value: Stage; label: string; tone: Tone }[] = [
  { value: 'new', label: 'New', tone: 'waiting' },
  { value: 'engaged', label: 'Engaged', tone: 'busy' },
  { value: 'qualified', label: 'Qualified', tone: 'busy' },
  { value: 'customer', label: 'Customer', tone: 'good' },
  { value: 'lost', label: 'Lost', tone: 'bad' },
]

/** Choices for a select. */
export const stageChoices = stages.map(({ value, label }) => ({ value, label }))

export const stageLabel = (stage: string) => stages.find(({ value }) => value === stage)?.label ?? stage

export function StageStatus({ stage }: { stage: Stage }) {
  return <Status tone={stages.find(({ value }) => value === stage)?.tone ?? 'waiting'}>{stageLabel(stage)}</Status>
}

type HandledBy = types.ContactWithIdentities['handled_by']

const handlers: Record<HandledBy, { label: string; Icon: typeof IconUser; title?: string }> = {
  ai: { label: 'AI', Icon: IconRobot },
  person: { label: 'Person', Icon: IconUser },
  no_one: {
    label: 'No one',
    Icon: IconUserQuestion,
    title: 'Handed off to AI, but no active agent answers now. Check the agent of the channel and its business hours.',
  },
}

/** Choices for a filter. */
export const handlerChoices = Object.entries(handlers).map(([value, { label }]) => ({ value, label }))

/** Who replies to the contact now. */
export function Handling({ by }: { by: HandledBy }) {
  const { label, Icon, title } = handlers[by]
  return (
    <Group
      gap={6}
      wrap="nowrap"
      component="span"
      style={{ display: 'inline-flex', verticalAlign: 'middle' }}
      title={title}
      {...(by === 'no_one' && { c: 'var(--mantine-color-error)' })}
    >
      <Icon size={15} stroke={1.6} aria-hidden />
      <Text span size="sm">
        {label}
      </Text>
    </Group>
  )
}

export const callName = ({
  name,
  phone_number,
  username,
}: {
  name: string
  phone_number: string
  username?: string | null
}): string => name || phone_number || (username ? `@${username}` : 'Unnamed contact')
