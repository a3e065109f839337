import type { api as types } from '@frontdesk/sdk'
import { Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Moment } from '../../ui/moment.tsx'
import { RecordList, RowLink } from '../../ui/record-list.tsx'
import { sizeOf } from '../../ui/size.ts'
import { DocumentMenu } from './document-actions.tsx'
import { DocumentProblem, DocumentState, kindOf, languageOf } from './document-state.tsx'

const pageSize = 50

/** The API returns all documents at once; the page shows them in steps. */
export function DocumentList({
  documents,
  toolbar,
  empty = { title: 'No documents yet' },
  withKind = false,
  action = (document) => <DocumentMenu document={document} />,
}: {
  documents: {
    data: unknown
    error: unknown
    refetch(): unknown
    rows: types.Document[]
    isFiltered: boolean
    clear(): void
  }
  toolbar?: ReactNode
  empty?: { title: string; text?: string; action?: ReactNode }
  /** Says below the name what it is, where files, web pages and FAQs are mixed. */
  withKind?: boolean
  /** The last cell of a row. */
  action?(document: types.Document): ReactNode
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
      empty={empty}
      paging={rows.length <= pageSize ? null : undefined}
      columns={[
        { label: 'Document', cell: (document) => <Name document={document} withKind={withKind} /> },
        { label: 'Status', cell: (document) => <DocumentState document={document} /> },
        {
          label: 'Passages',
          from: 'md',
          align: 'right',
          cell: ({ status, chunk_count }) => (status === 'ready' ? chunk_count.toLocaleString() : '–'),
        },
        { label: 'Language', from: 'md', cell: ({ language }) => languageOf(language) },
        { label: 'Size', from: 'sm', align: 'right', noWrap: true, cell: ({ size_bytes }) => sizeOf(size_bytes) },
        {
          label: 'Added',
          from: 'sm',
          noWrap: true,
          cell: ({ uploaded_at }) => <Moment at={uploaded_at} />,
          below: ({ size_bytes, uploaded_at }) => (
            <>
              {sizeOf(size_bytes)}, <Moment at={uploaded_at} />
            </>
          ),
        },
        {
          label: 'Actions',
          isLabelHidden: true,
          align: 'right',
          cell: action,
        },
      ]}
    />
  )
}

function Name({ document, withKind }: { document: types.Document; withKind: boolean }) {
  const { id, file_name } = document
  return (
    <>
      <RowLink to={`/knowledge/${id}`}>{file_name}</RowLink>
      {withKind && (
        <Text size="xs" c="dimmed">
          {kindOf(document)}
        </Text>
      )}
      <DocumentProblem document={document} />
    </>
  )
}
