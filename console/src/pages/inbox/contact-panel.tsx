import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, Anchor, Button, Group, Select, Skeleton, Stack, TagsInput, Text, Textarea } from '@mantine/core'
import { IconArrowLeft, IconExternalLink } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { may, useMe, useSession } from '../../data/session.tsx'
import { useRecord, useRefresh } from '../../data/use-records.ts'
import { type Stage, stageChoices } from '../../records/contacts/stages.tsx'
import { TeamSelect } from '../../records/teams/team-select.tsx'
import { useTeams } from '../../records/teams/use-teams.ts'
import { DueBadge } from '../../records/tickets/due-badge.tsx'
import { TicketRating } from '../../records/tickets/ticket-rating.tsx'
import { useTicketTags } from '../../records/tickets/use-ticket-tags.ts'
import { Copy } from '../../ui/copy.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { ContactTasks } from './contact-tasks.tsx'
import { ContactTimeline } from './contact-timeline.tsx'
import { Face } from './face.tsx'
import classes from './inbox.module.css'
import { type Priority, priorityChoices } from './priorities.tsx'
import { TicketAnalysis } from './ticket-analysis.tsx'
import { complain, nameOf, type Ticket } from './tickets.ts'

/** The contact of the open conversation. */
export function ContactPanel({
  ticket,
  onBack,
  onChange,
}: {
  ticket: Ticket
  onBack(): void
  onChange(changes: types.TicketChanges): void
}) {
  const id = ticket.contact_id
  const { data, error, refetch } = useRecord(['contacts', id], (signal) => api.contacts.get(id, { signal }))
  // The fields take long to render. Deferred, a key or a click can interrupt that.
  const isShown = useDeferredValue(data !== undefined)
  const contact = isShown ? data : undefined
  const change = useContactChange(id)
  const name = nameOf(ticket)
  return (
    <aside className={classes.panel} aria-label={`About ${name}`}>
      <Group className={classes.panelHead} wrap="nowrap" gap="xs">
        <ActionIcon
          variant="subtle"
          color="gray"
          onClick={onBack}
          aria-label="Back to the conversation"
          className={classes.onNarrow}
        >
          <IconArrowLeft size={20} />
        </ActionIcon>
        <Face name={name} />
        <div className={classes.panelName}>
          <Anchor component={Link} to={`/contacts/${id}`} fw={650} c="inherit" truncate dir="auto" display="block">
            {name}
          </Anchor>
          <Group gap={2} wrap="nowrap">
            <Text size="xs" c="dimmed" truncate>
              {ticket.contact.phone_number || 'No phone number'}
            </Text>
            {ticket.contact.phone_number && <Copy value={ticket.contact.phone_number} what="number" />}
          </Group>
        </div>
        <ActionIcon component={Link} to={`/contacts/${id}`} variant="subtle" color="gray" aria-label="Open contact">
          <IconExternalLink size={18} />
        </ActionIcon>
      </Group>
      {error && !data ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <Stack gap="md" p="md">
          {contact?.opted_out_at && (
            <div>
              <Status tone="warning">Opted out of marketing</Status>{' '}
              <Text span size="xs" c="dimmed">
                since <Moment at={contact.opted_out_at} />
              </Text>
            </div>
          )}
          {contact?.blocked_at && (
            <div>
              <Status tone="bad">Blocked</Status>{' '}
              <Text span size="xs" c="dimmed">
                since <Moment at={contact.blocked_at} />. Messages are dropped.
              </Text>
            </div>
          )}
          <TicketFacts key={`ticket-${ticket.id}`} ticket={ticket} onChange={onChange} />
          <TicketRating ticket={ticket} />
          <TicketAnalysis ticket={ticket} />
          {contact ? <Facts key={contact.id} contact={contact} onChange={change} /> : <Skeleton height={160} />}
          <ContactTasks contactId={id} />
          <ContactTimeline contactId={id} />
          <Group justify="space-between" wrap="nowrap" className={classes.panelFoot}>
            <Group gap={2} wrap="nowrap">
              <Text size="xs" c="dimmed">
                Ticket {ticket.id.slice(0, 8)}…
              </Text>
              <Copy value={ticket.id} what="ticket ID" />
            </Group>
            <ApiRequest method="GET" path={`/inbox/tickets/${ticket.id}`} />
          </Group>
        </Stack>
      )}
    </aside>
  )
}

