import type { api as types } from '@frontdesk/sdk'
import { Anchor, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { Moment } from '../../ui/moment.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { sizeOf } from '../../ui/size.ts'
import { RowSkeletons } from '../../ui/states.tsx'
import { DocumentMenu } from './document-actions.tsx'
import { DocumentProblem, DocumentState, languageOf } from './document-state.tsx'

const atOnce = 50

/** The service lists all documents at once; the page shows as many as one looks at. */
export function DocumentTable({ documents }: { documents: types.Document[] | undefined }) {
  const [shown, setShown] = useState(atOnce)
  return (
    <>
      <Table stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Document</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th visibleFrom="md" ta="right">
              Passages
            </Table.Th>
            <Table.Th visibleFrom="md">Language</Table.Th>
            <Table.Th visibleFrom="sm" ta="right">
              Size
            </Table.Th>
            <Table.Th visibleFrom="sm">Added</Table.Th>
            <Table.Th w={40}>
              <span className="sr-only">Actions</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {documents?.slice(0, shown).map((document) => <Row key={document.id} document={document} />) ?? (
            <RowSkeletons columns={7} />
          )}
        </Table.Tbody>
      </Table>
      {documents && documents.length > atOnce && (
        <MoreButton
          shown={Math.min(shown, documents.length)}
          total={documents.length}
          hasMore={shown < documents.length}
          isLoading={false}
          onMore={() => setShown(shown + atOnce)}
        />
      )}
    </>
  )
}

function Row({ document }: { document: types.Document }) {
  const { id, file_name, chunk_count, language, size_bytes, uploaded_at, status } = document
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Anchor component={Link} to={`/knowledge/${id}`} size="sm" fw={500}>
          <bdi>{file_name}</bdi>
        </Anchor>
        <DocumentProblem document={document} />
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {sizeOf(size_bytes)}, <Moment at={uploaded_at} />
        </Text>
      </Table.Td>
      <Table.Td>
        <DocumentState document={document} />
      </Table.Td>
      <Table.Td visibleFrom="md" ta="right">
        {status === 'ready' ? chunk_count.toLocaleString() : '–'}
      </Table.Td>
      <Table.Td visibleFrom="md">{languageOf(language)}</Table.Td>
      <Table.Td visibleFrom="sm" ta="right" style={{ whiteSpace: 'nowrap' }}>
        {sizeOf(size_bytes)}
      </Table.Td>
      <Table.Td visibleFrom="sm" style={{ whiteSpace: 'nowrap' }}>
        <Moment at={uploaded_at} />
      </Table.Td>
      <Table.Td>
        <DocumentMenu document={document} />
      </Table.Td>
    </Table.Tr>
  )
}
