import type { api as types } from '@frontdesk/sdk'
import { Alert, Anchor, Card, Group, Progress, Skeleton, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { useRecord } from '../../data/use-records.ts'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { Highlighted } from './highlighted.tsx'
import classes from './passages.module.css'

const shown = 10

interface Found extends types.SearchResults {
  /** Passages that contain words of the question; the others are similar in meaning only. */
  byKeyword: Set<string>
}

/** The passages that an agent would get for this question, best first. */
export function Passages({ question, documentId }: { question: string; documentId?: string }) {
  const asked = { query: question, top_k: shown, ...(documentId && { document_ids: [documentId] }) }
  const { data, error, refetch, isFetching } = useRecord<Found>(['documents', 'search', asked], async (signal) => {
    const [both, words] = await Promise.all([
      api.knowledge.search(asked, { signal }),
      api.knowledge.search({ ...asked, mode: 'keyword', top_k: 50 }, { signal }),
    ])
    return { ...both, byKeyword: new Set(words.results.map(({ chunk_id }) => chunk_id)) }
  })
  if (error) return <ErrorState error={error} retry={refetch} />
  if (!data)
    return (
      <Stack gap="sm" aria-hidden>
        <Skeleton height={96} />
        <Skeleton height={96} />
        <Skeleton height={96} />
      </Stack>
    )
  const { results, byKeyword, took_ms, partial } = data
  if (results.length === 0)
    return (
      <EmptyState title="No matching passages">
        No document contains anything similar. Try other words, or add a document that answers the question.
      </EmptyState>
    )
  const best = results[0]?.score ?? 0
  const hasKeywords = results.some(({ chunk_id }) => byKeyword.has(chunk_id))
  return (
    <Stack gap="sm" style={{ opacity: isFetching ? 0.6 : 1 }}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed" aria-live="polite">
          {results.length === 1 ? '1 passage' : `Top ${results.length} passages`}, found in {Math.round(took_ms)} ms
          {partial && '. Results are incomplete: semantic search timed out'}
        </Text>
        <ApiRequest method="POST" path="/knowledge-base/search" body={asked} />
      </Group>
      {!hasKeywords && (
        <Alert color="yellow" variant="light" title="No passage contains these words">
          The passages below are similar in meaning. An agent gets them too and may answer that it does not know.
        </Alert>
      )}
      <Stack component="ol" gap="sm" p={0} m={0} className={classes.list}>
        {results.map((result) => (
          <Passage
            key={result.chunk_id}
            result={result}
            question={question}
            share={best > 0 ? result.score / best : 0}
            isKeywordMatch={byKeyword.has(result.chunk_id)}
            withSource={!documentId}
          />
        ))}
      </Stack>
    </Stack>
  )
}

const wordOf = (share: number) => (share >= 0.999 ? 'Best match' : share >= 0.6 ? 'Close' : 'Weaker')

interface PassageProps {
  result: types.SearchResult
  question: string
  /** Relevance relative to the best passage. */
  share: number
  isKeywordMatch: boolean
  withSource: boolean
}

function Passage({ result, question, share, isKeywordMatch, withSource }: PassageProps) {
  const { document_id, file_name, page, heading, text } = result
  const percent = Math.max(0, Math.min(100, Math.round(share * 100)))
  return (
    <Card component="li" withBorder padding="sm">
      <Group justify="space-between" gap="xs" mb={6} align="flex-start">
        <Text size="sm" component="div">
          {withSource && (
            <Anchor component={Link} to={`/knowledge/${document_id}?q=${encodeURIComponent(question)}`} fw={600}>
              <bdi>{file_name}</bdi>
            </Anchor>
          )}
          {page !== null && <span>{withSource ? `, page ${page}` : `Page ${page}`}</span>}
          {heading && (
            <Text size="xs" c="dimmed">
              {heading}
            </Text>
          )}
        </Text>
        <Group gap="xs" wrap="nowrap">
          <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            {wordOf(share)}, {isKeywordMatch ? 'keyword match' : 'similar meaning'}
          </Text>
          <Progress value={percent} w={56} size="sm" aria-label={`${percent}% of the best match`} />
        </Group>
      </Group>
      <Text size="sm" className={classes.text} dir="auto">
        <Highlighted text={text} question={question} />
      </Text>
    </Card>
  )
}
