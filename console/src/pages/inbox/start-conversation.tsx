import { Alert, Button, Group, Modal, Stack, Tabs, Text, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { api } from '../../data/api.ts'
import { useSession } from '../../data/session.tsx'
import { useApiForm } from '../../data/use-api-form.ts'
import { useRecord } from '../../data/use-records.ts'
import { ContactSelect } from '../../records/contacts/contact-select.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { awaitArrival } from './arrival.ts'

/** A conversation begins: with a contact one chooses, or, in test mode, with a customer who writes. */
export function StartConversation({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const { mode } = useSession()
  return (
    <Modal opened={opened} onClose={onClose} title="New conversation">
      {mode === 'live' ? (
        <WithContact onClose={onClose} />
      ) : (
        <Tabs defaultValue="customer">
          <Tabs.List mb="md">
            <Tabs.Tab value="customer">A customer writes (test)</Tabs.Tab>
            <Tabs.Tab value="contact">You write to a contact</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="customer">
            <AsCustomer onClose={onClose} />
          </Tabs.Panel>
          <Tabs.Panel value="contact">
            <WithContact onClose={onClose} />
          </Tabs.Panel>
        </Tabs>
      )}
    </Modal>
  )
}

/** Numbers that are nobody's, so that a test never looks like a person. */
const madeUpNumber = () => `+1202555${String(1000 + Math.floor(Math.random() * 9000))}`

function AsCustomer({ onClose }: { onClose(): void }) {
  const navigate = useNavigate()
  const form = useApiForm({
    initialValues: { from: madeUpNumber(), name: '', text: 'Hello, are you open today?' },
    async submit({ from, name, text }) {
      const arrived = awaitArrival()
      const { chat_message_id } = await api.simulator.simulateMessage({ from, text, ...(name && { name }) })
      const ticketId = await arrived(chat_message_id)
      onClose()
      if (ticketId) void navigate(`/inbox/${ticketId}`)
    },
  })
  return (
    <form onSubmit={form.onSubmit}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          The message takes the way of a real one: it comes in through the simulated platform a moment later.
        </Text>
        <TextInput
          label="Their number"
          {...form.field('from')}
          required
          description="Any number; see the guide for those that misbehave on purpose"
        />
        <TextInput label="Their name" {...form.field('name')} data-autofocus placeholder="Ines Moreau" />
        <Textarea label="They write" {...form.field('text')} required autosize minRows={2} />
        <FormError form={form} />
        <Group justify="flex-end">
          <Button type="submit" loading={form.isWorking}>
            Write as the customer
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function WithContact({ onClose }: { onClose(): void }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { mode } = useSession()
  const any = useRecord(['contacts', 'any'], (signal) => api.contacts.list({ limit: 1 }, { signal }))
  const form = useApiForm({
    initialValues: { contact_id: null as string | null },
    async submit({ contact_id }) {
      if (!contact_id) return
      const ticket = await api.inbox.createTicket({ contact_id })
      void queries.invalidateQueries({ queryKey: [mode, 'tickets'] })
      onClose()
      void navigate(`/inbox/${ticket.id}`)
    },
  })
  if (any.data?.total_count === 0)
    return <Alert color="gray">There are no contacts yet. They come with the first message, or by an import.</Alert>
  return (
    <form onSubmit={form.onSubmit}>
      <Stack gap="sm">
        <ContactSelect
          label="Contact"
          placeholder="Search by name or number"
          value={form.values.contact_id}
          onChange={(id) => form.set('contact_id', id)}
          error={form.errors.contact_id}
          data-autofocus
        />
        <Text size="sm" c="dimmed">
          A contact who has an open conversation gets no second one: you are taken to it.
        </Text>
        <FormError form={form} />
        <Group justify="flex-end">
          <Button type="submit" loading={form.isWorking} disabled={!form.values.contact_id}>
            Open the conversation
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
