import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, Button, Group, Modal, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { hashKey } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { NewOutgoing } from '../../records/messages/outbox.ts'
import { AddButton } from '../../ui/add-button.tsx'
import { Counter } from '../../ui/counter.tsx'
import classes from './inbox.module.css'
import { Interactive, type InteractiveContent } from './rich-content.tsx'

type Kind = Extract<types.Interactive['type'], 'button' | 'list' | 'cta_url' | 'location_request_message'>

interface Row {
  title: string
  description: string
}

interface Values {
  kind: Kind
  body: string
  footer: string
  label: string
  url: string
  rows: Row[]
}

/** WhatsApp's limits. */
const most: Record<Kind, { rows: number; title: number; body: number }> = {
  button: { rows: 3, title: 20, body: 1024 },
  list: { rows: 10, title: 24, body: 4096 },
  cta_url: { rows: 0, title: 0, body: 1024 },
  location_request_message: { rows: 0, title: 0, body: 1024 },
}
const longest = { label: 20, description: 72, footer: 60, url: 2000 }

const kinds: { value: Kind; label: string }[] = [
  { value: 'button', label: 'Buttons' },
  { value: 'list', label: 'List' },
  { value: 'cta_url', label: 'Link' },
  { value: 'location_request_message', label: 'Location' },
]

const newRow = (): Row => ({ title: '', description: '' })

interface Props {
  opened: boolean
  onClose(): void
  /** The text written so far. */
  text?: string
  /** A message to change. */
  start?: Values | undefined
  onSend(message: Pick<NewOutgoing, 'body' | 'rich'>): void
}

/** Builds a message with something to tap. */
export function InteractiveSender({ opened, onClose, ...props }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title="Message with buttons" size="lg">
      <Builder {...props} />
    </Modal>
  )
}

