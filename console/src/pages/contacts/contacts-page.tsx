import type { api as types } from '@frontdesk/sdk'
import { Anchor, Button, Group, Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconChevronDown, IconDownload, IconPlus, IconUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { api, fileAddress } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { useSession } from '../../data/session.tsx'
import { useRecord } from '../../data/use-records.ts'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { EmptyState, ErrorState, NothingMatches } from '../../ui/states.tsx'
import { asBoolean, useFilters } from '../../ui/use-filters.ts'
import { usePageCursor } from '../../ui/use-page-cursor.ts'
import { useSteadyRows } from '../../ui/use-steady-rows.ts'
import { BulkBar } from './bulk-bar.tsx'
import { ColumnChooser, useContactColumns } from './contact-columns.tsx'
import { ContactDrawer } from './contact-drawer.tsx'
import { ContactFilterBar, contactFilters } from './contact-filters.tsx'
import { ContactCards, ContactTable } from './contact-table.tsx'

type Contact = types.Contact
const pageSize = 50

export function ContactsPage() {
  const filters = useFilters(contactFilters)
  const { values } = filters
  const query = {
    search: values.search,
    tag: values.tag,
    stage: values.stage as Contact['stage'] | undefined,
    ai_handling: asBoolean(values.ai_handling),
    opted_out: asBoolean(values.opted_out),
  }
  const cursor = usePageCursor()
  const list = useContactPage(query, cursor.after)
  const { rows, newer, showNewer } = useSteadyRows(
    { fresh: list.data?.data, isPlaceholder: list.isPlaceholderData },
    JSON.stringify([query, cursor.after]),
  )
  const { columns, chooser } = useContactColumns(rows ?? [])
  const creating = useCreating()
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const address = `/contacts?${new URLSearchParams(JSON.parse(JSON.stringify({ ...query, limit: pageSize })))}`
  const isEmpty = rows?.length === 0 && !list.isPlaceholderData
  // All of a later page may have been deleted: there are others before it.
  const isBehindTheEnd = isEmpty && cursor.page > 1
  const isFailed = list.error !== null && !list.data

  return (
    <Page
      title="Contacts"
      actions={
        <>
          {!isPhone && <ApiRequest method="GET" path={address} />}
          <MoveMenu query={query} isFiltered={filters.isFiltered} />
          <Button size="xs" leftSection={<IconPlus size={14} />} onClick={creating.open}>
            New contact
          </Button>
        </>
      }
    >
      <Group align="flex-start" wrap="nowrap" gap="xs">
        <div style={{ flex: 1, minWidth: 0 }}>
          <ContactFilterBar filters={filters} />
        </div>
        {!isPhone && <ColumnChooser {...chooser} />}
      </Group>
      {newer > 0 && (
        <Anchor component="button" size="sm" onClick={showNewer} mb="xs" display="block">
          {newer === pageSize ? `${newer} or more` : newer} new {newer === 1 ? 'contact' : 'contacts'}: show
        </Anchor>
      )}
      <SelectableContacts contacts={rows} columns={columns} isPhone={isPhone} isHidden={isEmpty || isFailed} />
      {isFailed ? (
        <ErrorState error={list.error} retry={list.refetch} />
      ) : isBehindTheEnd ? (
        <EmptyState
          title="The list ends before this page"
          action={<Button onClick={cursor.first}>To its start</Button>}
        />
      ) : isEmpty && filters.isFiltered ? (
        <NothingMatches title="Nobody matches" clear={filters.clear}>
          No contact fits these filters. Names and numbers are searched by any part of them.
        </NothingMatches>
      ) : isEmpty ? (
        <EmptyState
          title="No contacts yet"
          action={
            <Group>
              <Button onClick={creating.open}>New contact</Button>
              <Button variant="default" component={Link} to="/contacts/import">
                Import a CSV file
              </Button>
            </Group>
          }
        >
          Contacts are the people you talk to. They are made here, by an import, or by themselves when somebody writes
          or calls.
        </EmptyState>
      ) : (
        <Pager
          page={cursor.page}
          size={pageSize}
          shown={rows?.length ?? 0}
          total={list.data?.total_count}
          hasMore={list.data?.has_more ?? false}
          onNext={() => list.data?.next_cursor && cursor.next(list.data.next_cursor)}
          onPrevious={cursor.previous}
        />
      )}
      <ContactDrawer opened={creating.isOpen} onClose={creating.close} onCreated={creating.show} />
    </Page>
  )
}

/** What is selected stays so from page to page and from filter to filter; selecting draws nothing else anew. */
function SelectableContacts({
  contacts,
  columns,
  isPhone,
  isHidden,
}: {
  contacts: Contact[] | undefined
  columns: ReturnType<typeof useContactColumns>['columns']
  isPhone: boolean | undefined
  isHidden: boolean
}) {
  const [selected, setSelected] = useState<ReadonlyMap<string, Contact>>(new Map())
  // On a phone a touch opens a contact, until one says that one wants to choose some.
  const [isSelecting, setSelecting] = useState(false)
  const clear = () => setSelected(new Map())
  return (
    <>
      {isHidden ? null : isPhone ? (
        <>
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => {
              setSelecting(!isSelecting)
              clear()
            }}
          >
            {isSelecting ? 'Done selecting' : 'Select'}
          </Button>
          <ContactCards contacts={contacts} selected={isSelecting ? selected : undefined} onSelect={setSelected} />
        </>
      ) : (
        <ContactTable contacts={contacts} columns={columns} selected={selected} onSelect={setSelected} />
      )}
      <BulkBar selected={selected} clear={clear} isPhone={isPhone} />
    </>
  )
}

