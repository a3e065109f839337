import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { errorText } from './error-text.ts'

/** Confirms an action and offers to undo it. */
export function showDone(message: string, undo?: () => Promise<unknown>): void {
  const takeBack = async () => {
    notifications.hide(id)
    try {
      await undo?.()
    } catch (error) {
      showFault(error, 'Could not undo')
    }
  }
  const id = notifications.show({
    autoClose: undo ? 8000 : 4000,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm">{message}</Text>
        {undo && (
          <Button size="compact-xs" variant="light" onClick={() => void takeBack()}>
            Undo
          </Button>
        )}
      </Group>
    ),
  })
}

export function showFault(error: unknown, title = 'Something went wrong'): void {
  notifications.show({ color: 'red', title, message: errorText(error), autoClose: 8000 })
}
