import type { api as types } from '@frontdesk/sdk'
import { Anchor, Button, Card, Group, Menu, Select, Text } from '@mantine/core'
import { IconRobot, IconUser } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Fragment, type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { may, useMe, useSession } from '../../data/session.tsx'
import { useRecord } from '../../data/use-records.ts'
import { Handling } from '../../records/contacts/handling.tsx'
import { type Stage, stageLabel, stages } from '../../records/contacts/stages.tsx'
import { releaseTo } from '../../records/messages/outbox.ts'
import { TicketRating } from '../../records/tickets/ticket-rating.tsx'
import { Copy } from '../../ui/copy.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Status } from '../../ui/status.tsx'
import { showDone, showFault } from '../../ui/undo.tsx'
import { plainValue, Tags } from './contact-columns.tsx'
import classes from './contact-details.module.css'

type Contact = types.ContactWithIdentities

/** The details of a contact. */
export function ContactDetails({ contact, onEdit }: { contact: Contact; onEdit(): void }) {
  const { isBusy, act } = useActing(contact)
  const custom = Object.entries(contact.custom_fields)

  const setStage = (stage: Stage) =>
    act(
      () => api.contacts.update(contact.id, { stage }),
      `Stage changed to ${stageLabel(stage).toLowerCase()}`,
      () => api.contacts.update(contact.id, { stage: contact.stage }),
    )
  const handOffTo = async (to: 'ai' | 'human') => {
    const { contacts } = api
    // A reply that is sent after the hand-off would take over again.
    await releaseTo(contact.id)
    await contacts.handOff(contact.id, { to })
  }
  const handOff = () =>
    act(
      () => handOffTo(contact.ai_handling ? 'human' : 'ai'),
      contact.ai_handling ? 'Handed off to a person' : 'Handed off to AI',
      () => handOffTo(contact.ai_handling ? 'ai' : 'human'),
    )
  const setConsent = (opted_out: boolean) =>
    act(
      () => api.contacts.update(contact.id, { opted_out }),
      opted_out ? 'Opted out of marketing' : 'Marketing allowed',
      () => api.contacts.update(contact.id, { opted_out: !opted_out }),
    )

  const setBlocked = (blocked: boolean) =>
    act(
      () => api.contacts.update(contact.id, { blocked }),
      blocked ? 'Contact blocked' : 'Contact unblocked',
      () => api.contacts.update(contact.id, { blocked: !blocked }),
    )

  return (
    <Card withBorder>
      <dl className={classes.facts}>
        <Fact label="Phone">
          {contact.phone_number ? (
            <Group gap={4} wrap="nowrap">
              <Anchor href={`tel:${contact.phone_number}`} size="sm">
                {contact.phone_number}
              </Anchor>
              <Copy value={contact.phone_number} what="phone number" />
            </Group>
          ) : (
            'None'
          )}
        </Fact>
        <Fact label="Stage">
          <Select
            aria-label="Stage"
            size="xs"
            data={stages.map(({ value, label }) => ({ value, label }))}
            value={contact.stage}
            onChange={(stage) => stage && void setStage(stage as Stage)}
            allowDeselect={false}
            disabled={isBusy}
            maw={150}
          />
        </Fact>
        <LastRating contactId={contact.id} />
        <Fact label="Handled by">
          <Group gap="xs">
            <Handling by={contact.handled_by} />
            <Button
              size="compact-xs"
              variant="default"
              loading={isBusy}
              leftSection={contact.ai_handling ? <IconUser size={13} /> : <IconRobot size={13} />}
              onClick={() => void handOff()}
            >
              {contact.ai_handling ? 'Take over' : 'Hand off to AI'}
            </Button>
          </Group>
        </Fact>
        <Fact label="Marketing">
          <Permission
            refusal="Opted out"
            refusedAt={contact.opted_out_at}
            isBusy={isBusy}
            label={contact.opted_out_at ? 'Opted out of marketing' : 'Allowed marketing'}
            action={contact.opted_out_at ? 'Allow marketing, only if the contact asked for it' : 'Opt out of marketing'}
            onChange={() => void setConsent(!contact.opted_out_at)}
          />
        </Fact>
        <Fact label="Messages">
          <Permission
            refusal="Blocked"
            refusedAt={contact.blocked_at}
            isBusy={isBusy}
            label={contact.blocked_at ? 'Blocked from sending messages' : 'Allowed to send messages'}
            action={contact.blocked_at ? 'Unblock contact' : 'Block contact and drop their messages'}
            onChange={() => void setBlocked(!contact.blocked_at)}
          />
        </Fact>
        <Fact label="Tags">
          {contact.tags.length > 0 ? <Tags tags={contact.tags} all /> : <Missing onEdit={onEdit} />}
        </Fact>
        <Fact label="Notes">
          {contact.notes ? (
            <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {contact.notes}
            </Text>
          ) : (
            <Missing onEdit={onEdit} />
          )}
        </Fact>
        {custom.map(([name, value]) => (
          <Fact key={name} label={name}>
            <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
              {plainValue(value)}
            </Text>
          </Fact>
        ))}
        {contact.source_at && (
          <Fact label="Source">
            <ContactSource contact={contact} />
          </Fact>
        )}
        {contact.username && (
          <Fact label="Username">
            <bdi>@{contact.username}</bdi>
          </Fact>
        )}
        <Fact label="Last activity">
          <Moment at={contact.last_activity_at} />
        </Fact>
        <Fact label="Created">
          <Moment at={contact.created_at} />
        </Fact>
        <Fact label="ID">
          <Group gap={4} wrap="nowrap" miw={0}>
            <Text size="xs" miw={0} ff="monospace" truncate title={contact.id}>
              {contact.id}
            </Text>
            <Copy value={contact.id} what="ID" />
          </Group>
        </Fact>
      </dl>
    </Card>
  )
}

