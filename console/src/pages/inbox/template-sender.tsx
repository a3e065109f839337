import type { api as types } from '@frontdesk/sdk'
import { Anchor, Button, Group, Modal, Select, Skeleton, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'
import type { NewOutgoing } from '../../records/messages/outbox.ts'
import { PhonePreview } from '../../records/templates/phone-preview.tsx'
import { labelOf, SlotField } from '../../records/templates/slot-field.tsx'
import { sampleFilesOf } from '../../records/templates/stored-files.ts'
import {
  type Components,
  examplesOf,
  fillVariables,
  keyOf,
  partsOf,
  slotsOf,
  valueAt,
} from '../../records/templates/template-parts.ts'
import { isSendable } from '../../records/templates/template-status.ts'
import { ErrorState } from '../../ui/states.tsx'
import { nameOf, type Ticket } from './tickets.ts'

interface Props {
  opened: boolean
  onClose(): void
  ticket: Ticket
  /** A message to change. */
  start?: NonNullable<NewOutgoing['template']>
  /** False if it was not sent: the form then stays open. */
  onSend(message: NewOutgoing): boolean
}

/** Outside the 24-hour window only approved templates are delivered. */
export function TemplateSender({ opened, ...props }: Props) {
  const { ticket, onClose } = props
  return (
    <Modal opened={opened} onClose={onClose} title={`Send a template to ${nameOf(ticket)}`} size="lg">
      <Choice {...props} />
    </Modal>
  )
}

function Choice({ ticket, start, onClose, onSend }: Omit<Props, 'opened'>) {
  const found = useRecord(['templates', 'approved'], (signal) =>
    api.templates.list({ status: 'APPROVED', limit: 100 }, { signal }),
  )
  const [chosenId, setChosenId] = useState<string | null>(start?.id ?? null)
  if (found.error && !found.data) return <ErrorState error={found.error} retry={found.refetch} />
  if (!found.data) return <Skeleton height={120} />
  const templates = found.data.items.filter(isSendable)
  if (templates.length === 0)
    return (
      <Stack gap="xs" align="flex-start">
        <Text>No approved templates yet. Create one and WhatsApp reviews it; then you can send it at any time.</Text>
        <Button component={Link} to="/templates/new">
          Create a template
        </Button>
      </Stack>
    )
  const isGone = start !== undefined && chosenId === start.id && !templates.some(({ id }) => id === chosenId)
  const chosen = templates.find(({ id }) => id === chosenId) ?? (isGone ? undefined : templates[0])
  return (
    <Stack>
      <Select
        label="Template"
        searchable
        allowDeselect={false}
        value={chosen?.id ?? null}
        error={isGone && 'This template can no longer be sent. Choose another one.'}
        onChange={setChosenId}
        data={templates.map(({ id, name, language }) => ({ value: id, label: `${name} (${language})` }))}
        data-autofocus
      />
      {chosen && (
        <Filling
          key={chosen.id}
          template={chosen}
          ticket={ticket}
          start={start?.id === chosen.id ? start.variables : undefined}
          onSend={(message) => {
            const isSent = onSend(message)
            if (isSent) onClose()
            return isSent
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

function Filling({
  template,
  ticket,
  start,
  onSend,
}: {
  template: types.Template
  ticket: Ticket
  start: Record<string, string> | undefined
  onSend: Props['onSend']
}) {
  const { components, channel_id } = template
  const slots = slotsOf(components)
  const examples = examplesOf(components)
  // The first variable of a template is usually the name.
  const [values, setValues] = useState<Record<string, string>>(
    () =>
      start ?? {
        ...Object.fromEntries(slots.map((slot) => [keyOf(slot), keyOf(slot) === 'body.1' ? ticket.contact.name : ''])),
        ...sampleFilesOf(template),
      },
  )
  const missing = slots.filter((slot) => !slot.isOptional && !values[keyOf(slot)]?.trim())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (missing.length > 0) return
    const variables = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''))
    onSend({ body: filledText(components, values), template: { id: template.id, variables } })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {slots.map((slot) => {
          const key = keyOf(slot)
          return (
            <SlotField
              key={key}
              slot={slot}
              channelId={channel_id}
              {...(examples[key] && { placeholder: `For example ${examples[key]}` })}
              maxLength={1024}
              value={values[key] ?? ''}
              onChange={(value) => setValues((current) => ({ ...current, [key]: value }))}
            />
          )
        })}
        <PhonePreview components={components} valueAt={(place) => valueAt(values, place)} />
        <Group justify="space-between">
          <Text size="xs" c="dimmed">
            {missing.length > 0 ? `Fill in ${missing.map(labelOf).join(', ')} to send` : ''}
          </Text>
          <Button type="submit" disabled={missing.length > 0}>
            Send template
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The text of the message while it is being sent. */
function filledText(components: Components, values: Record<string, string>): string {
  const { header, body, footer } = partsOf(components)
  const filled = (where: string, text: string) =>
    fillVariables(text, (name) => valueAt(values, { where, name })?.trim() || `{{${name}}}`)
  return [filled('header', header?.text ?? ''), filled('body', body), footer].filter(Boolean).join('\n\n')
}
