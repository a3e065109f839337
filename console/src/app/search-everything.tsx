import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight'
import { IconSearch, IconSquarePlus, IconUpload, IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useRecord } from '../parts/use-records.ts'
import { api } from './api.ts'
import { useTaskForm } from './new-task.tsx'
import { allPlaces } from './places.ts'

/** ⌘K: people, conversations, and where to go. */
export function SearchEverything() {
  const navigate = useNavigate()
  const openTask = useTaskForm()
  const [words, setWords] = useState('')
  const [settled] = useDebouncedValue(words.trim(), 200)
  const found = useRecord(
    ['search', settled],
    async (signal) => {
      const [contacts, tickets] = await Promise.all([
        api.contacts.list({ search: settled, limit: 6 }, { signal }),
        api.inbox.listTickets({ search: settled, limit: 6 }, { signal }),
      ])
      return { contacts: contacts.data, tickets: tickets.inboxes }
    },
    { enabled: settled.length > 1 },
  )
  const results = settled.length > 1 ? found.data : undefined
  const groups: SpotlightActionGroupData[] = [
    {
      group: 'Contacts',
      actions: (results?.contacts ?? []).map(({ id, name, phone_number }) => ({
        id: `contact-${id}`,
        label: name || phone_number,
        description: phone_number,
        keywords: settled,
        onClick: () => void navigate(`/contacts/${id}`),
      })),
    },
    {
      group: 'Conversations',
      actions: (results?.tickets ?? []).map(({ id, contact, status }) => ({
        id: `ticket-${id}`,
        label: contact.name || contact.phone_number,
        description: `${status} conversation`,
        keywords: settled,
        onClick: () => void navigate(`/inbox/${id}`),
      })),
    },
    {
      group: 'Actions',
      actions: [
        { id: 'new-task', label: 'New task', icon: IconSquarePlus, onClick: () => openTask() },
        {
          id: 'new-contact',
          label: 'New contact',
          icon: IconUserPlus,
          onClick: () => void navigate('/contacts?new=contact'),
        },
        { id: 'import', label: 'Import contacts', icon: IconUpload, onClick: () => void navigate('/contacts/import') },
      ].map(({ icon: Icon, ...action }) => ({ ...action, leftSection: <Icon size={18} stroke={1.6} /> })),
    },
    {
      group: 'Go to',
      actions: allPlaces.map(({ path, label, icon: Icon }) => ({
        id: path,
        label,
        leftSection: <Icon size={18} stroke={1.6} />,
        onClick: () => void navigate(path),
      })),
    },
  ].filter(({ actions }) => actions.length > 0)
  return (
    <Spotlight
      actions={groups}
      query={words}
      onQueryChange={setWords}
      shortcut={['mod + K']}
      tagsToIgnore={[]}
      nothingFound={found.isFetching ? 'Looking…' : 'Nothing found'}
      highlightQuery
      limit={24}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: 'Contacts, conversations, pages …',
        'aria-label': 'Search everything',
        // Whoever has typed what they want presses Enter; the component would wait for an arrow key first.
        onKeyDown(event) {
          if (event.key !== 'Enter' || document.querySelector('.mantine-Spotlight-action[data-selected]')) return
          document.querySelector<HTMLElement>('.mantine-Spotlight-action')?.click()
        },
      }}
    />
  )
}
