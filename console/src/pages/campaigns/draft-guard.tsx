import { Button, Group, Modal, Text } from '@mantine/core'
import { useBlocker } from 'react-router'
import { dropDraft } from './campaign-draft.ts'

/** Asks whether to keep or discard an unfinished draft. */
export function DraftGuard({ isDirty, which }: { isDirty: boolean; which: string }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname,
  )
  if (blocker.state !== 'blocked') return null
  return (
    <Modal opened onClose={() => blocker.reset()} title="Leave this draft?">
      <Text mb="md">Nothing has been sent. Keep the draft in this tab, or discard it.</Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="subtle" color="gray" onClick={() => blocker.reset()}>
          Stay
        </Button>
        <Button
          variant="default"
          onClick={() => {
            dropDraft(which)
            blocker.proceed()
          }}
        >
          Discard draft
        </Button>
        <Button onClick={() => blocker.proceed()} data-autofocus>
          Keep draft
        </Button>
      </Group>
    </Modal>
  )
}
