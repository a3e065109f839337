import type { api as types } from '@frontdesk/sdk'
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { useApiForm } from '../../data/use-api-form.ts'
import { FormError } from '../../ui/form-error.tsx'
import { partName } from './examples-field.tsx'
import { keyOf, type Slot } from './template-parts.ts'

const lastNumber = 'test-send number'

/** Sends the template to a number of the member's choice. */
export function TestSend({
  template,
  values,
  slots = [],
  channelId,
}: {
  template: types.Template
  /** Values of the variables; those in `slots` can be changed here. */
  values: Record<string, string>
  slots?: Slot[]
  channelId?: string
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconSend size={16} />} onClick={() => setOpen(true)}>
        Send to me
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Send this to me">
        <TestForm {...{ template, values, slots, channelId }} onDone={() => setOpen(false)} />
      </Modal>
    </>
  )
}

function TestForm({
  template,
  values: given,
  slots,
  channelId,
  onDone,
}: {
  template: types.Template
  values: Record<string, string>
  slots: Slot[]
  channelId: string | undefined
  onDone(): void
}) {
  const [own, setOwn] = useState(given)
  const form = useApiForm({
    initialValues: { phone_number: localStorage.getItem(lastNumber) ?? '' },
    async submit({ phone_number }) {
      const template_variables = { ...given, ...own }
      await api.templates.test(template.id, {
        phone_number,
        template_variables,
        ...(channelId && { channel_id: channelId }),
      })
      localStorage.setItem(lastNumber, phone_number)
      notifications.show({ message: `Sent to ${phone_number}` })
      onDone()
    },
  })
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
        {slots.map((slot) => (
          <TextInput
            key={keyOf(slot)}
            label={
              slot.name === ''
                ? `URL of the file in the ${partName(slot.where)}`
                : `{{${slot.name}}} in the ${partName(slot.where)}`
            }
            dir="auto"
            value={own[keyOf(slot)] ?? ''}
            onChange={(event) => setOwn({ ...own, [keyOf(slot)]: event.currentTarget.value })}
          />
        ))}
        <Text size="sm" c="dimmed">
          The message appears in the contact’s conversation and counts in no campaign.
        </Text>
        <FormError form={form} />
        <Group justify="flex-end">
          <Button type="submit" loading={form.isWorking}>
            Send
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
