import type { api as types } from '@frontdesk/sdk'
import { Button, Group, Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconChevronDown, IconDownload, IconPlus, IconUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router'
import { api, fileAddress } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { IfMay, useSession } from '../../data/session.tsx'
import { useRecord } from '../../data/use-records.ts'
import { handlerOfOldFilter } from '../../records/contacts/handling.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { RecordList } from '../../ui/record-list.tsx'
import { asBoolean, useFilters } from '../../ui/use-filters.ts'
import { usePageCursor } from '../../ui/use-page-cursor.ts'
import { useSteadyRows } from '../../ui/use-steady-rows.ts'
import { BulkBar } from './bulk-bar.tsx'
import { ColumnChooser, useContactColumns } from './contact-columns.tsx'
import { ContactFilterBar, contactFilters } from './contact-filters.tsx'
import { ContactCards, ContactTable, type Sorting } from './contact-table.tsx'

type Contact = types.ListedContact
const ContactDrawer = lazyDialog(async () => (await import('./contact-drawer.tsx')).ContactDrawer)
const pageSize = 50

export function ContactsPage() {
  const [params] = useSearchParams()
  const old = params.get('ai_handling')
  if (old === null) return <ContactList />
  const next = new URLSearchParams(params)
  next.delete('ai_handling')
  const handler = handlerOfOldFilter(old)
  if (handler && !next.has('handled_by')) next.set('handled_by', handler)
  return <Navigate to={{ search: next.toString() }} replace />
}

function ContactList() {
  const filters = useFilters(contactFilters)
  const { values } = filters
  const sort = useFilters(['sort'])
  const sorting: Sorting = { value: sort.values.sort, set: (value) => sort.set({ sort: value }) }
  const query = {
    search: values.search,
    tag: values.tag,
    stage: values.stage as Contact['stage'] | undefined,
    handled_by: values.handled_by as Contact['handled_by'] | undefined,
    opted_out: asBoolean(values.opted_out),
    source_type: values.source_type as 'ad' | 'post' | undefined,
    source_id: values.source_id,
    // A search has its own order.
    sort: values.search ? undefined : (sorting.value as types.ListContactsQuery['sort']),
  }
  const cursor = usePageCursor()
  const list = useContactPage(query, cursor.after)
  const { rows, newer, showNewer } = useSteadyRows(
    // In another order, new contacts are not at the top.
    { fresh: list.data?.data, isPlaceholder: list.isPlaceholderData || query.sort !== undefined },
    JSON.stringify([query, cursor.after]),
  )
  const { columns, chooser } = useContactColumns(rows ?? [])
  const creating = useCreating()
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const address = `/contacts?${new URLSearchParams(JSON.parse(JSON.stringify({ ...query, limit: pageSize })))}`
  // All contacts of a later page may have been deleted since it was opened.
  const isPastEnd = rows?.length === 0 && !list.isPlaceholderData && cursor.page > 1

  return (
    <Page
      title="Contacts"
      actions={
        <>
          {!isPhone && <ApiRequest method="GET" path={address} />}
          <MoveMenu query={query} isFiltered={filters.isFiltered} />
          <IfMay scope="contacts:write">
            <Button size="xs" leftSection={<IconPlus size={14} />} onClick={creating.open}>
              New contact
            </Button>
          </IfMay>
        </>
      }
    >
      <RecordList
        label="Contacts"
        list={{ ...list, rows: rows ?? [] }}
        filters={isPastEnd ? undefined : filters}
        toolbar={
          <Group align="flex-start" wrap="nowrap" gap="xs">
            <div style={{ flex: 1, minWidth: 0 }}>
              <ContactFilterBar filters={filters} />
            </div>
            {!isPhone && <ColumnChooser {...chooser} />}
          </Group>
        }
        newer={{ count: newer, one: 'contact', many: 'contacts', show: showNewer }}
        empty={
          isPastEnd
            ? {
                title: 'This page is past the end of the list',
                action: <Button onClick={cursor.first}>Go to the first page</Button>,
              }
            : {
                title: 'No contacts yet',
                text: 'Contacts are the people you talk to. Create or import them here; they are also created when someone messages or calls you.',
                action: (
                  <IfMay scope="contacts:write">
                    <Group>
                      <Button onClick={creating.open}>New contact</Button>
                      <Button variant="default" component={Link} to="/contacts/import">
                        Import a CSV file
                      </Button>
                    </Group>
                  </IfMay>
                ),
              }
        }
        noMatch={{ text: 'Search matches any part of a name or phone number.' }}
        paging={
          <Pager
            page={cursor.page}
            size={pageSize}
            shown={rows?.length ?? 0}
            total={list.data?.total_count}
            hasMore={list.data?.has_more ?? false}
            onNext={() => list.data?.next_cursor && cursor.next(list.data.next_cursor)}
            onPrevious={cursor.previous}
          />
        }
      >
        {({ isHidden }) => (
          <SelectableContacts
            contacts={rows}
            columns={columns}
            isPhone={isPhone}
            isHidden={isHidden}
            sorting={values.search ? undefined : sorting}
            matching={{ filter: filterOf(query), total: list.data?.total_count }}
          />
        )}
      </RecordList>
      <ContactDrawer opened={creating.isOpen} onClose={creating.close} onCreated={creating.show} />
    </Page>
  )
}

/** The selection outlives pages and filters. It is kept here so that selecting a row does not re-render the page. */
function SelectableContacts({
  contacts,
  columns,
  isPhone,
  isHidden,
  sorting,
  matching,
}: {
  contacts: Contact[] | undefined
  columns: ReturnType<typeof useContactColumns>['columns']
  isPhone: boolean | undefined
  isHidden: boolean
  sorting: Sorting | undefined
  matching: React.ComponentProps<typeof BulkBar>['matching']
}) {
  const [selected, setSelected] = useState<ReadonlyMap<string, Contact>>(new Map())
  // On a phone a tap opens a contact unless selection is switched on.
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
        <ContactTable
          contacts={contacts}
          columns={columns}
          selected={selected}
          onSelect={setSelected}
          sorting={sorting}
        />
      )}
      <BulkBar selected={selected} clear={clear} isPhone={isPhone} matching={matching} />
    </>
  )
}

