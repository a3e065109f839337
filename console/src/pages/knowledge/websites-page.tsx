import type { api as types } from '@frontdesk/sdk'
import { Text } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { may, useMe } from '../../data/session.tsx'
import { useCursorList, useRefresh } from '../../data/use-records.ts'
import { NewButton } from '../../ui/add-button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { RecordList, RowLink } from '../../ui/record-list.tsx'
import { KnowledgeTabs } from './knowledge-tabs.tsx'
import { WebsiteForm } from './website-form.tsx'
import { isCrawling, kindWords, scheduleWords, WebsiteState } from './website-state.tsx'

const pollMs = 1_500

export function WebsitesPage() {
  const mayWrite = may(useMe(), 'knowledge:write')
  const refresh = useRefresh('websites')
  const [isAdding, setAdding] = useState(false)
  const list = useCursorList<types.Website>(
    ['websites'],
    (starting_after, signal) => api.websites.list({ ...(starting_after && { starting_after }) }, { signal }),
    { refetchInterval: (rows) => (rows.some(isCrawling) ? pollMs : false) },
  )
  const addButton = mayWrite && <NewButton onClick={() => setAdding(true)}>Add website</NewButton>
  return (
    <Page
      title="Knowledge"
      actions={
        <>
          <ApiRequest method="GET" path="/knowledge-base/websites" />
          {addButton}
        </>
      }
    >
      <KnowledgeTabs value="websites" />
      <RecordList
        label="Websites"
        list={list}
        address={({ id }) => `/knowledge/websites/${id}`}
        empty={{
          title: 'No websites yet',
          text: 'Add a page, a help center or a sitemap. Frontdesk reads the pages, follows robots.txt and keeps them up to date.',
          action: addButton,
        }}
        columns={[
          {
            label: 'Address',
            cell: (website) => (
              <>
                <RowLink to={`/knowledge/websites/${website.id}`}>{website.url}</RowLink>
                <Text size="xs" c="dimmed">
                  {kindWords[website.kind]}
                </Text>
                {website.error && (
                  <Text size="sm" c="var(--mantine-color-error)">
                    {website.error}
                  </Text>
                )}
              </>
            ),
          },
          { label: 'Status', cell: (website) => <WebsiteState website={website} /> },
          { label: 'Pages', from: 'sm', align: 'right', cell: ({ pages }) => pages.documents.toLocaleString() },
          { label: 'Crawled', from: 'md', noWrap: true, cell: ({ crawled_at }) => <Moment at={crawled_at} /> },
          { label: 'Repeats', from: 'md', cell: ({ schedule }) => scheduleWords[schedule] },
        ]}
      />
      <WebsiteForm
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
