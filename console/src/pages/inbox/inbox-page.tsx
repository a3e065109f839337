import type { api as types } from '@frontdesk/sdk'
import { Button, Loader } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { MissingRecord } from '../../data/missing-record.tsx'
import { isMissing } from '../../data/queries.ts'
import { useMe, useSession } from '../../data/session.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import type { ComposerHandle } from './composer.tsx'
import { ContactPanel } from './contact-panel.tsx'
import { Conversation } from './conversation.tsx'
import { useHandoff } from './handling.tsx'
import classes from './inbox.module.css'
import { KeysHelp } from './keys-help.tsx'
import { StartConversation } from './start-conversation.tsx'
import { TicketList } from './ticket-list.tsx'
import { nameOf, type Ticket, useTicket, useTicketChange, useTicketFilters, useTickets } from './tickets.ts'

/** Three panes: conversations, messages and contact. On a phone they are three views. */
export function InboxPage() {
  const { ticketId } = useParams()
  const [search, setSearch] = useSearchParams()
  const navigate = useNavigate()
  const filters = useTicketFilters()
  const list = useTickets(filters)
  const [isStarting, start] = useDisclosure()
  const [areKeysShown, keys] = useDisclosure()
  const searchBox = useRef<HTMLInputElement>(null)
  const isPanel = search.get('panel') === 'contact'
  const view = !ticketId ? 'list' : isPanel ? 'contact' : 'conversation'

  const setPanel = (isOpen: boolean) =>
    setSearch((current) => {
      const next = new URLSearchParams(current)
      if (isOpen) next.set('panel', 'contact')
      else next.delete('panel')
      return next
    })
  const go = useCallback(
    (id: string | undefined) => void navigate(`/inbox${id ? `/${id}` : ''}${filters.suffix}`),
    [navigate, filters.suffix],
  )
  // Keys may be pressed faster than React renders, so each starts from the target of the previous one.
  const place = useRef({ ticketId, tickets: list.tickets, at: -1 })
  useLayoutEffect(() => {
    const at = list.tickets.findIndex(({ id }) => id === ticketId)
    // A closed conversation leaves the list and the rows below move up; keep its position.
    const isGone = at < 0 && ticketId !== undefined && ticketId === place.current.ticketId
    place.current = { ticketId, tickets: list.tickets, at: isGone ? place.current.at : at }
  }, [ticketId, list.tickets])
  /** Opens the next or previous conversation. */
  const step = (by: number) => {
    const { tickets, at } = place.current
    const isThere = tickets[at]?.id === place.current.ticketId
    const next = at < 0 ? tickets[0] : tickets[isThere || by < 0 ? at + by : at]
    if (!next) return
    place.current.at = tickets.indexOf(next)
    place.current.ticketId = next.id
    go(next.id)
  }

  useHotkeys([
    ['ArrowDown', () => step(1)],
    ['ArrowUp', () => step(-1)],
    ['j', () => step(1)],
    ['k', () => step(-1)],
    ['n', start.open],
    ['/', () => searchBox.current?.focus()],
    ['shift+?', keys.open],
    ['?', keys.open],
  ])

  return (
    <div className={classes.inbox} data-view={view}>
      <div className={classes.listPane}>
        <TicketList
          filters={filters}
          list={list}
          selectedId={ticketId}
          searchRef={searchBox}
          onStart={start.open}
          onKeys={keys.open}
        />
      </div>
      {ticketId ? (
        <OpenTicket key={ticketId} id={ticketId} onBack={() => go(undefined)} isPanel={isPanel} setPanel={setPanel} />
      ) : (
        <NothingChosen hasTickets={list.tickets.length > 0} isPending={!list.data} onStart={start.open} />
      )}
      <StartConversation opened={isStarting} onClose={start.close} />
      <KeysHelp opened={areKeysShown} onClose={keys.close} />
    </div>
  )
}

function NothingChosen({
  hasTickets,
  isPending,
  onStart,
}: {
  hasTickets: boolean
  isPending: boolean
  onStart(): void
}) {
  const { mode } = useSession()
  useEffect(() => {
    document.title = 'Inbox · Frontdesk'
  }, [])
  return (
    <div className={classes.nothingChosen}>
      {isPending ? null : hasTickets ? (
        <EmptyState title="Choose a conversation">
          Use ↑ ↓ to move between conversations. Press ? for shortcuts.
        </EmptyState>
      ) : (
        <EmptyState
          title="Your inbox is empty"
          action={
            <Button onClick={onStart} mt="xs">
              {mode === 'test' ? 'Write as a customer' : 'Start a conversation'}
            </Button>
          }
        >
          {mode === 'test'
            ? 'Customer messages appear here. In test mode you can write as a customer.'
            : 'Customer messages appear here once you connect a channel in Settings.'}
        </EmptyState>
      )}
    </div>
  )
}

interface OpenTicketProps {
  id: string
  onBack(): void
  isPanel: boolean
  setPanel(isOpen: boolean): void
}

function OpenTicket({ id, onBack, isPanel, setPanel }: OpenTicketProps) {
  const { data, error, refetch, isPlaceholderData } = useTicket(id)
  // The placeholder is the previous conversation, with another contact.
  const ticket = isPlaceholderData ? undefined : data
  const name = ticket && nameOf(ticket)
  useEffect(() => {
    document.title = `${name ?? 'Inbox'} · Frontdesk`
  }, [name])
  if (error && !ticket)
    return (
      <div className={classes.nothingChosen}>
        {isMissing(error) ? <MissingRecord what="Conversation" /> : <ErrorState error={error} retry={refetch} />}
      </div>
    )
  if (!ticket)
    return (
      <div className={classes.nothingChosen}>
        <Loader aria-label="Loading conversation" />
      </div>
    )
  return <Panes ticket={ticket} onBack={onBack} isPanel={isPanel} setPanel={setPanel} />
}

function Panes({ ticket, onBack, isPanel, setPanel }: Omit<OpenTicketProps, 'id'> & { ticket: Ticket }) {
  const composer = useRef<ComposerHandle>(null)
  const me = useMe().user
  const changeTicket = useTicketChange()
  const handOff = useHandoff()
  const change = async (changes: types.TicketChanges) => {
    const before = ticket
    if (!(await changeTicket(before, changes)) || changes.status !== 'closed') return
    // Closing needs no confirmation because it can be undone.
    const shown = notifications.show({
      message: (
        <span className={classes.undo}>
          Closed the conversation with {nameOf(before)}
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => {
              notifications.hide(shown)
              void changeTicket({ ...before, status: 'closed' }, { status: 'open' })
            }}
          >
            Undo
          </Button>
        </span>
      ),
    })
  }
  useHotkeys([
    ['r', () => composer.current?.focus()],
    ['e', () => void change({ status: ticket.status === 'open' ? 'closed' : 'open' })],
    ['a', () => me && ticket.assignee_id !== me.id && void change({ assignee_id: me.id })],
    ['h', () => void handOff(ticket)],
  ])
  return (
    <>
      <Conversation
        ticket={ticket}
        composer={composer}
        onBack={onBack}
        onShowContact={() => setPanel(!isPanel)}
        onChange={(changes) => void change(changes)}
      />
      <ContactPanel ticket={ticket} onBack={() => setPanel(false)} />
    </>
  )
}
