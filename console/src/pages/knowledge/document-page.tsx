import type { api as types } from '@frontdesk/sdk'
import { Alert, Anchor, Button, Card, Code, Group, Progress, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconDownload, IconRocket, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { MissingRecord } from '../../data/missing-record.tsx'
import { isMissing } from '../../data/queries.ts'
import { IfMay } from '../../data/session.tsx'
import { useRecord } from '../../data/use-records.ts'
import { Copy } from '../../ui/copy.tsx'
import { Fact, Facts, ShownId } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { RecordPage } from '../../ui/record-page.tsx'
import { sizeOf } from '../../ui/size.ts'
import { ErrorState } from '../../ui/states.tsx'
import { AskBox, useQuestion } from './ask-box.tsx'
import { downloadAddress, useDocumentActions } from './document-actions.tsx'
import { DocumentCollections } from './document-collections.tsx'
import { DocumentState, kindOf, languageOf } from './document-state.tsx'
import { Passages } from './passages.tsx'
import { ReplaceButton } from './replace-button.tsx'

const pollMs = 800

export function DocumentPage() {
  const { documentId = '' } = useParams()
  const navigate = useNavigate()
  const { question } = useQuestion()
  const { canPromote, promote, remove } = useDocumentActions()
  // While the document is being deleted it is not requested again.
  const [isGoing, setGoing] = useState(false)
  const { data, error, refetch } = useRecord(
    ['documents', documentId],
    (signal) => api.knowledge.getDocument(documentId, { signal }),
    {
      refetchInterval: (data) =>
        data?.status === 'processing' || data?.replacement?.status === 'processing' ? pollMs : false,
      enabled: !isGoing,
    },
  )
  if (isMissing(error)) return <MissingRecord what="Document" />
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  return (
    <RecordPage
      list={{ to: '/knowledge', label: 'Knowledge' }}
      title={data?.file_name}
      fallback="Document"
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
            <IfMay scope="knowledge:write">
              {(data.source === null || data.source.kind === 'file') && <ReplaceButton document={data} />}
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
            </IfMay>
          </>
        )
      }
    >
      <Stack gap="md">
        {data?.status === 'failed' && (
          <Alert color="red" variant="light" title="Could not read this document" role="alert">
            {data.error} Upload a fixed file to replace it, or the same file to try again.
          </Alert>
        )}
        {data?.status === 'processing' && (
          <Card withBorder padding="sm">
            <Text size="sm" mb={6} aria-live="polite">
              Indexing: {Math.floor(data.progress * 100)}%. You can leave this page.
            </Text>
            <Progress value={data.progress * 100} animated aria-label="Indexing progress" />
          </Card>
        )}
        {data?.replacement?.status === 'failed' && (
          <Alert color="red" variant="light" title={`Could not read ${data.replacement.file_name}`} role="alert">
            {data.replacement.error} The previous version is still in use.
          </Alert>
        )}
        {data?.replacement?.status === 'processing' && (
          <Alert variant="light" title={`Reading ${data.replacement.file_name}`}>
            Agents use the previous version until the new one is ready.
          </Alert>
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
                Ask a question to see which passages an agent would use.
              </Text>
            )}
          </>
        )}
      </Stack>
    </RecordPage>
  )
}

function DocumentFacts({ document }: { document: types.Document | undefined }) {
  if (!document) return <Skeleton height={140} />
  const { id, source, size_bytes, chunk_count, language, embedding_model, uploaded_at, sha256, status } = document
  return (
    <Facts>
      <Fact label="Status">
        <DocumentState document={document} />
      </Fact>
      <Fact label="Type">
        {kindOf(document)}, {sizeOf(size_bytes)}
      </Fact>
      {source?.url && (
        <Fact label="Address">
          <Anchor href={source.url} target="_blank" rel="noreferrer" style={{ overflowWrap: 'anywhere' }}>
            {source.url}
          </Anchor>
        </Fact>
      )}
      {source?.website_id && (
        <Fact label="Website">
          <Anchor component={Link} to={`/knowledge/websites/${source.website_id}`}>
            All pages of this website
          </Anchor>
        </Fact>
      )}
      <Fact label="Collections">
        <DocumentCollections document={document} />
      </Fact>
      <Fact label="Passages">{status === 'ready' ? chunk_count.toLocaleString() : '–'}</Fact>
      <Fact label="Language">{languageOf(language)}</Fact>
      <Fact label="Added">
        <Moment at={uploaded_at} />
      </Fact>
      <Fact label="Search">
        {status !== 'ready' ? '–' : embedding_model ? `Keywords and meaning (${embedding_model})` : 'Keywords only'}
      </Fact>
      <Fact label="ID">
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
