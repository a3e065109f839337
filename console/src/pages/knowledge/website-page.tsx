import type { api as types } from '@frontdesk/sdk'
import { Alert, Anchor, Button, Card, Progress, Skeleton, Stack, Text } from '@mantine/core'
import { IconPlayerStop, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { MissingRecord } from '../../data/missing-record.tsx'
import { isMissing } from '../../data/queries.ts'
import { IfMay, useSession } from '../../data/session.tsx'
import { useCursorList, useRecord } from '../../data/use-records.ts'
import { askFirst } from '../../ui/ask-first.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { RecordList, RowLink } from '../../ui/record-list.tsx'
import { RecordPage } from '../../ui/record-page.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { useFilters } from '../../ui/use-filters.ts'
import { WebsiteForm } from './website-form.tsx'
import { isCrawling, kindWords, scheduleWords, WebsiteState } from './website-state.tsx'

const pollMs = 1_500
const pageStates = {
  queued: { tone: 'waiting', word: 'Waiting' },
  read: { tone: 'good', word: 'Read' },
  failed: { tone: 'bad', word: 'Failed' },
  skipped: { tone: 'warning', word: 'Skipped' },
} as const

export function WebsitePage() {
  const { websiteId = '' } = useParams()
  const { mode } = useSession()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [isEditing, setEditing] = useState(false)
  const [isGoing, setGoing] = useState(false)
  const { data, error, refetch } = useRecord(
    ['websites', websiteId],
    (signal) => api.websites.get(websiteId, { signal }),
    { refetchInterval: (website) => (website && isCrawling(website) ? pollMs : false), enabled: !isGoing },
  )
  if (isMissing(error)) return <MissingRecord what="Website" />
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  const refresh = () => queries.invalidateQueries({ queryKey: [mode, 'websites'] })
  const remove = (website: types.Website) =>
    askFirst({
      title: 'Delete this website?',
      consequence: `Agents stop using its ${website.pages.documents.toLocaleString()} pages immediately.`,
      action: 'Delete website',
      run: async () => {
        setGoing(true)
        await api.websites.delete(website.id).catch((problem) => {
          setGoing(false)
          throw problem
        })
        await navigate('/knowledge/websites')
        await refresh()
      },
    })
  return (
    <RecordPage
      list={{ to: '/knowledge/websites', label: 'Websites' }}
      title={data?.url}
      fallback="Website"
      actions={
        data && (
          <>
            <ApiRequest method="GET" path={`/knowledge-base/websites/${websiteId}`} />
            <IfMay scope="knowledge:write">
              {isCrawling(data) ? (
                <Button
                  variant="default"
                  leftSection={<IconPlayerStop size={16} />}
                  onClick={() => void api.websites.stopCrawl(websiteId).then(refresh, refresh)}
                >
                  Stop
                </Button>
              ) : (
                <Button
                  variant="default"
                  leftSection={<IconRefresh size={16} />}
                  onClick={() => void api.websites.crawl(websiteId).then(refresh, refresh)}
                >
                  Crawl now
                </Button>
              )}
              <Button variant="default" onClick={() => setEditing(true)}>
                Edit
              </Button>
              <Button variant="default" leftSection={<IconTrash size={16} />} onClick={() => remove(data)}>
                Delete
              </Button>
            </IfMay>
          </>
        )
      }
    >
      <Stack gap="md">
        {data?.error && (
          <Alert color="red" variant="light" title="The last crawl failed" role="alert">
            {data.error}
          </Alert>
        )}
        {data && isCrawling(data) && <CrawlProgress pages={data.pages} />}
        {data ? <WebsiteFacts website={data} /> : <Skeleton height={120} />}
        {data && !isGoing && <Pages website={data} />}
      </Stack>
      {data && (
        <WebsiteForm
          key={data.updated_at}
          website={data}
          opened={isEditing}
          close={() => setEditing(false)}
          onSaved={() => {
            setEditing(false)
            void refresh()
          }}
        />
      )}
    </RecordPage>
  )
}

function CrawlProgress({ pages: { found, queued } }: Pick<types.Website, 'pages'>) {
  const done = found - queued
  return (
    <Card withBorder padding="sm">
      <Text size="sm" mb={6} aria-live="polite">
        Crawling: {done.toLocaleString()} of {found.toLocaleString()} pages found so far. You can leave this page.
      </Text>
      <Progress value={found === 0 ? 0 : (100 * done) / found} animated aria-label="Crawl progress" />
    </Card>
  )
}

function WebsiteFacts({ website }: { website: types.Website }) {
  const { kind, pages, crawled_at, next_crawl_at, schedule } = website
  return (
    <Facts>
      <Fact label="Status">
        <WebsiteState website={website} />
      </Fact>
      <Fact label="Reads">{kindWords[kind]}</Fact>
      <Fact label="Pages in use">{pages.documents.toLocaleString()}</Fact>
      <Fact label="Last crawl">
        {pages.changed.toLocaleString()} changed, {pages.removed.toLocaleString()} removed,{' '}
        {pages.failed.toLocaleString()} failed, {pages.skipped.toLocaleString()} skipped
      </Fact>
      <Fact label="Crawled">
        <Moment at={crawled_at} />
      </Fact>
      <Fact label="Crawls again">{next_crawl_at ? <Moment at={next_crawl_at} /> : scheduleWords[schedule]}</Fact>
    </Facts>
  )
}

function Pages({ website }: { website: types.Website }) {
  const filters = useFilters(['status', 'search'])
  const { status, search } = filters.values
  const list = useCursorList<types.CrawledPage>(
    ['websites', website.id, 'pages', status ?? '', search ?? ''],
    (starting_after, signal) =>
      api.websites.listPages(
        website.id,
        {
          ...(status && { status: status as types.CrawledPage['status'] }),
          ...(search && { search }),
          ...(starting_after && { starting_after }),
        },
        { signal },
      ),
    { refetchInterval: () => (isCrawling(website) ? pollMs : false) },
  )
  return (
    <RecordList
      label="Pages"
      list={list}
      filters={filters}
      fields={[
        { name: 'search', label: 'Search pages', placeholder: 'Search', width: 220 },
        {
          name: 'status',
          label: 'Status',
          placeholder: 'Any status',
          choices: Object.entries(pageStates).map(([value, { word }]) => ({ value, label: word })),
        },
      ]}
      empty={{ title: 'No pages yet', text: 'Pages appear here as they are found.' }}
      columns={[
        {
          label: 'Page',
          cell: ({ url, reason, document_id }) => (
            <>
              {document_id ? (
                <RowLink to={`/knowledge/${document_id}`}>{url}</RowLink>
              ) : (
                <Anchor href={url} target="_blank" rel="noreferrer" size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {url}
                </Anchor>
              )}
              {reason && (
                <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {reason}
                </Text>
              )}
            </>
          ),
        },
        {
          label: 'Status',
          width: 110,
          cell: (page) => {
            const { tone, word } = pageStates[page.status]
            // The crawl was stopped or failed before it came to this page.
            const isLeft = page.status === 'queued' && !isCrawling(website)
            return <Status tone={tone}>{isLeft ? 'Not read' : word}</Status>
          },
        },
        { label: 'Read', from: 'sm', width: 140, noWrap: true, cell: ({ fetched_at }) => <Moment at={fetched_at} /> },
      ]}
    />
  )
}
