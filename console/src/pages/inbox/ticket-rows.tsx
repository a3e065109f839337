import { type RefObject, useEffect, useMemo } from 'react'
import { useMembers } from '../../records/members/use-members.ts'
import { useRowWindow } from '../../ui/use-row-window.ts'
import classes from './inbox.module.css'
import { TicketRow } from './ticket-row.tsx'
import type { Ticket, TicketFilters } from './tickets.ts'

/** A name, a preview and the line below: most rows. */
const typicalPx = 81

interface Props {
  tickets: Ticket[]
  /** How many conversations there are, loaded or not. */
  total: number | undefined
  /** The element that scrolls. */
  box: RefObject<HTMLElement | null>
  selectedId: string | undefined
  checked: ReadonlySet<string>
  filters: TicketFilters
  /** The rows belong to the previous filters. */
  isOld: boolean
  onOpen(id: string, matchedId: string | undefined): void
  onCheck?(id: string, isChecked: boolean): void
}

/** The loaded conversations. Those far from the viewport are not mounted: see ADR 94. */
export function TicketRows({ tickets, total, box, selectedId, checked, filters, isOld, onOpen, onCheck }: Props) {
  const { nameOf } = useMembers()
  const ids = useMemo(() => tickets.map(({ id }) => id), [tickets])
  const { list, rows, afterPx, handlers } = useRowWindow({ box, ids, typicalPx, keptId: selectedId })

  // Keeps the selected row visible during keyboard navigation.
  useEffect(() => {
    if (selectedId) list.current?.querySelector(`[data-ticket="${selectedId}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [list, selectedId])

  return (
    <>
      <ul className={classes.list} ref={list} data-old={isOld || undefined} {...handlers}>
        {rows.map(({ index, gapPx }) => {
          const ticket = tickets[index] as Ticket
          return (
            <TicketRow
              key={ticket.id}
              ticket={ticket}
              place={index + 1}
              total={total ?? tickets.length}
              gapPx={gapPx}
              isSelected={ticket.id === selectedId}
              suffix={filters.suffix}
              search={filters.search}
              assignee={nameOf(ticket.assignee_id, 'You')}
              isChecked={checked.has(ticket.id)}
              onOpen={onOpen}
              {...(onCheck && { onCheck })}
            />
          )
        })}
      </ul>
      <div style={{ height: afterPx }} />
    </>
  )
}