function Builder({ text = '', start, onSend }: Pick<Props, 'text' | 'start' | 'onSend'>) {
  const [values, setValues] = useState<Values>(
    start ?? { kind: 'button', body: text, footer: '', label: '', url: '', rows: [newRow(), newRow()] },
  )
  const change = (changes: Partial<Values>) => setValues((current) => ({ ...current, ...changes }))
  const { kind, body, footer, label, url } = values
  const fault = faultIn(values)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The composer, whose form contains this one in the React tree, would send its text too.
    event.stopPropagation()
    if (fault) return
    const { body: words, ...interactive } = contentOf(values)
    onSend({ body: words, rich: { body: words, interactive } })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <SegmentedControl
          fullWidth
          aria-label="Kind of message"
          data={kinds}
          value={kind}
          onChange={(chosen) => change({ kind: chosen as Kind })}
        />
        <Textarea
          label="Text"
          autosize
          minRows={2}
          maxRows={8}
          maxLength={most[kind].body}
          value={body}
          description={<Counter text={body} most={most[kind].body} />}
          inputWrapperOrder={['label', 'input', 'description']}
          onChange={({ currentTarget }) => change({ body: currentTarget.value })}
          placeholder={kind === 'location_request_message' ? 'Where should we come?' : 'Which day suits you?'}
          dir="auto"
          data-autofocus
        />
        {(kind === 'list' || kind === 'cta_url') && (
          <TextInput
            label="Button label"
            maxLength={longest.label}
            {...counted(label, longest.label)}
            onChange={({ currentTarget }) => change({ label: currentTarget.value })}
            placeholder={kind === 'list' ? 'Choose' : 'See dates'}
            dir="auto"
          />
        )}
        {kind === 'cta_url' && (
          <TextInput
            label="Link"
            inputMode="url"
            maxLength={longest.url}
            value={url}
            onChange={({ currentTarget }) => change({ url: currentTarget.value })}
            placeholder="https://example.com/dates"
          />
        )}
        {(kind === 'button' || kind === 'list') && <Rows values={values} onChange={(rows) => change({ rows })} />}
        {kind !== 'location_request_message' && (
          <TextInput
            label="Footer"
            description="Optional, in small print"
            maxLength={longest.footer}
            {...counted(footer, longest.footer)}
            onChange={({ currentTarget }) => change({ footer: currentTarget.value })}
            dir="auto"
          />
        )}
        <div className={classes.richPreview} role="status" aria-label="Preview">
          <div className={classes.bubble} data-own>
            <Interactive content={contentOf(values)} />
          </div>
        </div>
        <Group justify="space-between">
          <Text size="xs" c="dimmed">
            {fault}
          </Text>
          <Button type="submit" disabled={fault !== undefined}>
            Send
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The value of a field, with a counter of its characters in it. */
const counted = (value: string, most: number) => ({
  value,
  rightSection: <Counter text={value} most={most} />,
  rightSectionWidth: 64,
})

function Rows({ values: { kind, rows }, onChange }: { values: Values; onChange(rows: Row[]): void }) {
  const { rows: mostRows, title: longestTitle } = most[kind]
  const shown = rows.slice(0, mostRows)
  const word = kind === 'button' ? 'Button' : 'Choice'
  const change = (i: number, changes: Partial<Row>) =>
    onChange(rows.map((row, at) => (at === i ? { ...row, ...changes } : row)))
  return (
    <Stack gap="xs">
      {shown.map((row, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no ID
        <Group key={i} gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            flex={1}
            label={`${word} ${i + 1}`}
            maxLength={longestTitle}
            {...counted(row.title, longestTitle)}
            onChange={({ currentTarget }) => change(i, { title: currentTarget.value })}
            dir="auto"
          />
          {kind === 'list' && (
            <TextInput
              flex={1}
              label="Description"
              placeholder="Optional"
              aria-label={`Description of choice ${i + 1}`}
              maxLength={longest.description}
              {...counted(row.description, longest.description)}
              onChange={({ currentTarget }) => change(i, { description: currentTarget.value })}
              dir="auto"
            />
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            disabled={shown.length === 1}
            aria-label={`Remove ${word.toLowerCase()} ${i + 1}`}
            onClick={() => onChange(rows.filter((_, at) => at !== i))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ))}
      {shown.length < mostRows && (
        <AddButton onClick={() => onChange([...rows, newRow()])}>Add {word.toLowerCase()}</AddButton>
      )}
    </Stack>
  )
}

const filled = ({ kind, rows }: Values) => rows.slice(0, most[kind].rows).filter(({ title }) => title.trim() !== '')

function contentOf(values: Values): InteractiveContent {
  const { kind: type, label, url } = values
  const items = filled(values).map(({ title, description }, i) => ({
    id: `choice-${i + 1}`,
    title: title.trim().slice(0, most[type].title),
    ...(type === 'list' && description.trim() && { description: description.trim() }),
  }))
  const body = values.body.trim()
  const footer = values.footer.trim() ? { footer: values.footer.trim() } : {}
  switch (type) {
    case 'button':
      return { type, body, ...footer, buttons: items }
    case 'list':
      return { type, body, ...footer, label: label.trim() || 'Choose', sections: [{ rows: items }] }
    case 'cta_url':
      return { type, body, ...footer, label: label.trim(), url: url.trim() }
    case 'location_request_message':
      return { type, body }
  }
}

/** The form with this message in it. Undefined if the message has parts that the form does not know. */
export function valuesOf({ body = '', interactive }: NonNullable<NewOutgoing['rich']>): Values | undefined {
  const kind = kinds.find(({ value }) => value === interactive?.type)?.value
  if (!interactive || !kind) return undefined
  const { footer = '', label = '', url = '', buttons, sections } = interactive
  const rows: Row[] = (buttons ?? sections?.[0]?.rows ?? []).map((row) => ({ description: '', ...row }))
  const values = { kind, body, footer, label, url, rows: rows.length > 0 ? rows : [newRow(), newRow()] }
  const { body: _, ...built } = contentOf(values)
  return hashKey([built]) === hashKey([interactive]) ? values : undefined
}

/** What is missing, in words for the sender. */
function faultIn(values: Values): string | undefined {
  const { kind, body, label, url } = values
  if (body.trim() === '') return 'Write a text to send'
  if (kind === 'cta_url' && label.trim() === '') return 'Add a button label to send'
  if (kind === 'cta_url' && !/^https:\/\/[^\s/]+/.test(url.trim())) return 'Add a link that begins with https://'
  if (kind === 'cta_url' || kind === 'location_request_message') return undefined
  const titles = filled(values).map(({ title }) => title.trim())
  if (titles.length === 0) return kind === 'button' ? 'Add a button to send' : 'Add a choice to send'
  return new Set(titles).size < titles.length ? 'Each one needs its own text' : undefined
}
