import type { api as types } from '@frontdesk/sdk'
import { Button, Group, Input, Text, TextInput } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { Moment } from '../../ui/moment.tsx'

export const isOverdue = ({ status, due_at }: types.Task): boolean =>
  status === 'pending' && due_at !== null && Date.parse(due_at) < Date.now()

/** The due date. Overdue tasks say so in text, not by colour alone. */
export function Due({ task }: { task: types.Task }) {
  if (!task.due_at)
    return (
      <Text span size="sm" c="dimmed">
        No date
      </Text>
    )
  if (!isOverdue(task))
    return (
      <Text span size="sm">
        Due <Moment at={task.due_at} />
      </Text>
    )
  return (
    <Group gap={4} wrap="nowrap" component="span" c="var(--mantine-color-error)" style={{ display: 'inline-flex' }}>
      <IconAlertCircle size={14} aria-hidden />
      <Text span size="sm" fw={500}>
        <span className="sr-only">Overdue: </span>
        Due <Moment at={task.due_at} />
      </Text>
    </Group>
  )
}

const two = (number: number) => String(number).padStart(2, '0')

/** Format of `<input type="datetime-local">`, in the viewer's time zone. */
export function toLocal(instant: string | null): string {
  if (!instant) return ''
  const at = new Date(instant)
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`
}

export const fromLocal = (local: string): string | null => (local ? new Date(local).toISOString() : null)

/** A day counted from today, at this hour of the viewer's time zone. */
const inDays = (days: number, hour: number): string => {
  const now = new Date()
  return toLocal(new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour).toISOString())
}

const untilMonday = () => (8 - new Date().getDay()) % 7 || 7

export function DueInput({
  value,
  onChange,
  error,
}: {
  value: string
  onChange(value: string): void
  error?: string | undefined
}) {
  const choices: [string, string][] = [
    ['Today', inDays(0, 17)],
    ['Tomorrow', inDays(1, 9)],
    ['Next Monday', inDays(untilMonday(), 9)],
  ]
  return (
    <div>
      <TextInput
        label="Due"
        type="datetime-local"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
      />
      <Group gap={4} mt={4}>
        {choices.map(([label, due]) => (
          <Button key={label} variant="default" size="compact-xs" onClick={() => onChange(due)}>
            {label}
          </Button>
        ))}
        {value && (
          <Button variant="subtle" color="gray" size="compact-xs" onClick={() => onChange('')}>
            No date
          </Button>
        )}
      </Group>
      <Input.Description mt={4}>Your time zone: {Intl.DateTimeFormat().resolvedOptions().timeZone}</Input.Description>
    </div>
  )
}
