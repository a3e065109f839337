import { Button, Group, Text } from '@mantine/core'
import { type NotificationData, notifications } from '@mantine/notifications'

export interface ToastAction {
  label: string
  run(): void
}

/** Shows a toast with a button that closes it. A click handler on the toast itself would not be reachable by keyboard. */
export function showWithButton({ message, ...look }: NotificationData, { label, run }: ToastAction): void {
  const act = () => {
    notifications.hide(id)
    run()
  }
  const id = notifications.show({
    ...look,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text component="span" size="sm" style={{ overflowWrap: 'anywhere' }}>
          {message}
        </Text>
        <Button size="compact-xs" variant="light" flex="none" onClick={act}>
          {label}
        </Button>
      </Group>
    ),
  })
}
