import type { api as types } from '@frontdesk/sdk'
import { Alert, Anchor, Button, Card, Code, Group, Progress, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconDownload, IconRocket, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { MissingRecord } from '../../data/missing-record.tsx'
import { isMissing } from '../../data/queries.ts'
import { useRecord } from '../../data/use-records.ts'
import { Copy } from '../../ui/copy.tsx'
import { Fact, Facts, ShownId } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { sizeOf } from '../../ui/size.ts'
import { ErrorState } from '../../ui/states.tsx'
import { AskBox, useQuestion } from './ask-box.tsx'
import { downloadAddress, useDocumentActions } from './document-actions.tsx'
import { DocumentState, languageOf } from './document-state.tsx'
import { Passages } from './passages.tsx'

const kinds = { pdf: 'PDF', docx: 'Word', txt: 'Text' }
const whileReadingMs = 800

export function DocumentPage() {
  const { documentId = '' } = useParams()
  const navigate = useNavigate()
  const { question } = useQuestion()
  const { canPromote, promote, remove } = useDocumentActions()
  // Whoever deletes it leaves for the list: the page does not ask for it once more on the way.
  const [isGoing, setGoing] = useState(false)
  const { data, error, refetch } = useRecord(
    ['documents', documentId],
    (signal) => api.knowledge.getDocument(documentId, { signal }),
    { refetchInterval: (data) => (data?.status === 'processing' ? whileReadingMs : false), enabled: !isGoing },
  )
  if (isMissing(error)) return <MissingRecord what="document" />
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  return (
    <Page
      title={data?.file_name ?? 'Document'}
      head={
        <Stack gap={2} miw={0}>
          <Anchor component={Link} to="/knowledge" size="sm">
            Knowledge
          </Anchor>
          <Title order={1} style={{ overflowWrap: 'anywhere' }}>
            {data ? <bdi>{data.file_name}</bdi> : <Skeleton height={26} width={240} />}
          </Title>
        </Stack>
      }
      actions={
        data && (
          <>
            <ApiRequest method="GET" path={`/knowledge-base/${documentId}`} />
            <Button
              component="a"
              href={downloadAddress(data.id)}
              download={data.file_name}
              variant="default"
              leftSection={<IconDownload size={16} />}
            >
              Download
            </Button>
            {canPromote(data) && (
              <Button variant="default" leftSection={<IconRocket size={16} />} onClick={() => promote(data)}>
                Copy to live mode
              </Button>
            )}
            <Button
              variant="default"
              leftSection={<IconTrash size={16} />}
              onClick={() =>
                remove(data, async (deleting) => {
                  setGoing(true)
                  await deleting().catch((problem) => {
                    setGoing(false)
                    throw problem
                  })
                  await navigate('/knowledge')
                })
              }
            >
              Delete
            </Button>
          </>
        )
      }
    >
      <Stack gap="md">
        {data?.status === 'failed' && (
          <Alert color="red" variant="light" title="This document could not be read" role="alert">
            {data.error} Upload a repaired file to replace it, or the same one to try again.
          </Alert>
        )}
        {data?.status === 'processing' && (
          <Card withBorder padding="sm">
            <Text size="sm" mb={6} aria-live="polite">
              Being read and indexed: {Math.round(data.progress * 100)}%. You can leave this page meanwhile.
            </Text>
            <Progress value={data.progress * 100} animated aria-label="How far it has been read" />
          </Card>
        )}
        <DocumentFacts document={data} />
        {data?.status === 'ready' && (
          <>
            <div>
              <Title order={2} mb={4}>
                Search in this document
              </Title>
              <AskBox label="Search in this document" placeholder="What does it say about …" />
            </div>
            {question ? (
              <Passages question={question} documentId={documentId} />
            ) : (
              <Text size="sm" c="dimmed">
                Ask something to see which of its {data.chunk_count.toLocaleString()} passages an agent would answer
                from.
              </Text>
            )}
          </>
        )}
      </Stack>
    </Page>
  )
}

function DocumentFacts({ document }: { document: types.Document | undefined }) {
  if (!document) return <Skeleton height={140} />
  const { id, document_type, size_bytes, chunk_count, language, embedding_model, uploaded_at, sha256, status } =
    document
  return (
    <Facts>
      <Fact label="State">
        <DocumentState document={document} />
      </Fact>
      <Fact label="Kind">
        {kinds[document_type]}, {sizeOf(size_bytes)}
      </Fact>
      <Fact label="Passages">{status === 'ready' ? chunk_count.toLocaleString() : '–'}</Fact>
      <Fact label="Language">{languageOf(language)}</Fact>
      <Fact label="Added">
        <Moment at={uploaded_at} />
      </Fact>
      <Fact label="Found by">
        {status !== 'ready' ? '–' : embedding_model ? `words and meaning (${embedding_model})` : 'words only, for now'}
      </Fact>
      <Fact label="Id">
        <ShownId id={id} />
      </Fact>
      <Fact label="SHA-256">
        <Group gap={4} wrap="nowrap">
          <Code>{sha256.slice(0, 12)}…</Code>
          <Copy value={sha256} what="SHA-256" />
        </Group>
      </Fact>
    </Facts>
  )
}
