import type { api as types } from '@frontdesk/sdk'
import { List, Modal, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { api } from '../../data/api.ts'
import { useSession } from '../../data/session.tsx'
import { useApiForm } from '../../data/use-api-form.ts'
import { callName } from '../../records/contacts/stages.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { showDone } from '../../ui/undo.tsx'

/** Deleting cannot be undone, so it needs a typed confirmation. */
export function DeleteContact({
  contact,
  opened,
  onClose,
}: {
  contact: types.Contact
  opened: boolean
  onClose(): void
}) {
  const { mode } = useSession()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const name = callName(contact)
  const form = useApiForm({
    initialValues: { word: '' },
    async submit() {
      await api.contacts.delete(contact.id)
      await navigate('/contacts', { replace: true })
      queries.removeQueries({ queryKey: [mode, 'contacts', contact.id] })
      await queries.invalidateQueries({ queryKey: [mode, 'contacts'] })
      showDone(`Deleted ${name}`)
    },
  })
  const isSure = form.values.word.trim().toLowerCase() === 'delete'
  return (
    <Modal opened={opened} onClose={onClose} title={`Delete ${name}?`}>
      <DialogForm form={form} action="Delete contact" color="red" canSubmit={isSure} cancel={onClose} gap="sm">
        <List size="sm">
          <List.Item>The timeline, all tasks, conversations and messages are deleted too.</List.Item>
          <List.Item>Call logs and campaign deliveries are kept without a name.</List.Item>
          <List.Item>If they message you again, they become a new contact, and their opt-out is lost.</List.Item>
        </List>
        <TextInput
          label={
            <Text span size="sm">
              You cannot undo this. Type <b>delete</b> to confirm.
            </Text>
          }
          autoComplete="off"
          data-autofocus
          {...form.field('word')}
        />
      </DialogForm>
    </Modal>
  )
}
