import type { api as types } from '@frontdesk/sdk'
import { Checkbox, CloseButton, FileInput, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import { api } from '../../data/api.ts'
import { useApiForm } from '../../data/use-api-form.ts'
import { FormButtons } from '../../ui/form-buttons.tsx'

interface Props {
  /** Undefined for a new one. */
  reply: types.SavedReply | undefined
  close(): void
  onSaved(): void
}

export function SavedReplyForm({ opened, ...props }: Props & { opened: boolean }) {
  const title = props.reply ? `Edit ${props.reply.name}` : 'New saved reply'
  return (
    <Modal opened={opened} onClose={props.close} title={title} size="lg">
      <Form {...props} />
    </Modal>
  )
}

interface Values {
  name: string
  body: string
  shared: boolean
  file: File | null
  keepsFile: boolean
}

function Form({ reply, close, onSaved }: Props) {
  const form = useApiForm<Values>({
    initialValues: {
      name: reply?.name ?? '',
      body: reply?.body ?? '',
      shared: reply?.shared ?? true,
      file: null,
      keepsFile: true,
    },
    async submit({ name, body, shared, file, keepsFile }) {
      const values = { name, body, shared }
      const { id } = await (reply ? api.savedReplies.update(reply.id, values) : api.savedReplies.create(values))
      if (file) await api.savedReplies.putAttachment(id, { file })
      else if (reply?.attachment && !keepsFile) await api.savedReplies.deleteAttachment(id)
      onSaved()
    },
  })
  const { values } = form
  const present = reply?.attachment
  return (
    <form onSubmit={form.onSubmit}>
      <Stack gap="md">
        <TextInput
          label="Name"
          description="What members type after /"
          placeholder="opening hours"
          required
          data-autofocus
          {...form.field('name')}
        />
        <Textarea
          label="Text"
          description="Fields of the contact are filled in: {{contact.first_name|there}}"
          autosize
          minRows={4}
          maxRows={12}
          dir="auto"
          {...form.field('body')}
        />
        {present && values.keepsFile && !values.file ? (
          <div>
            <Text size="sm" fw={500}>
              Attachment
            </Text>
            <Group gap={6}>
              <IconPaperclip size={14} aria-hidden />
              <Text size="sm">{present.file_name}</Text>
              <CloseButton size="sm" aria-label="Remove the attachment" onClick={() => form.set('keepsFile', false)} />
            </Group>
          </div>
        ) : (
          <FileInput
            label="Attachment"
            placeholder="Choose a file"
            clearable
            value={values.file}
            onChange={(file) => form.set('file', file)}
            error={form.errors.file}
          />
        )}
        <Checkbox
          label="Share with all members"
          checked={values.shared}
          onChange={({ currentTarget }) => form.set('shared', currentTarget.checked)}
          error={form.errors.shared}
        />
        <FormButtons form={form} action={reply ? 'Save' : 'Create saved reply'} cancel={close} />
      </Stack>
    </form>
  )
}
