import type { api as types } from '@frontdesk/sdk'
import { Anchor, Button, Group, Modal, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'
import { ChatText } from '../../records/templates/chat-text.tsx'
import { ErrorState } from '../../ui/states.tsx'
import classes from './inbox.module.css'
import type { NewOutgoing } from './outbox.ts'
import { filledText, labelledSlots } from './template-slots.ts'
import { nameOf, type Ticket } from './tickets.ts'

interface Props {
  opened: boolean
  onClose(): void
  ticket: Ticket
  onSend(message: Omit<NewOutgoing, 'ticketId' | 'after'>): void
}

/** Outside the 24-hour window only approved templates are delivered. */
export function TemplateSender({ opened, onClose, ticket, onSend }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Send a template to ${nameOf(ticket)}`} size="lg">
      <Choice ticket={ticket} onClose={onClose} onSend={onSend} />
    </Modal>
  )
}

function Choice({ ticket, onClose, onSend }: Omit<Props, 'opened'>) {
  const found = useRecord(['templates', 'approved'], (signal) =>
    api.templates.list({ status: 'APPROVED', limit: 100 }, { signal }),
  )
  const [chosenId, setChosenId] = useState<string | null>(null)
  if (found.error && !found.data) return <ErrorState error={found.error} retry={found.refetch} />
  if (!found.data) return <Skeleton height={120} />
  // Approved, and not paused or disabled since.
  const templates = found.data.items.filter(({ platform_status }) => platform_status === 'APPROVED')
  if (templates.length === 0)
    return (
      <Stack gap="xs" align="flex-start">
        <Text>No approved templates yet. Create one and WhatsApp reviews it; then you can send it at any time.</Text>
        <Button component={Link} to="/templates/new">
          Create a template
        </Button>
      </Stack>
    )
  const chosen = templates.find(({ id }) => id === chosenId) ?? templates[0]
  return (
    <Stack>
      <Select
        label="Template"
        searchable
        allowDeselect={false}
        value={chosen?.id ?? null}
        onChange={setChosenId}
        data={templates.map(({ id, name, language }) => ({ value: id, label: `${name} (${language})` }))}
        data-autofocus
      />
      {chosen && (
        <Filling
          key={chosen.id}
          template={chosen}
          ticket={ticket}
          onSend={(message) => {
            onSend(message)
            onClose()
          }}
        />
      )}
      <Text size="xs" c="dimmed">
        See all templates under{' '}
        <Anchor component={Link} to="/templates" inherit underline="always">
          Templates
        </Anchor>
        .
      </Text>
    </Stack>
  )
}

function Filling({ template, ticket, onSend }: { template: types.Template; ticket: Ticket; onSend: Props['onSend'] }) {
  const slots = labelledSlots(template.components)
  // The first variable of a template is usually the name.
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(slots.map(({ key }) => [key, key === 'body.1' ? ticket.contact.name : ''])),
  )
  const missing = slots.filter(({ key }) => !values[key]?.trim())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (missing.length > 0) return
    onSend({ body: filledText(template.components, values), template: { id: template.id, variables: values } })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {slots.map(({ key, label, example }) => (
          <TextInput
            key={key}
            label={label}
            placeholder={example && `For example ${example}`}
            value={values[key] ?? ''}
            onChange={({ currentTarget: { value } }) => setValues((current) => ({ ...current, [key]: value }))}
            maxLength={1024}
            dir="auto"
          />
        ))}
        <div className={classes.templatePreview} dir="auto" role="status" aria-label="Preview">
          <ChatText text={filledText(template.components, values) || template.name} />
        </div>
        <Group justify="space-between">
          <Text size="xs" c="dimmed">
            {missing.length > 0 ? `Fill in ${missing.map(({ label }) => label).join(', ')} to send` : ''}
          </Text>
          <Button type="submit" disabled={missing.length > 0}>
            Send template
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
