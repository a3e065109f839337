import { type api as types, ValidationError } from '@frontdesk/sdk'
import {
  Button,
  Checkbox,
  CloseButton,
  FileButton,
  Group,
  Modal,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import { useRef } from 'react'
import { api } from '../../data/api.ts'
import { FormFaults, useApiForm } from '../../data/use-api-form.ts'
import { acceptedFiles, fileFault } from '../../records/messages/attachments.ts'
import { DialogForm } from '../../ui/dialog-form.tsx'

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
  /** Those of the reply that stay. */
  kept: Attachment[]
  added: File[]
}

type Attachment = types.SavedReply['attachments'][number]

const mostFiles = 10

/** Saves the reply, then its files one by one. A save that failed halfway continues there when it is tried again. */
function useSaving(reply: types.SavedReply | undefined) {
  const saved = useRef(reply)
  const uploaded = useRef(new Map<File, string>())
  return async ({ kept, added, ...values }: Values): Promise<void> => {
    const { savedReplies } = api
    // A reply can lose its text only when it has a file.
    const isTextLast = saved.current !== undefined && values.body.trim() === ''
    let now =
      saved.current === undefined
        ? await savedReplies.create(values)
        : isTextLast
          ? saved.current
          : await savedReplies.update(saved.current.id, values)
    for (;;) {
      saved.current = now
      const stay = new Set([...kept.map(({ id }) => id), ...added.map((file) => uploaded.current.get(file))])
      const old = now.attachments.find(({ id }) => !stay.has(id))
      const file = added.find((each) => !uploaded.current.has(each))
      // Adds first where there is room: a reply without a text always needs a file.
      if (file && (now.attachments.length < mostFiles || !old)) {
        now = await savedReplies.addAttachment(now.id, { file }).catch((error: unknown) => nameFile(error, file))
        uploaded.current.set(file, now.attachments.at(-1)?.id ?? '')
      } else if (old) now = await savedReplies.removeAttachment(now.id, old.id)
      else break
    }
    if (isTextLast) await savedReplies.update(now.id, values)
  }
}

function nameFile(error: unknown, { name }: File): never {
  if (!(error instanceof ValidationError)) throw error
  throw new FormFaults(error.faults.map(({ loc, msg }) => ({ loc, msg: `${name}: ${msg}` })))
}

function Form({ reply, close, onSaved }: Props) {
  const save = useSaving(reply)
  const resetFiles = useRef<() => void>(null)
  const form = useApiForm<Values>({
    initialValues: {
      name: reply?.name ?? '',
      body: reply?.body ?? '',
      shared: reply?.shared ?? true,
      kept: reply?.attachments ?? [],
      added: [],
    },
    check: ({ body, kept, added }): Record<string, string> => ({
      ...(!reply && body.trim() === '' && { body: 'Write a text' }),
      ...(kept.length + added.length > mostFiles && { added: `A saved reply can have ${mostFiles} files` }),
      ...(added.some(fileFault) && { added: 'Remove files that can’t be sent' }),
    }),
    fieldOf: ([, field]) => (field === 'file' ? 'added' : field),
    async submit(values) {
      await save(values)
      onSaved()
    },
  })
  const { values } = form
  const { kept, added } = values
  return (
    <DialogForm form={form} action={reply ? 'Save' : 'Create saved reply'} cancel={close}>
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
      <div>
        <Text size="sm" fw={600} id="saved-reply-files">
          Attachments
        </Text>
        <Text size="xs" c="dimmed">
          Up to {mostFiles} files. WhatsApp sends each as a message of its own.
        </Text>
        <Stack
          gap={2}
          component="ul"
          m={0}
          p={0}
          my={4}
          style={{ listStyle: 'none' }}
          aria-labelledby="saved-reply-files"
        >
          {kept.map((each) => (
            <FileLine
              key={each.id}
              name={each.file_name}
              onRemove={() =>
                form.set(
                  'kept',
                  kept.filter((other) => other !== each),
                )
              }
            />
          ))}
          {added.map((each, i) => (
            <FileLine
              // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be added twice
              key={i}
              name={each.name}
              fault={fileFault(each)}
              onRemove={() => form.set('added', added.toSpliced(i, 1))}
            />
          ))}
        </Stack>
        <FileButton
          multiple
          accept={acceptedFiles}
          resetRef={resetFiles}
          onChange={(files) => {
            form.set('added', [...added, ...files])
            // The same file can be chosen again after it was removed.
            resetFiles.current?.()
          }}
        >
          {(props) => (
            <Button
              {...props}
              size="xs"
              variant="default"
              leftSection={<IconPaperclip size={14} />}
              disabled={kept.length + added.length >= mostFiles}
            >
              Add files
            </Button>
          )}
        </FileButton>
        {form.errors.added && (
          <Text size="xs" c="red" role="alert">
            {form.errors.added}
          </Text>
        )}
      </div>
      <Checkbox
        label="Share with all members"
        checked={values.shared}
        onChange={({ currentTarget }) => form.set('shared', currentTarget.checked)}
        error={form.errors.shared}
      />
    </DialogForm>
  )
}

function FileLine({ name, fault, onRemove }: { name: string; fault?: string | undefined; onRemove(): void }) {
  return (
    <li>
      <Group gap={6} wrap="nowrap">
        <IconPaperclip size={14} aria-hidden />
        <Text size="sm" truncate>
          {name}
        </Text>
        <CloseButton size="sm" aria-label={`Remove ${name}`} onClick={onRemove} />
      </Group>
      {fault && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {fault}
        </Text>
      )}
    </li>
  )
}