type Query = Omit<types.ListContactsQuery, 'limit' | 'starting_after'>

/** One page of the list; the one behind it is fetched ahead, so that turning the page costs nothing. */
function useContactPage(query: Query, after: string | undefined) {
  const { mode } = useSession()
  const queries = useQueryClient()
  const ask = (starting_after: string | undefined) => ({
    key: ['contacts', 'list', query, starting_after],
    get: (signal: AbortSignal) => api.contacts.list({ ...query, limit: pageSize, starting_after }, { signal }),
  })
  const { key, get } = ask(after)
  const page = useRecord(key, get)
  const following = page.data?.has_more && !page.isPlaceholderData ? page.data.next_cursor : null
  const next = following ? ask(following) : undefined
  const nextKey = JSON.stringify(next?.key)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says which page it is
  useEffect(() => {
    if (!next) return
    const prefetching = setTimeout(() => {
      void queries.prefetchQuery({ queryKey: [mode, ...next.key], queryFn: async ({ signal }) => next.get(signal) })
    }, 300)
    return () => clearTimeout(prefetching)
  }, [nextKey, mode, queries])
  return page
}

/** `/contacts?new=contact` opens the form: ⌘K and other pages lead here. */
function useCreating() {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const turn = (isOpen: boolean) => {
    const next = new URLSearchParams(params)
    if (isOpen) next.set('new', 'contact')
    else next.delete('new')
    return navigate({ search: next.toString() }, { replace: true })
  }
  return {
    isOpen: params.get('new') === 'contact',
    open: () => void turn(true),
    close: () => void turn(false),
    /** Whoever made a contact goes on with it; the way back leads to the list, not into the form. */
    async show({ id }: Contact) {
      await turn(false)
      await navigate(`/contacts/${id}`)
    },
  }
}

function MoveMenu({ query, isFiltered }: { query: Query; isFiltered: boolean }) {
  const navigate = useNavigate()
  const filters = new URLSearchParams(JSON.parse(JSON.stringify(query))).toString()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="xs" rightSection={<IconChevronDown size={14} />}>
          Import and export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconUpload size={14} />} onClick={() => void navigate('/contacts/import')}>
          Import a CSV file
        </Menu.Item>
        <Menu.Item
          component="a"
          href={fileAddress(`/api/v1/contacts/export${filters && `?${filters}`}`)}
          download
          leftSection={<IconDownload size={14} />}
        >
          {isFiltered ? 'Export those that match as CSV' : 'Export all as CSV'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
