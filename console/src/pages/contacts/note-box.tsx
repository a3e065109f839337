import { Button, Group, Textarea } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { api } from '../../data/api.ts'
import { useApiForm } from '../../data/use-api-form.ts'
import { useRefresh } from '../../data/use-records.ts'
import { FormError } from '../../ui/form-error.tsx'
import { useUnsavedGuard } from '../../ui/unsaved.tsx'

/** Adds a note to the timeline, visible to members only. */
export function NoteBox({ contactId }: { contactId: string }) {
  const refresh = useRefresh(['activities', contactId])
  const [isOpen, setOpen] = useState(false)
  const form = useApiForm({
    initialValues: { note: '' },
    async submit({ note }) {
      await api.contacts.createActivity(contactId, { type: 'note_added', note: note.trim() })
      form.reset()
      setOpen(false)
      await refresh()
    },
  })
  const hasText = form.values.note.trim() !== ''
  useUnsavedGuard(hasText && !form.isWorking)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey) && hasText) void form.submit()
  }
  return (
    <form onSubmit={form.onSubmit}>
      <Textarea
        aria-label="Note"
        placeholder="Add a note for your team"
        autosize
        minRows={isOpen || hasText ? 3 : 1}
        maxRows={12}
        mb="xs"
        dir="auto"
        onFocus={() => setOpen(true)}
        onKeyDown={onKeyDown}
        {...form.field('note')}
      />
      {(isOpen || hasText) && (
        <Group justify="flex-end" mb="sm" gap="xs">
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            onClick={() => {
              form.reset()
              setOpen(false)
            }}
          >
            Cancel
          </Button>
          <Button type="submit" size="xs" disabled={!hasText} loading={form.isWorking} title="Ctrl+Enter or ⌘+Enter">
            Add note
          </Button>
        </Group>
      )}
      <FormError form={form} />
    </form>
  )
}
