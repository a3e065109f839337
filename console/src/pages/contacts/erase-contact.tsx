import type { api as types } from '@frontdesk/sdk'
import { List } from '@mantine/core'
import { api } from '../../data/api.ts'
import { callName } from '../../records/contacts/stages.tsx'
import { askFirst } from '../../ui/ask-first.tsx'

/** Erasing cannot be undone, so it needs a typed confirmation. */
export const askToErase = (contact: types.Contact, onErased: () => unknown) =>
  askFirst({
    title: `Erase everything about ${callName(contact)}?`,
    consequence: (
      <List size="sm">
        <List.Item>
          The contact, its timeline, tasks, conversations, files, events and webhook logs are deleted.
        </List.Item>
        <List.Item>
          Numbers, transcripts and recordings are removed from call logs and campaign deliveries. Figures are kept.
        </List.Item>
        <List.Item>Settings → Privacy shows the proof. You cannot undo this.</List.Item>
      </List>
    ),
    action: 'Erase contact',
    typed: 'erase',
    done: 'Erasing. Settings → Privacy shows when it is complete.',
    async run() {
      await api.privacy.eraseContact(contact.id)
      await onErased()
    },
  })
