import type { api as types } from '@frontdesk/sdk'
import { Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Moment } from '../../ui/moment.tsx'
import { RecordList, RowLink } from '../../ui/record-list.tsx'
import { sizeOf } from '../../ui/size.ts'
import { DocumentMenu } from './document-actions.tsx'
import { DocumentProblem, DocumentState, languageOf } from './document-state.tsx'

const pageSize = 50

/** The API returns all documents at once; the page shows them in steps. */
export function DocumentList({
  documents,
  toolbar,
}: {
  documents: {
    data: unknown
    error: unknown
    refetch(): unknown
    rows: types.Document[]
    isFiltered: boolean
    clear(): void
  }
  toolbar: ReactNode
}) {
  const [shown, setShown] = useState(pageSize)
  const { rows } = documents
  return (
    <RecordList
      label="Documents"
      list={{
        ...documents,
        total: rows.length,
        hasNextPage: shown < rows.length,
        fetchNextPage: async () => setShown(shown + pageSize),
      }}
      rows={rows.slice(0, shown)}
      filters={documents}
      toolbar={toolbar}
      empty={{ title: 'No documents yet' }}
      paging={rows.length <= pageSize ? null : undefined}
      columns={[
        { label: 'Document', cell: (document) => <Name document={document} /> },
        { label: 'Status', cell: (document) => <DocumentState document={document} /> },
        {
          label: 'Passages',
          from: 'md',
          align: 'right',
          cell: ({ status, chunk_count }) => (status === 'ready' ? chunk_count.toLocaleString() : '–'),
        },
        { label: 'Language', from: 'md', cell: ({ language }) => languageOf(language) },
        { label: 'Size', from: 'sm', align: 'right', noWrap: true, cell: ({ size_bytes }) => sizeOf(size_bytes) },
        { label: 'Added', from: 'sm', noWrap: true, cell: ({ uploaded_at }) => <Moment at={uploaded_at} /> },
        {
          label: 'Actions',
          isLabelHidden: true,
          align: 'right',
          cell: (document) => <DocumentMenu document={document} />,
        },
      ]}
    />
  )
}

function Name({ document }: { document: types.Document }) {
  const { id, file_name, size_bytes, uploaded_at } = document
  return (
    <>
      <RowLink to={`/knowledge/${id}`}>{file_name}</RowLink>
      <DocumentProblem document={document} />
      <Text size="xs" c="dimmed" hiddenFrom="sm">
        {sizeOf(size_bytes)}, <Moment at={uploaded_at} />
      </Text>
    </>
  )
}
