import type { api as types } from '@frontdesk/sdk'
import { Box, Checkbox, Group, Skeleton, Table, Text, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { type Dispatch, type MouseEvent, memo, type SetStateAction, useCallback, useDeferredValue } from 'react'
import { Link, useNavigate } from 'react-router'
import { callName, StageStatus } from '../../records/contacts/stages.tsx'
import { Moment } from '../../ui/moment.tsx'
import { RowSkeletons } from '../../ui/states.tsx'
import type { useContactColumns } from './contact-columns.tsx'
import classes from './contact-table.module.css'

type Contact = types.ListedContact
type Selection = ReadonlyMap<string, Contact>

type Columns = ReturnType<typeof useContactColumns>['columns']

export interface Sorting {
  /** A column; `-` before it sorts descending. Undefined: newest first. */
  value: string | undefined
  set(value: string | undefined): void
}

/** Times read from the latest, the others from A to Z, from the lowest or from the first stage. */
const times = ['last_activity_at', 'created_at']
const sortable = ['name', 'phone_number', 'stage', ...times]

export function ContactTable({
  contacts,
  columns,
  selected,
  onSelect,
  sorting,
}: {
  contacts: Contact[] | undefined
  columns: Columns
  selected: Selection
  onSelect: Dispatch<SetStateAction<Selection>>
  /** Undefined while the order cannot be chosen. */
  sorting: Sorting | undefined
}) {
  const chosenHere = contacts?.filter(({ id }) => selected.has(id)).length ?? 0
  // A single change renders at once; a change of many rows is deferred so that the clicked checkbox responds first.
  const settled = useDeferredValue(selected)
  const shown = Math.abs(selected.size - settled.size) > 1 ? settled : selected
  const toggle = useCallback(
    (some: Contact[], isOn: boolean) =>
      onSelect((before) => {
        const next = new Map(before)
        for (const contact of some)
          if (isOn) next.set(contact.id, contact)
          else next.delete(contact.id)
        return next
      }),
    [onSelect],
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard
    <section className={classes.box} tabIndex={0} aria-label="Contacts">
      <Table stickyHeader verticalSpacing={7} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={36}>
              <Checkbox
                size="xs"
                aria-label="Select all on this page"
                checked={contacts !== undefined && contacts.length > 0 && chosenHere === contacts.length}
                indeterminate={chosenHere > 0 && chosenHere < (contacts?.length ?? 0)}
                // Before the rows are there, a click would select none of them.
                disabled={!contacts}
                onChange={(event) => toggle(contacts ?? [], event.currentTarget.checked)}
              />
            </Table.Th>
            {[{ key: 'name', label: 'Name' }, ...columns].map(({ key, label }) => (
              <HeadCell key={key} column={key} label={label} sorting={sortable.includes(key) ? sorting : undefined} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {!contacts && <RowSkeletons columns={columns.length + 2} rows={12} />}
          {contacts?.map((contact) => (
            <ContactRow
              key={contact.id}
              contact={contact}
              columns={columns}
              isSelected={shown.has(contact.id)}
              toggle={toggle}
            />
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}

/** A column heading; a click sorts by it, a second one the other way round, a third one not at all. */
function HeadCell({ column, label, sorting }: { column: string; label: string; sorting: Sorting | undefined }) {
  if (!sorting) return <Table.Th>{label}</Table.Th>
  const [first, second] = times.includes(column) ? [`-${column}`, column] : [column, `-${column}`]
  const { value } = sorting
  const next = value === first ? second : value === second ? undefined : first
  const direction = value === column ? 'ascending' : value === `-${column}` ? 'descending' : undefined
  return (
    <Table.Th aria-sort={direction ?? 'none'}>
      <UnstyledButton onClick={() => sorting.set(next)} className={classes.sort} data-active={direction && true}>
        {label}
        {direction === 'ascending' ? (
          <IconArrowUp size={13} />
        ) : direction === 'descending' ? (
          <IconArrowDown size={13} />
        ) : (
          <IconArrowsSort size={13} />
        )}
      </UnstyledButton>
    </Table.Th>
  )
}

/** Memoized and made of plain elements, because fifty rows of seven cells render at once. */
const ContactRow = memo(function ContactRow({
  contact,
  columns,
  isSelected,
  toggle,
}: {
  contact: Contact
  columns: Columns
  isSelected: boolean
  toggle(some: Contact[], isOn: boolean): void
}) {
  const navigate = useNavigate()
  function open({ target, metaKey, ctrlKey }: MouseEvent) {
    if ((target as Element).closest('a, button, input, label')) return
    if (metaKey || ctrlKey) window.open(`/contacts/${contact.id}`)
    else void navigate(`/contacts/${contact.id}`)
  }
  return (
    <tr onClick={open} className={classes.row} data-selected={isSelected || undefined}>
      <td>
        <Checkbox
          size="xs"
          aria-label={`Select ${callName(contact)}`}
          checked={isSelected}
          onChange={(event) => toggle([contact], event.currentTarget.checked)}
        />
      </td>
      <ContactCells contact={contact} columns={columns} />
    </tr>
  )
})

/** The cells that do not depend on the selection. */
const ContactCells = memo(function ContactCells({ contact, columns }: { contact: Contact; columns: Columns }) {
  return (
    <>
      <td>
        <Link to={`/contacts/${contact.id}`} className={classes.name} dir="auto" title={contact.name}>
          {callName(contact)}
        </Link>
      </td>
      {columns.map(({ key, cell }) => (
        <td key={key}>{cell(contact)}</td>
      ))}
    </>
  )
})

/** The list on a phone: two lines per contact. A tap opens it, or selects it in selection mode. */
export function ContactCards({
  contacts,
  selected,
  onSelect,
}: {
  contacts: Contact[] | undefined
  selected: Selection | undefined
  onSelect: Dispatch<SetStateAction<Selection>>
}) {
  const toggle = (contact: Contact) =>
    onSelect((before) => {
      const next = new Map(before)
      if (!next.delete(contact.id)) next.set(contact.id, contact)
      return next
    })
  if (!contacts)
    return [1, 2, 3, 4, 5, 6].map((row) => (
      <Box key={row} py="sm" aria-hidden>
        <Skeleton height={14} width="60%" mb={8} />
        <Skeleton height={12} width="40%" />
      </Box>
    ))
  return contacts.map((contact) =>
    selected ? (
      <div key={contact.id} className={classes.card}>
        <Checkbox
          checked={selected.has(contact.id)}
          onChange={() => toggle(contact)}
          styles={{ body: { alignItems: 'center' }, labelWrapper: { flex: 1, minWidth: 0 } }}
          label={<CardLines contact={contact} />}
        />
      </div>
    ) : (
      <Link key={contact.id} to={`/contacts/${contact.id}`} className={classes.card}>
        <CardLines contact={contact} />
      </Link>
    ),
  )
}

function CardLines({ contact }: { contact: Contact }) {
  return (
    <>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text fw={500} truncate dir="auto">
          {callName(contact)}
        </Text>
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          <Moment at={contact.last_activity_at} />
        </Text>
      </Group>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" c="dimmed" truncate>
          {contact.name ? contact.phone_number : 'No name'}
        </Text>
        <StageStatus stage={contact.stage} />
      </Group>
    </>
  )
}
