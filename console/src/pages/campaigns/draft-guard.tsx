import { Button, Group, Modal, Text } from '@mantine/core'
import { useBlocker } from 'react-router'
import { dropDraft } from './campaign-draft.ts'

/** Whoever leaves half-way says what becomes of the draft. */
export function DraftGuard({ isDirty, which }: { isDirty: boolean; which: string }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname,
  )
  if (blocker.state !== 'blocked') return null
  return (
    <Modal opened onClose={() => blocker.reset()} title="Leave the draft?">
      <Text mb="md">Nothing has been sent. The draft can wait for you in this tab, or be thrown away.</Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="subtle" color="gray" onClick={() => blocker.reset()}>
          Stay here
        </Button>
        <Button
          variant="default"
          onClick={() => {
            dropDraft(which)
            blocker.proceed()
          }}
        >
          Discard it
        </Button>
        <Button onClick={() => blocker.proceed()} data-autofocus>
          Keep it and leave
        </Button>
      </Group>
    </Modal>
  )
}
