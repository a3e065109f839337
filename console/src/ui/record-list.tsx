import { ActionIcon, Anchor, Button, Center, Table, Text } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import type { MouseEvent, ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { FilterBar, type FilterField } from './filter-bar.tsx'
import classes from './list.module.css'
import { MoreButton, type Paged } from './more-button.tsx'
import { EmptyState, ErrorState, RowSkeletons } from './states.tsx'
import type { Filters } from './use-filters.ts'

export interface Column<Row> {
  label: string
  cell(row: Row): ReactNode
  /** Hidden on narrower screens. Columns without it are shown on phones too. */
  from?: 'xs' | 'sm' | 'md'
  /** Where the column is hidden, this stands in the row's first cell. */
  below?(row: Row): ReactNode
  align?: 'right'
  width?: number | string
  noWrap?: boolean
  /** Shown to screen readers only, for columns of buttons. */
  isLabelHidden?: boolean
}

/** What a query of a list returns; the first page is loaded once `data` is there. */
export interface ListState<Row> extends Paged {
  data: unknown
  /** The rows still belong to the previous filters. */
  isPlaceholderData?: boolean
  rows: Row[]
  error: unknown
  refetch(): unknown
}

interface Props<Row, Name extends string> {
  list: ListState<Row>
  /** What the records are called, as in "No matching campaigns". */
  label?: string
  columns?: Column<Row>[]
  /** The rows to show, where they differ from the loaded ones. */
  rows?: Row[]
  filters?: Filters<Name> | Pick<Filters<Name>, 'isFiltered' | 'clear'> | undefined
  /** The filter bar above the table. Hidden while there is nothing to filter. */
  fields?: FilterField<Name>[]
  /** Replaces the filter bar. */
  toolbar?: ReactNode
  empty: { title: string; text?: ReactNode; action?: ReactNode }
  /** The empty state while filters are set. */
  noMatch?: { title?: string; text?: ReactNode }
  /** Smaller empty states, for a list in a pane or column. */
  isNarrow?: boolean
  /** The page of a row: a click anywhere in the row opens it. */
  address?(row: Row): string
  /** Details below a row, opened by a click anywhere in the row. */
  expand?: {
    opened: string | undefined
    open(id: string | undefined): void
    label(row: Row): string
    body(row: Row): ReactNode
  }
  /** Rows that arrived above the first one since it was shown. */
  newer?: { count: number; one: string; many: string; show(): void }
  skeletons?: number
  isHighlighted?(row: Row): boolean
  /** Replaces the table: cards, or a table with a selection. */
  children?(shown: { rows: Row[] | undefined; isHidden: boolean }): ReactNode
  /** Replaces "Show more". */
  paging?: ReactNode
}

/** A list of records: filters, error, empty state, skeleton, table and paging. */
export function RecordList<Row extends { id: string }, Name extends string = never>(props: Props<Row, Name>) {
  const { list, label = '', fields, filters, empty, noMatch, isNarrow = false, newer, children } = props
  const isFailed = Boolean(list.error) && !list.data
  const rows = list.data ? (props.rows ?? list.rows) : undefined
  const isEmpty = rows?.length === 0 && !list.hasNextPage && !list.isPlaceholderData
  const isFiltered = filters?.isFiltered ?? false
  const shown = { rows, isHidden: isFailed || isEmpty }
  const nothing = isFiltered
    ? {
        title: label ? `No matching ${label.toLowerCase()}` : 'No results',
        text: 'Try other filters.',
        action: (
          <Button variant="default" size={isNarrow ? 'xs' : 'sm'} onClick={filters?.clear}>
            Clear filters
          </Button>
        ),
        ...noMatch,
      }
    : empty
  const bar = fields && filters && 'set' in filters && <FilterBar label={label} filters={filters} fields={fields} />
  return (
    <div>
      {(!isEmpty || isFiltered) && (props.toolbar ?? bar)}
      {isFailed ? (
        <ErrorState error={list.error} retry={() => void list.refetch()} />
      ) : (
        isEmpty && (
          <EmptyState title={nothing.title} action={nothing.action} isNarrow={isNarrow}>
            {nothing.text}
          </EmptyState>
        )
      )}
      {!shown.isHidden && newer && <NewerRows {...newer} />}
      {children ? children(shown) : !shown.isHidden && <RecordTable {...props} rows={rows} />}
      {!shown.isHidden && (props.paging === undefined ? <MoreButton list={list} /> : props.paging)}
    </div>
  )
}

type TableProps<Row> = Pick<Props<Row, never>, 'columns' | 'address' | 'expand' | 'isHighlighted' | 'skeletons'>

/** The table alone, for rows that are no list of the API. They are named by `name`. */
export function RecordTable<Row extends { id: string }>(
  props: TableProps<Row> & { name?: string; rows: Row[] | undefined },
) {
  const { name, columns = [], rows, expand, skeletons } = props
  const isFixed = columns.some(({ width }) => width !== undefined)
  return (
    <Table stickyHeader aria-label={name} className={isFixed ? classes.table : undefined}>
      <Table.Thead>
        <Table.Tr>
          {expand && (
            <Table.Th w={36}>
              <span className="sr-only">Details</span>
            </Table.Th>
          )}
          {columns.map(({ label, from, align, width, noWrap, isLabelHidden }) => (
            <Table.Th
              key={label}
              {...(from && { visibleFrom: from })}
              {...(align && { ta: align })}
              {...(width && { w: width })}
              {...(noWrap && { style: { whiteSpace: 'nowrap' } })}
            >
              {isLabelHidden ? <span className="sr-only">{label}</span> : label}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows ? (
          rows.map((row) => <RecordRow key={row.id} {...props} row={row} />)
        ) : (
          <RowSkeletons columns={columns.length + (expand ? 1 : 0)} {...(skeletons && { rows: skeletons })} />
        )}
      </Table.Tbody>
    </Table>
  )
}

function RecordRow<Row extends { id: string }>({
  row,
  columns = [],
  address,
  expand,
  isHighlighted,
}: TableProps<Row> & { row: Row }) {
  const navigate = useNavigate()
  const isOpen = expand?.opened === row.id
  const toggle = () => expand?.open(isOpen ? undefined : row.id)
  function click({ target, metaKey, ctrlKey }: MouseEvent) {
    if ((target as Element).closest('a, button, input, label')) return
    if (!address) toggle()
    else if (metaKey || ctrlKey) window.open(address(row))
    else void navigate(address(row))
  }
  return (
    <>
      <Table.Tr
        {...((address || expand) && { onClick: click, style: { cursor: 'pointer' } })}
        className={classes.row}
        data-highlighted={isHighlighted?.(row) || undefined}
      >
        {expand && (
          <Table.Td>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-expanded={isOpen}
              aria-label={expand.label(row)}
              onClick={toggle}
            >
              {isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
            </ActionIcon>
          </Table.Td>
        )}
        {columns.map(({ label, cell, from, align, noWrap }, i) => (
          <Table.Td
            key={label}
            {...(from && { visibleFrom: from })}
            {...(align && { ta: align })}
            style={noWrap ? { whiteSpace: 'nowrap' } : { overflowWrap: 'anywhere' }}
          >
            {cell(row)}
            {i === 0 && columns.map((column) => <Below key={column.label} column={column} row={row} />)}
          </Table.Td>
        ))}
      </Table.Tr>
      {expand && isOpen && (
        <Table.Tr>
          <Table.Td colSpan={columns.length + 1} maw={0}>
            {expand.body(row)}
          </Table.Td>
        </Table.Tr>
      )}
    </>
  )
}

function Below<Row>({ column: { from, below }, row }: { column: Column<Row>; row: Row }) {
  const content = from && below?.(row)
  return (
    content && (
      <Text size="xs" c="dimmed" component="div" hiddenFrom={from}>
        {content}
      </Text>
    )
  )
}

/** The name of a record in its row. */
export function RowLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Anchor component={Link} to={to} size="sm" fw={550} className={classes.name}>
      <bdi>{children}</bdi>
    </Anchor>
  )
}

/** Announces newer rows without moving the ones being read. */
function NewerRows({ count, one, many, show }: NonNullable<Props<never, never>['newer']>) {
  if (count === 0) return null
  return (
    <Center style={{ position: 'sticky', top: 80, zIndex: 2 }}>
      <Button size="compact-sm" onClick={show}>
        {count === 1 ? `Show 1 new ${one}` : `Show ${count} new ${many}`}
      </Button>
    </Center>
  )
}
