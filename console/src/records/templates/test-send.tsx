import type { api as types } from '@frontdesk/sdk'
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { errorCode } from '../../data/api-errors.ts'
import { may, useMe } from '../../data/session.tsx'
import { useApiForm } from '../../data/use-api-form.ts'
import { FormError } from '../../ui/form-error.tsx'
import { showDone } from '../../ui/undo.tsx'
import { SlotField } from './slot-field.tsx'
import { type Sampled, sampleFilesOf } from './stored-files.ts'
import { examplesOf, keyOf, slotsOf, valueAt } from './template-parts.ts'

const dayMs = 86_400_000

/** Values to try a template with: its samples, and made-up ones where it has none. */
export function trialValuesOf(template: Sampled): Record<string, string> {
  const { components } = template
  const madeUp = slotsOf(components).flatMap((slot) => {
    if (slot.kind === 'otp') return [[keyOf(slot), '123456']]
    return slot.kind === 'offer' ? [[keyOf(slot), new Date(Date.now() + 2 * dayMs).toISOString()]] : []
  })
  return { ...Object.fromEntries(madeUp), ...examplesOf(components), ...sampleFilesOf(template) }
}

const lastNumber = 'test-send number'

interface Props {
  template: types.Template
  /** Values of the variables. */
  values: Record<string, string>
  /** Shows the given values too, so that they can be changed. Otherwise only missing values are asked for. */
  isEditable?: boolean
  channelId?: string
}

/** Sends the template to a number of the member's choice. */
export function TestSend(props: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconSend size={16} />} onClick={() => setOpen(true)}>
        Send to me
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Send this to me">
        <TestForm {...props} onDone={() => setOpen(false)} />
      </Modal>
    </>
  )
}

function TestForm({ template, values: given, isEditable, channelId, onDone }: Props & { onDone(): void }) {
  const slots = slotsOf(template.components)
  const mayAdd = may(useMe(), 'contacts:write')
  /** A number that no contact has. */
  const [stranger, setStranger] = useState<string>()
  const form = useApiForm({
    initialValues: {
      phone_number: localStorage.getItem(lastNumber) ?? '',
      template_variables: Object.fromEntries(slots.map((slot) => [keyOf(slot), valueAt(given, slot) ?? ''])),
    },
    fieldOf: (loc) => (loc[1] === 'template_variables' ? loc.slice(1).join('.') : undefined),
    check: ({ template_variables }) =>
      Object.fromEntries(
        slots
          .filter((slot) => !slot.isOptional && !template_variables[keyOf(slot)]?.trim())
          .map((slot) => [fieldOf(keyOf(slot)), slot.kind === 'media' ? 'Choose a file.' : 'Enter a value.']),
      ),
    async submit({ phone_number, template_variables }) {
      const filled = Object.entries(template_variables).filter(([, value]) => value.trim() !== '')
      if (phone_number === stranger) {
        await api.contacts.create({ phone_number }, { query: { on_conflict: 'return' } })
        setStranger(undefined)
      }
      await api.templates
        .test(template.id, {
          phone_number,
          template_variables: Object.fromEntries(filled),
          ...(channelId && { channel_id: channelId }),
        })
        .catch((error: unknown) => {
          if (mayAdd && errorCode(error) === 'no_contact') setStranger(phone_number)
          throw error
        })
      localStorage.setItem(lastNumber, phone_number)
      showDone(`Sent to ${phone_number}`)
      onDone()
    },
  })
  const { values, errors, set } = form
  // A field that was asked for stays while it is filled in.
  const [asked, setAsked] = useState<string[]>(() =>
    slots.filter((slot) => isEditable || (!slot.isOptional && !valueAt(given, slot))).map(keyOf),
  )
  const lacking = slots.map(keyOf).filter((key) => errors[fieldOf(key)] && !asked.includes(key))
  if (lacking.length > 0) setAsked([...asked, ...lacking])
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <Stack>
        <TextInput
          label="Phone number"
          description="Of a contact, such as your own"
          type="tel"
          data-autofocus
          required
          {...form.field('phone_number')}
        />
        {slots
          .filter((slot) => asked.includes(keyOf(slot)))
          .map((slot) => (
            <SlotField
              key={keyOf(slot)}
              slot={slot}
              channelId={channelId ?? template.channel_id}
              error={errors[fieldOf(keyOf(slot))]}
              value={values.template_variables[keyOf(slot)] ?? ''}
              onChange={(value) => set('template_variables', { ...values.template_variables, [keyOf(slot)]: value })}
            />
          ))}
        <Text size="sm" c="dimmed">
          The message appears in the contact’s conversation and counts in no campaign.
        </Text>
        <FormError form={form} />
        <Group justify="flex-end">
          <Button type="submit" loading={form.isWorking}>
            {values.phone_number === stranger ? 'Add as contact and send' : 'Send'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const fieldOf = (key: string) => `template_variables.${key}`
