import type { api as types } from '@frontdesk/sdk'
import { Text } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { IfMay } from '../../data/session.tsx'
import { useCursorList, useRefresh } from '../../data/use-records.ts'
import { NewButton } from '../../ui/add-button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { RecordList, RowLink } from '../../ui/record-list.tsx'
import { useFilters } from '../../ui/use-filters.ts'
import { CollectionForm } from './collection-form.tsx'
import { KnowledgeTabs } from './knowledge-tabs.tsx'

const documentsOf = ({ document_count: n }: types.Collection) =>
  n === 1 ? '1 document' : `${n.toLocaleString()} documents`

export function CollectionsPage() {
  const refresh = useRefresh('collections', 'documents')
  const filters = useFilters(['search'])
  const { search } = filters.values
  const [isAdding, setAdding] = useState(false)
  const list = useCursorList<types.Collection>(['collections', search ?? ''], (starting_after, signal) =>
    api.knowledge.listCollections({ ...(search && { search }), ...(starting_after && { starting_after }) }, { signal }),
  )
  const newButton = (
    <IfMay scope="knowledge:write">
      <NewButton onClick={() => setAdding(true)}>New collection</NewButton>
    </IfMay>
  )
  return (
    <Page
      title="Knowledge"
      actions={
        <>
          <ApiRequest method="GET" path="/knowledge-base/collections" />
          {newButton}
        </>
      }
    >
      <KnowledgeTabs value="collections" />
      <RecordList
        label="Collections"
        list={list}
        address={({ id }) => `/knowledge/collections/${id}`}
        filters={filters}
        fields={[{ name: 'search', label: 'Search collections', placeholder: 'Search' }]}
        empty={{
          title: 'No collections yet',
          text: 'Group documents by topic, then choose which collections each agent answers from. New documents in a collection reach its agents immediately.',
          action: newButton,
        }}
        columns={[
          {
            label: 'Name',
            cell: (collection) => (
              <>
                <RowLink to={`/knowledge/collections/${collection.id}`}>{collection.name}</RowLink>
                {collection.description && (
                  <Text size="sm" c="dimmed" lineClamp={2} dir="auto">
                    {collection.description}
                  </Text>
                )}
              </>
            ),
          },
          {
            label: 'Documents',
            from: 'sm',
            align: 'right',
            cell: ({ document_count }) => document_count.toLocaleString(),
            below: documentsOf,
          },
          { label: 'Created', from: 'md', noWrap: true, cell: ({ created_at }) => <Moment at={created_at} /> },
        ]}
      />
      <CollectionForm
        opened={isAdding}
        close={() => setAdding(false)}
        onSaved={() => {
          setAdding(false)
          void refresh()
        }}
      />
    </Page>
  )
}