/** The filter alone, without members that are not set. */
function filterOf({ sort: _, ...filter }: Query): types.NewBulkEdit['filter'] {
  return JSON.parse(JSON.stringify(filter))
}

type Query = Omit<types.ListContactsQuery, 'limit' | 'starting_after'>

/** One page of the list. The next page is prefetched so that it opens without waiting. */
function useContactPage(query: Query, after: string | undefined) {
  const { mode } = useSession()
  const queries = useQueryClient()
  const ask = (starting_after: string | undefined) => ({
    key: ['contacts', 'list', query, starting_after],
    get: (signal: AbortSignal) =>
      api.contacts.list({ ...query, include: 'handled_by', limit: pageSize, starting_after }, { signal }),
  })
  const { key, get } = ask(after)
  const page = useRecord(key, get)
  const following = page.data?.has_more && !page.isPlaceholderData ? page.data.next_cursor : null
  const next = following ? ask(following) : undefined
  const nextKey = JSON.stringify(next?.key)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the page
  useEffect(() => {
    if (!next) return
    const prefetching = setTimeout(() => {
      void queries.prefetchQuery({ queryKey: [mode, ...next.key], queryFn: async ({ signal }) => next.get(signal) })
    }, 300)
    return () => clearTimeout(prefetching)
  }, [nextKey, mode, queries])
  return page
}

/** `/contacts?new=contact` opens the form, for links from ⌘K and other pages. */
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
    /** Opens the new contact. Going back leads to the list and not into the form. */
    async show({ id }: types.Contact) {
      await turn(false)
      await navigate(`/contacts/${id}`)
    },
  }
}

function MoveMenu({ query, isFiltered }: { query: Query; isFiltered: boolean }) {
  const navigate = useNavigate()
  const filters = new URLSearchParams(JSON.parse(JSON.stringify({ ...query, sort: undefined }))).toString()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="xs" rightSection={<IconChevronDown size={14} />}>
          Import and export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <IfMay scope="contacts:write">
          <Menu.Item leftSection={<IconUpload size={14} />} onClick={() => void navigate('/contacts/import')}>
            Import a CSV file
          </Menu.Item>
        </IfMay>
        <Menu.Item
          component="a"
          href={fileAddress(`/api/v1/contacts/export${filters && `?${filters}`}`)}
          download
          leftSection={<IconDownload size={14} />}
        >
          {isFiltered ? 'Export matching contacts as CSV' : 'Export all contacts as CSV'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