/** Due time, team, priority and tags of the conversation; the tags of the contact stand below. */
function TicketFacts({ ticket, onChange }: { ticket: Ticket; onChange(changes: types.TicketChanges): void }) {
  const mayChange = may(useMe(), 'inbox:write')
  const { teams = [] } = useTeams()
  const passTo = usePassToTeam()
  return (
    <Stack gap="sm">
      <DueBadge ticket={ticket} />
      {teams.length > 0 && (
        <TeamSelect
          size="xs"
          placeholder="None"
          value={ticket.team_id}
          readOnly={!mayChange}
          clearable={mayChange}
          onChange={(team_id) => void passTo(ticket.id, team_id)}
        />
      )}
      <Select
        size="xs"
        label="Priority"
        data={priorityChoices}
        value={ticket.priority}
        allowDeselect={false}
        readOnly={!mayChange}
        onChange={(priority) => priority && onChange({ priority: priority as Priority })}
      />
      <TagsInput
        size="xs"
        label="Conversation tags"
        placeholder={ticket.tags.length === 0 ? 'Add a tag' : ''}
        data={useTicketTags()}
        value={ticket.tags}
        maxLength={100}
        maxTags={50}
        readOnly={!mayChange}
        styles={{ inputField: { minWidth: 60 } }}
        onChange={(tags) => onChange({ tags })}
      />
    </Stack>
  )
}

function usePassToTeam() {
  const refresh = useRefresh('tickets')
  return async (id: string, team_id: string | null): Promise<void> => {
    try {
      await api.inbox.setTicketTeam(id, { team_id })
    } catch (error) {
      complain('Could not change the team', error)
    }
    await refresh()
  }
}

/** Applies changes at once and reverts them if the service rejects them. */
function useContactChange(id: string) {
  const queries = useQueryClient()
  const { mode } = useSession()
  return async (changes: types.ContactChanges): Promise<boolean> => {
    const key = [mode, 'contacts', id]
    const before = queries.getQueryData<types.Contact>(key)
    queries.setQueryData(key, before && { ...before, ...changes })
    try {
      queries.setQueryData(key, await api.contacts.update(id, changes))
      return true
    } catch (error) {
      queries.setQueryData(key, before)
      complain('Could not update the contact', error)
      return false
    } finally {
      for (const noun of ['activities', 'tickets']) void queries.invalidateQueries({ queryKey: [mode, noun] })
    }
  }
}

function Facts({
  contact,
  onChange,
}: {
  contact: types.Contact
  onChange(changes: types.ContactChanges): Promise<boolean>
}) {
  const fields = Object.entries(contact.custom_fields)
  return (
    <Stack gap="sm">
      <Select
        size="xs"
        label="Stage"
        data={stageChoices}
        value={contact.stage}
        allowDeselect={false}
        onChange={(stage) => stage && void onChange({ stage: stage as Stage })}
      />
      <TagsInput
        size="xs"
        label="Contact tags"
        placeholder={contact.tags.length === 0 ? 'Add a tag' : ''}
        value={contact.tags}
        maxLength={100}
        styles={{ inputField: { minWidth: 60 } }}
        onChange={(tags) => void onChange({ tags })}
      />
      <Notes contact={contact} onChange={onChange} />
      {fields.length > 0 && (
        <dl className={classes.fields}>
          {fields.slice(0, 12).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd dir="auto">{typeof value === 'object' ? JSON.stringify(value) : String(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </Stack>
  )
}

function Notes({ contact, onChange }: Parameters<typeof Facts>[0]) {
  const [notes, setNotes] = useState(contact.notes)
  const [isWorking, setWorking] = useState(false)
  const isDirty = notes !== contact.notes
  // Notes changed elsewhere are shown unless this field has unsaved changes.
  const [saved, setSaved] = useState(contact.notes)
  useEffect(() => {
    if (contact.notes === saved) return
    if (notes === saved) setNotes(contact.notes)
    setSaved(contact.notes)
  }, [contact.notes, saved, notes])
  const save = async () => {
    setWorking(true)
    await onChange({ notes })
    setWorking(false)
  }
  return (
    <div>
      <Textarea
        size="xs"
        label="Notes"
        placeholder="Notes for your team"
        autosize
        minRows={2}
        maxRows={10}
        value={notes}
        onChange={({ currentTarget }) => setNotes(currentTarget.value)}
        dir="auto"
      />
      {isDirty && (
        <Group gap="xs" mt={6}>
          <Button size="compact-xs" onClick={() => void save()} loading={isWorking}>
            Save
          </Button>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setNotes(contact.notes)}>
            Discard
          </Button>
        </Group>
      )}
    </div>
  )
}
