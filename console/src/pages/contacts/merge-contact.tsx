import type { api as types } from '@frontdesk/sdk'
import { List, Modal, Skeleton, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { useApiForm } from '../../data/use-api-form.ts'
import { useRecord, useRefresh } from '../../data/use-records.ts'
import { ContactSelect } from '../../records/contacts/contact-select.tsx'
import { callName, stageLabel } from '../../records/contacts/stages.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { showDone } from '../../ui/undo.tsx'
import { plainValue } from './contact-columns.tsx'

type Contact = types.Contact

/** Merges another contact into this one; shows first what the contact keeps. */
export function MergeContact({
  contact,
  suggestedId,
  onClose,
}: {
  contact: Contact
  /** The contact that is chosen at first. */
  suggestedId: string | null
  onClose(): void
}) {
  const refresh = useRefresh([])
  const [otherId, setOtherId] = useState(suggestedId)
  const form = useApiForm({
    initialValues: {},
    async submit() {
      if (!other) return
      await api.contacts.merge(contact.id, { contact_id: other.id })
      await refresh()
      onClose()
      showDone(`Merged with ${callName(other)}`)
    },
  })
  // The merge removes the other contact, and its event can arrive before the answer: asking again would answer 404.
  const { data } = useRecord(['contacts', otherId], (signal) => api.contacts.get(otherId as string, { signal }), {
    enabled: otherId !== null && !form.isWorking,
  })
  const other = data?.id === otherId ? data : undefined
  return (
    <Modal opened onClose={onClose} title={`Merge another contact into ${callName(contact)}`} size="lg">
      <DialogForm form={form} action="Merge contacts" canSubmit={other !== undefined} cancel={onClose} gap="sm">
        <ContactSelect
          label="Other contact"
          placeholder="Search by name or number"
          value={otherId}
          onChange={setOtherId}
          except={contact.id}
          disabled={form.isWorking}
          data-autofocus
        />
        {otherId && (other ? <Outcome contact={contact} other={other} /> : <Skeleton height={160} />)}
        <List size="sm">
          <List.Item>Conversations, calls, tasks, campaign deliveries and the timeline move to this contact.</List.Item>
          <List.Item>If one of them opted out of marketing, the merged contact is opted out.</List.Item>
          <List.Item>The other contact is removed. You cannot undo this.</List.Item>
        </List>
      </DialogForm>
    </Modal>
  )
}

interface Kept {
  label: string
  value: string
  /** What the timeline keeps of the other contact. */
  other?: string
}

function Outcome({ contact, other }: { contact: Contact; other: Contact }) {
  return (
    <Table layout="fixed" aria-label="Result" verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="28%">Field</Table.Th>
          <Table.Th w="42%">Kept</Table.Th>
          <Table.Th>Noted in the timeline</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {keptOf(contact, other).map(({ label, value, other: lost = '' }) => (
          <Table.Tr key={label}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{label}</Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <bdi>{value}</bdi>
            </Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <Text size="sm" c="dimmed">
                <bdi>{lost}</bdi>
              </Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** As the service does it: values of this contact stay, and those of the other one fill gaps. */
function keptOf(contact: Contact, other: Contact): Kept[] {
  const field = (label: string, mine: string, theirs: string): Kept =>
    mine && theirs && mine !== theirs ? { label, value: mine, other: theirs } : { label, value: mine || theirs }
  const both = (label: string, ...values: (string | null)[]): Kept => {
    const [first, second] = [...new Set(values.filter(Boolean))]
    return { label, value: second ? `${first} (primary), ${second}` : (first ?? '') }
  }
  const isOptedOut = Boolean(contact.opted_out_at || other.opted_out_at)
  const names = [...new Set([...Object.keys(contact.custom_fields), ...Object.keys(other.custom_fields)])]
  return [
    field('Name', contact.name, other.name),
    both('Phone number', contact.phone_number, other.phone_number),
    both('WhatsApp user ID', contact.whatsapp_user_id, other.whatsapp_user_id),
    field('Username', contact.username ?? '', other.username ?? ''),
    field('Time zone', contact.time_zone ?? '', other.time_zone ?? ''),
    field('Stage', stageLabel(contact.stage), stageLabel(other.stage)),
    { label: 'Tags', value: [...new Set([...contact.tags, ...other.tags])].join(', ') },
    { label: 'Marketing', value: isOptedOut ? 'Opted out' : 'Allowed' },
    { label: 'AI replies', value: contact.ai_handling && other.ai_handling ? 'On' : 'Off' },
    field('Notes', contact.notes, other.notes),
    ...names.map((name) => field(name, plainValue(contact.custom_fields[name]), plainValue(other.custom_fields[name]))),
  ].filter(({ value }) => value)
}
