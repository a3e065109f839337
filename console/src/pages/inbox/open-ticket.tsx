import type { api as types } from '@frontdesk/sdk'
import { Loader } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useDeferredValue, useEffect } from 'react'
import { MissingRecord } from '../../data/missing-record.tsx'
import { isMissing } from '../../data/queries.ts'
import { useMe } from '../../data/session.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { showDone } from '../../ui/undo.tsx'
import { ContactPanel } from './contact-panel.tsx'
import { Conversation } from './conversation.tsx'
import { useHandoff } from './handling.tsx'
import classes from './inbox.module.css'
import { nameOf, type Ticket, useTicket, useTicketChange } from './tickets.ts'
import type { Match } from './use-shown-match.ts'

interface OpenTicketProps {
  id: string
  match: Match | undefined
  onBack(): void
  isPanel: boolean
  setPanel(isOpen: boolean): void
}

/** The open conversation and its contact. */
export function OpenTicket({ id, onBack, ...props }: OpenTicketProps) {
  const { data, error, refetch } = useTicket(id)
  // The list marks the conversation first. The panes follow in a rendering that a key or a click can interrupt.
  const isShown = useDeferredValue(data !== undefined, false)
  const ticket = isShown ? data : undefined
  const name = ticket && nameOf(ticket)
  useEffect(() => {
    document.title = `${name ?? 'Inbox'} · Frontdesk`
  }, [name])
  if (error && (!data || isMissing(error)))
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
  return <Panes ticket={ticket} onBack={onBack} {...props} />
}

function Panes({ ticket, match, onBack, isPanel, setPanel }: Omit<OpenTicketProps, 'id'> & { ticket: Ticket }) {
  const me = useMe().user
  const changeTicket = useTicketChange()
  const handOff = useHandoff()
  const change = async (changes: types.TicketChanges) => {
    const before = ticket
    const done = changes.status === 'closed' ? 'Closed' : changes.snoozed_until ? 'Snoozed' : undefined
    if (!(await changeTicket(before, changes)) || !done) return
    // Neither needs a confirmation, because both can be undone.
    const { status, snoozed_until } = before
    showDone(`${done} the conversation with ${nameOf(before)}`, () =>
      changeTicket({ ...before, ...changes }, done === 'Closed' ? { status } : { snoozed_until }),
    )
  }
  useHotkeys([
    ['e', () => void change({ status: ticket.status === 'open' ? 'closed' : 'open' })],
    ['a', () => me && ticket.assignee_id !== me.id && void change({ assignee_id: me.id })],
    ['h', () => void handOff(ticket)],
  ])
  return (
    <>
      <Conversation
        ticket={ticket}
        match={match}
        onBack={onBack}
        onShowContact={() => setPanel(!isPanel)}
        onChange={(changes) => void change(changes)}
      />
      <ContactPanel ticket={ticket} onBack={() => setPanel(false)} onChange={(changes) => void change(changes)} />
    </>
  )
}
