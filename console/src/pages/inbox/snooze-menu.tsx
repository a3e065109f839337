import { Button, Menu, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBellZ } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { snoozeTimes } from './snooze-times.ts'
import { timeText } from './time-text.ts'

/** Chooses when a conversation comes back. `target` opens the menu. */
export function SnoozeMenu({
  target,
  isSnoozed = false,
  onSnooze,
}: {
  target: ReactNode
  isSnoozed?: boolean
  onSnooze(until: string | null): void
}) {
  const [isChoosing, choosing] = useDisclosure()
  return (
    <>
      <Menu position="bottom-end" width={270}>
        <Menu.Target>{target}</Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Snooze until</Menu.Label>
          {snoozeTimes().map(({ label, until }) => (
            <Menu.Item
              key={label}
              onClick={() => onSnooze(until.toISOString())}
              rightSection={
                <Text span size="xs" c="dimmed">
                  {timeText(until)}
                </Text>
              }
            >
              {label}
            </Menu.Item>
          ))}
          <Menu.Item onClick={choosing.open}>Choose a time…</Menu.Item>
          {isSnoozed && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<IconBellZ size={14} />} onClick={() => onSnooze(null)}>
                End snooze
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isChoosing} onClose={choosing.close} title="Snooze until" size="sm">
        <ChooseTime
          onChoose={(until) => {
            choosing.close()
            onSnooze(until)
          }}
        />
      </Modal>
    </>
  )
}

function ChooseTime({ onChoose }: { onChoose(until: string): void }) {
  const [value, setValue] = useState('')
  const until = new Date(value)
  const isPast = value !== '' && !(until.getTime() > Date.now())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (value !== '' && !isPast) onChoose(until.toISOString())
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          type="datetime-local"
          label="Date and time"
          value={value}
          onChange={({ currentTarget }) => setValue(currentTarget.value)}
          error={isPast && 'Choose a time in the future'}
          data-autofocus
        />
        <Button type="submit" disabled={value === '' || isPast}>
          Snooze
        </Button>
      </Stack>
    </form>
  )
}
