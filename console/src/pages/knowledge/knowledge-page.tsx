import '@mantine/dropzone/styles.layer.css'
import { Button, FileButton, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconUpload } from '@tabler/icons-react'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { IfMay, may, useMe, useSession } from '../../data/session.tsx'
import { useRecord } from '../../data/use-records.ts'
import { useCollections } from '../../records/knowledge/use-collections.ts'
import { Page } from '../../ui/page.tsx'
import { sizeOf } from '../../ui/size.ts'
import { EmptyState } from '../../ui/states.tsx'
import { useFilters } from '../../ui/use-filters.ts'
import { AskBox, useQuestion } from './ask-box.tsx'
import { DocumentList } from './document-list.tsx'
import { KnowledgeTabs } from './knowledge-tabs.tsx'
import { Passages } from './passages.tsx'
import { UploadList } from './upload-list.tsx'
import { acceptedTypes, addFiles, useUploads } from './uploads.ts'

const pollMs = 800
const states = ['all', 'ready', 'processing', 'failed'] as const
const wordOf = { all: 'All', ready: 'Ready', processing: 'Processing', failed: 'Failed' }

export function KnowledgePage() {
  const { mode } = useSession()
  const filters = useFilters(['status', 'collection'])
  const collections = useCollections() ?? []
  const { question } = useQuestion()
  const uploads = useUploads(mode)
  const organization = useRecord(['organization'], (signal) => api.organization.get({ signal }))
  const maxBytes = organization.data?.limits.upload_bytes
  const mayUpload = may(useMe(), 'knowledge:write')
  const { data, error, refetch } = useRecord(['documents'], (signal) => api.knowledge.listDocuments({ signal }), {
    // An event announces the end of indexing; its progress is polled.
    refetchInterval: (data) => (data?.documents.some(({ status }) => status === 'processing') ? pollMs : false),
  })
  const wanted = states.find((state) => state === filters.values.status) ?? 'all'
  // Web pages and FAQs have tabs of their own.
  const all = data?.documents.filter(({ source }) => source === null || source.kind === 'file')
  const { collection } = filters.values
  const files = all?.filter(({ collection_ids }) => !collection || collection_ids.includes(collection))
  const documents = files?.filter(({ status }) => wanted === 'all' || status === wanted) ?? []
  const count = (state: string) => files?.filter(({ status }) => state === 'all' || status === state).length
  const add = (files: File[]) => addFiles(files, maxBytes)
  const limits = `PDF, Word, Excel, PowerPoint, CSV, HTML, Markdown and text files${maxBytes ? `, up to ${sizeOf(maxBytes)} each` : ''}.`

  const uploadButton = (
    <IfMay scope="knowledge:write">
      <FileButton onChange={add} accept={acceptedTypes.join(',')} multiple>
        {(props) => (
          <Button leftSection={<IconUpload size={16} />} {...props}>
            Upload documents
          </Button>
        )}
      </FileButton>
    </IfMay>
  )
  return (
    <Page
      title="Knowledge"
      actions={
        <>
          <ApiRequest method="GET" path="/knowledge-base" />
          {uploadButton}
        </>
      }
    >
      <Dropzone.FullScreen onDrop={add} onReject={() => {}} active={mayUpload}>
        <Stack align="center" justify="center" mih="60vh" gap={4} style={{ pointerEvents: 'none' }}>
          <IconUpload size={40} stroke={1.4} />
          <Text fw={600} size="lg">
            Drop to add to the knowledge base
          </Text>
          <Text c="dimmed">{limits}</Text>
        </Stack>
      </Dropzone.FullScreen>
      <KnowledgeTabs value="files" />
      <Stack gap="md">
        {(question || (data?.documents.length ?? 0) > 0) && (
          <AskBox label="Search the documents" placeholder="Ask like a customer: how do I cancel an appointment?" />
        )}
        <UploadList uploads={uploads} />
        {question ? (
          <Passages question={question} />
        ) : all?.length === 0 ? (
          uploads.length === 0 && (
            <EmptyState title="No documents yet" action={uploadButton}>
              Add price lists, opening hours, policies and manuals. Agents answer chats and calls from them, and you can
              search them here. Drop files anywhere on this page. {limits}
            </EmptyState>
          )
        ) : (
          <DocumentList
            documents={{
              data,
              error,
              refetch,
              rows: documents,
              isFiltered: wanted !== 'all' || collection !== undefined,
              clear: () => filters.clear(),
            }}
            toolbar={
              <Group justify="space-between" mb="xs" gap="xs">
                <Group gap="xs">
                  <SegmentedControl
                    size="xs"
                    aria-label="Status"
                    value={wanted}
                    onChange={(state) => filters.set({ status: state === 'all' ? null : state })}
                    data={states.map((value) => ({ value, label: `${wordOf[value]} ${count(value) ?? ''}`.trim() }))}
                  />
                  {(collections.length > 0 || collection) && (
                    <Select
                      size="xs"
                      w={190}
                      aria-label="Collection"
                      placeholder="Any collection"
                      clearable
                      searchable
                      nothingFoundMessage="No results"
                      data={collections.map(({ id, name }) => ({ value: id, label: name }))}
                      value={collection ?? null}
                      onChange={(id) => filters.set({ collection: id })}
                    />
                  )}
                </Group>
                <Text size="xs" c="dimmed">
                  Drop files anywhere on this page. {limits}
                </Text>
              </Group>
            }
          />
        )}
      </Stack>
    </Page>
  )
}
