import { Button, Group, Modal, Text } from '@mantine/core'
import { useState } from 'react'
import { type Leave, useLeaveQuestion } from '../../ui/unsaved.tsx'
import { dropDraft } from './campaign-draft.ts'

/** Asks whether to keep or discard an unfinished draft. */
export function DraftGuard({ isDirty, which }: { isDirty: boolean; which: string }) {
  const [leave, setLeave] = useState<Leave>()
  useLeaveQuestion(isDirty, setLeave)
  if (!leave) return null
  const stay = () => {
    setLeave(undefined)
    leave.reset()
  }
  return (
    <Modal opened onClose={stay} title="Leave this draft?">
      <Text mb="md">Nothing has been sent. Keep the draft in this tab, or discard it.</Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="subtle" color="gray" onClick={stay}>
          Stay
        </Button>
        <Button
          variant="default"
          onClick={() => {
            dropDraft(which)
            leave.proceed()
          }}
        >
          Discard draft
        </Button>
        <Button onClick={() => leave.proceed()} data-autofocus>
          Keep draft
        </Button>
      </Group>
    </Modal>
  )
}
