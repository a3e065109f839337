import { Button, Loader } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router'
import { useSession } from '../../data/session.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { EmptyState } from '../../ui/states.tsx'
import classes from './inbox.module.css'
import { TicketList } from './ticket-list.tsx'
import { useTicketFilters, useTickets } from './tickets.ts'

// Not needed by the list, which is shown first.
const loadTicket = () => import('./open-ticket.tsx')
const OpenTicket = lazy(async () => ({ default: (await loadTicket()).OpenTicket }))
const StartConversation = lazyDialog(async () => (await import('./start-conversation.tsx')).StartConversation)
const KeysHelp = lazyDialog(async () => (await import('./keys-help.tsx')).KeysHelp)

/** Three panes: conversations, messages and contact. On a phone they are three views. */
export function InboxPage() {
  const { ticketId } = useParams()
  const [search, setSearch] = useSearchParams()
  const navigate = useNavigate()
  const { key: opening, state } = useLocation()
  const matchedId: string | undefined = state?.matchedId
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
    (id: string | undefined, matchedId?: string) => {
      const to = `/inbox${id ? `/${id}` : ''}${filters.suffix}`
      const replace = to === window.location.pathname + window.location.search
      void navigate(to, { replace, state: { matchedId } })
    },
    [navigate, filters.suffix],
  )
  // Keys may be pressed faster than React renders, so each starts from the target of the previous one.
  const place = useRef({ ticketId, tickets: list.rows, at: -1 })
  useLayoutEffect(() => {
    const at = list.rows.findIndex(({ id }) => id === ticketId)
    // A closed conversation leaves the list and the rows below move up; keep its position.
    const isGone = at < 0 && ticketId !== undefined && ticketId === place.current.ticketId
    place.current = { ticketId, tickets: list.rows, at: isGone ? place.current.at : at }
  }, [ticketId, list.rows])
  /** Opens the next or previous conversation. */
  const step = (by: number) => {
    const { tickets, at } = place.current
    const isThere = tickets[at]?.id === place.current.ticketId
    const next = at < 0 ? tickets[0] : tickets[isThere || by < 0 ? at + by : at]
    if (!next) return
    place.current.at = tickets.indexOf(next)
    place.current.ticketId = next.id
    go(next.id, next.matched_message?.id)
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
      <div className={classes.listPane} onPointerEnter={() => void loadTicket()}>
        <TicketList
          filters={filters}
          list={list}
          selectedId={ticketId}
          onOpen={go}
          searchRef={searchBox}
          onStart={start.open}
          onKeys={keys.open}
        />
      </div>
      {ticketId ? (
        <Suspense
          fallback={
            <div className={classes.nothingChosen}>
              <Loader aria-label="Loading conversation" />
            </div>
          }
        >
          <OpenTicket
            key={ticketId}
            id={ticketId}
            match={matchedId ? { messageId: matchedId, opening } : undefined}
            onBack={() => go(undefined)}
            isPanel={isPanel}
            setPanel={setPanel}
          />
        </Suspense>
      ) : (
        <NothingChosen
          hasTickets={list.rows.length > 0 || filters.isFiltered}
          isPending={!list.data}
          onStart={start.open}
        />
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
