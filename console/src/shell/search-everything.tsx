import '@mantine/spotlight/styles.layer.css'
import type { api as types } from '@frontdesk/sdk'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight'
import {
  IconRobot,
  IconSearch,
  IconSend,
  IconSquarePlus,
  IconTemplate,
  IconUpload,
  IconUserPlus,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { api } from '../data/api.ts'
import { may, useMe } from '../data/session.tsx'
import { useRecord } from '../data/use-records.ts'
import { useTaskForm } from '../records/tasks/task-form.tsx'
import { errorText } from '../ui/error-text.ts'
import { allPlacesOf } from './places.ts'

const few = 6

/** Searches the API. */
async function find(me: types.Me, words: string, signal: AbortSignal) {
  const asked = { search: words, limit: few }
  const [contacts, tickets, campaigns] = await Promise.all([
    may(me, 'contacts:read') ? api.contacts.list(asked, { signal }) : undefined,
    may(me, 'inbox:read') ? api.inbox.listTickets(asked, { signal }) : undefined,
    may(me, 'campaigns:manage', 'campaigns:read') ? api.campaigns.list(asked, { signal }) : undefined,
  ])
  return { contacts: contacts?.data, tickets: tickets?.inboxes, campaigns: campaigns?.data }
}

/** ⌘K: contacts, conversations, campaigns, documents, actions and pages. */
export function SearchEverything() {
  const me = useMe()
  const navigate = useNavigate()
  const openTask = useTaskForm()
  const [words, setWords] = useState('')
  const [settled] = useDebouncedValue(words.trim(), 200)
  const enabled = settled.length > 1
  const found = useRecord(['search', settled], (signal) => find(me, settled, signal), { enabled })
  const results = enabled ? found.data : undefined
  // Documents are few, so all of them are loaded once and filtered here.
  const known = useRecord(['documents'], (signal) => api.knowledge.listDocuments({ signal }), {
    enabled: enabled && may(me, 'knowledge:read'),
  })
  const documents = enabled ? (known.data?.documents ?? []) : []
  const isMeant = ({ file_name }: { file_name: string }) => file_name.toLowerCase().includes(settled.toLowerCase())
  const goTo = (path: string) => () => void navigate(path)
  const actionItems = [
    {
      id: 'new-task',
      scope: 'contacts:write' as const,
      label: 'New task',
      icon: IconSquarePlus,
      onClick: () => openTask(),
    },
    {
      id: 'new-contact',
      scope: 'contacts:write' as const,
      label: 'New contact',
      icon: IconUserPlus,
      onClick: goTo('/contacts?new=contact'),
    },
    {
      id: 'import',
      scope: 'contacts:write' as const,
      label: 'Import contacts',
      icon: IconUpload,
      onClick: goTo('/contacts/import'),
    },
    {
      id: 'new-campaign',
      scope: 'campaigns:manage' as const,
      label: 'New campaign',
      icon: IconSend,
      onClick: goTo('/campaigns/new'),
    },
    {
      id: 'new-template',
      scope: 'campaigns:manage' as const,
      label: 'New template',
      icon: IconTemplate,
      onClick: goTo('/templates/new'),
    },
    {
      id: 'new-agent',
      scope: 'agents:write' as const,
      label: 'New agent',
      icon: IconRobot,
      onClick: goTo('/agents/new'),
    },
  ].filter(({ scope }) => may(me, scope))
  // Results may match in a field that the label does not show; the keyword keeps them in the list.
  const keywords = settled
  const groups: SpotlightActionGroupData[] = [
    {
      group: 'Contacts',
      actions: (results?.contacts ?? []).map(({ id, name, phone_number }) => ({
        id: `contact-${id}`,
        label: name || phone_number,
        description: phone_number,
        keywords,
        onClick: goTo(`/contacts/${id}`),
      })),
    },
    {
      group: 'Conversations',
      actions: (results?.tickets ?? []).map(({ id, contact, status }) => ({
        id: `ticket-${id}`,
        label: contact.name || contact.phone_number,
        description: `${status} conversation`,
        keywords,
        onClick: goTo(`/inbox/${id}`),
      })),
    },
    {
      group: 'Campaigns',
      actions: (results?.campaigns ?? []).map(({ id, name, status }) => ({
        id: `campaign-${id}`,
        label: name,
        description: status,
        keywords,
        onClick: goTo(`/campaigns/${id}`),
      })),
    },
    {
      group: 'Documents',
      actions: documents
        .filter(isMeant)
        .slice(0, few)
        .map(({ id, file_name, status }) => ({
          id: `document-${id}`,
          label: file_name,
          description: status,
          keywords,
          onClick: goTo(`/knowledge/${id}`),
        })),
    },
    {
      group: 'Actions',
      actions: actionItems.map(({ icon: Icon, scope: _scope, ...action }) => ({
        ...action,
        leftSection: <Icon size={18} stroke={1.6} />,
      })),
    },
    {
      group: 'Go to',
      actions: allPlacesOf(me).map(({ path, label, icon: Icon }) => ({
        id: path,
        label,
        leftSection: <Icon size={18} stroke={1.6} />,
        onClick: goTo(path),
      })),
    },
  ].filter(({ actions }) => actions.length > 0)
  return (
    <Spotlight
      actions={groups}
      query={words}
      onQueryChange={setWords}
      shortcut={null}
      nothingFound={
        found.isFetching ? 'Searching…' : found.error ? `Search failed. ${errorText(found.error)}` : 'No results'
      }
      highlightQuery
      limit={24}
      attributes={{ content: { 'aria-label': 'Search' } }}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: 'Search contacts, conversations, campaigns, documents, actions…',
        'aria-label': 'Search everything',
        // Enter opens the first result; the component would require an arrow key first.
        onKeyDown(event) {
          if (event.key !== 'Enter' || document.querySelector('.mantine-Spotlight-action[data-selected]')) return
          document.querySelector<HTMLElement>('.mantine-Spotlight-action')?.click()
        },
      }}
    />
  )
}