/** The ad that the contact came from, linked to all contacts of that ad. */
function ContactSource({ contact }: { contact: Contact }) {
  const { source_type, source_id, source_headline, source_url, source_at } = contact
  const kind = source_type === 'post' ? 'Post' : 'Ad'
  // Without a headline, the line above shows the id.
  const name = source_headline && source_id ? `${kind} ${source_id}` : kind
  return (
    <>
      <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
        {source_id ? (
          <Anchor component={Link} to={`/contacts?source_id=${encodeURIComponent(source_id)}`} size="sm">
            {source_headline || source_id}
          </Anchor>
        ) : (
          source_headline
        )}
      </Text>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {source_url ? (
          <Anchor href={source_url} target="_blank" rel="noreferrer" size="xs" underline="always">
            {name}
          </Anchor>
        ) : (
          name
        )}{' '}
        · <Moment at={source_at} />
      </Text>
    </>
  )
}

function useActing(contact: Contact) {
  const { mode } = useSession()
  const queries = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const refresh = () =>
    Promise.all(
      [
        [mode, 'contacts'],
        [mode, 'activities', contact.id],
      ].map((queryKey) => queries.invalidateQueries({ queryKey })),
    )
  async function act(work: () => Promise<unknown>, done: string, undo: () => Promise<unknown>) {
    setBusy(true)
    try {
      await work()
      await refresh()
      showDone(done, () => undo().then(refresh))
    } catch (error) {
      showFault(error)
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, act }
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Fragment>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </Fragment>
  )
}

function Missing({ onEdit }: { onEdit(): void }) {
  return (
    <Anchor component="button" size="sm" c="dimmed" onClick={onEdit}>
      Add
    </Anchor>
  )
}

/** The latest rating among the newest conversations. */
function LastRating({ contactId }: { contactId: string }) {
  const enabled = may(useMe(), 'inbox:read')
  const { data } = useRecord(
    ['tickets', 'of-contact', contactId],
    (signal) => api.inbox.listTickets({ contact_id: contactId, limit: 20 }, { signal }),
    { enabled },
  )
  const rated = data?.inboxes
    .filter(({ contact_id, rated_at }) => contact_id === contactId && rated_at !== null)
    .sort((one, other) => (other.rated_at ?? '').localeCompare(one.rated_at ?? ''))[0]
  if (!rated) return null
  return (
    <Fact label="Last rating">
      <TicketRating ticket={rated} />
    </Fact>
  )
}

/** Whether something is allowed, and a menu to change it. */
function Permission({
  refusal,
  refusedAt,
  isBusy,
  label,
  action,
  onChange,
}: {
  refusal: string
  refusedAt: string | null
  isBusy: boolean
  label: string
  action: string
  onChange(): void
}) {
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button variant="default" size="compact-xs" disabled={isBusy} aria-label={label}>
            {refusedAt ? <Status tone="bad">{refusal}</Status> : <Status tone="good">Allowed</Status>}
          </Button>
        </Menu.Target>
        <Menu.Dropdown maw={280}>
          <Menu.Item onClick={onChange}>{action}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {refusedAt && (
        <Text size="xs" c="dimmed">
          <Moment at={refusedAt} />
        </Text>
      )}
    </>
  )
}
