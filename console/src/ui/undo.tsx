import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { errorText } from './error-text.ts'

/** What needs no answer leaves sooner than errors and toasts with a button. */
const confirmationMs = 5_000

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
    ...(!undo && { autoClose: confirmationMs }),
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

export function showFault(
  error: unknown,
  title = 'Something went wrong',
  action?: { label: string; run(): void },
): void {
  const act = () => {
    notifications.hide(id)
    action?.run()
  }
  const id = notifications.show({
    color: 'red',
    title,
    message: action ? (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm">{errorText(error)}</Text>
        <Button size="compact-xs" variant="light" onClick={act} flex="none">
          {action.label}
        </Button>
      </Group>
    ) : (
      errorText(error)
    ),
  })
}
