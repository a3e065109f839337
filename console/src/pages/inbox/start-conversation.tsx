import { Alert, Modal, Tabs, Text, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from 'react-router'
import { api } from '../../data/api.ts'
import { useSession } from '../../data/session.tsx'
import { useApiForm } from '../../data/use-api-form.ts'
import { useRecord, useRefresh } from '../../data/use-records.ts'
import { ContactSelect } from '../../records/contacts/contact-select.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { awaitArrival } from './arrival.ts'

/** Starts a conversation with a contact or, in test mode, as a customer. */
export function StartConversation({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const { mode } = useSession()
  return (
    <Modal opened={opened} onClose={onClose} title="New conversation">
      {mode === 'live' ? (
        <WithContact onClose={onClose} />
      ) : (
        <Tabs defaultValue="customer">
          <Tabs.List mb="md">
            <Tabs.Tab value="customer">As a customer (test)</Tabs.Tab>
            <Tabs.Tab value="contact">To a contact</Tabs.Tab>
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

/** A number reserved for fiction, so that a test never shows a real one. */
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
    <DialogForm form={form} action="Send as customer" gap="sm">
      <Text size="sm" c="dimmed">
        The message arrives through simulated WhatsApp, like a real one.
      </Text>
      <TextInput
        label="Customer’s number"
        {...form.field('from')}
        required
        description="Any number. Some numbers simulate failures; see the guide"
      />
      <TextInput label="Customer’s name" {...form.field('name')} data-autofocus placeholder="Ines Moreau" />
      <Textarea label="Message" {...form.field('text')} required autosize minRows={2} />
    </DialogForm>
  )
}

function WithContact({ onClose }: { onClose(): void }) {
  const navigate = useNavigate()
  const refresh = useRefresh('tickets')
  const any = useRecord(['contacts', 'any'], (signal) => api.contacts.list({ limit: 1 }, { signal }))
  const form = useApiForm({
    initialValues: { contact_id: null as string | null },
    async submit({ contact_id }) {
      if (!contact_id) return
      const ticket = await api.inbox.createTicket({ contact_id })
      void refresh()
      onClose()
      void navigate(`/inbox/${ticket.id}`)
    },
  })
  if (any.data?.total_count === 0)
    return <Alert color="gray">No contacts yet. Import them, or wait for the first message.</Alert>
  return (
    <DialogForm form={form} action="Open conversation" canSubmit={Boolean(form.values.contact_id)} gap="sm">
      <ContactSelect
        label="Contact"
        placeholder="Search by name or number"
        value={form.values.contact_id}
        onChange={(id) => form.set('contact_id', id)}
        error={form.errors.contact_id}
        data-autofocus
      />
      <Text size="sm" c="dimmed">
        If the contact already has an open conversation, that one opens.
      </Text>
    </DialogForm>
  )
}
