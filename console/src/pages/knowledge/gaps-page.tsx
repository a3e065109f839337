import type { api as types } from '@frontdesk/sdk'
import { Box, Button, Group, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { may, useMe } from '../../data/session.tsx'
import { useCursorList, useRefresh } from '../../data/use-records.ts'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { type Column, RecordList } from '../../ui/record-list.tsx'
import { showDone, showFault } from '../../ui/undo.tsx'
import { useFilters } from '../../ui/use-filters.ts'
import { useLast } from '../../ui/use-last.ts'
import { FaqForm } from './faq-form.tsx'
import { GapExamples } from './gap-examples.tsx'
import { GapForm } from './gap-form.tsx'
import { KnowledgeTabs } from './knowledge-tabs.tsx'

/** Questions are grouped in the background, without an event. */
const pollMs = 10_000
const statuses = ['open', 'answered', 'dismissed'] as const
const words = { open: 'Open', answered: 'Answered', dismissed: 'Dismissed' }
const empty = {
  open: {
    title: 'No open gaps',
    text: 'Questions that your agents cannot answer appear here, grouped by meaning. Answer one, and agents use the answer from then on.',
  },
  answered: {
    title: 'No answered gaps',
    text: 'Questions you answer are listed here. If one comes up again without an answer, it reopens.',
  },
  dismissed: {
    title: 'No dismissed gaps',
    text: 'Dismiss questions that need no answer. Similar questions join them and do not reopen.',
  },
}
const timesAsked = (n: number) => (n === 1 ? 'Asked once' : `Asked ${n.toLocaleString()} times`)

export function GapsPage() {
  const refresh = useRefresh('gaps', 'faqs')
  const mayWrite = may(useMe(), 'knowledge:write')
  const filters = useFilters(['status'])
  const status = statuses.find((each) => each === filters.values.status) ?? 'open'
  const list = useCursorList<types.KnowledgeGap>(
    ['gaps', status],
    (starting_after, signal) =>
      api.knowledge.listGaps({ status, ...(starting_after && { starting_after }) }, { signal }),
    { refetchInterval: pollMs },
  )
  const [opened, setOpened] = useState<string>()
  const [answering, setAnswering] = useState<types.KnowledgeGap>()
  const [editing, setEditing] = useState<types.Faq>()
  const shownGap = useLast(answering)
  const shownFaq = useLast(editing)

  async function act(work: () => Promise<unknown>, failure: string) {
    try {
      await work()
    } catch (error) {
      showFault(error, failure)
    }
    await refresh()
  }
  const dismiss = ({ id }: types.KnowledgeGap) =>
    act(async () => {
      await api.knowledge.dismissGap(id)
      showDone('Question dismissed', async () => {
        await api.knowledge.reopenGap(id)
        await refresh()
      })
    }, 'Could not dismiss the question')
  const reopen = ({ id }: types.KnowledgeGap) =>
    act(async () => {
      await api.knowledge.reopenGap(id)
      showDone('Question reopened')
    }, 'Could not reopen the question')
  const editFaq = (id: string) => act(async () => setEditing(await api.faqs.get(id)), 'Could not load the FAQ')

  const actionsOf = (gap: types.KnowledgeGap) => [
    ...(gap.status !== 'answered' ? [{ word: 'Answer', run: () => setAnswering(gap) }] : []),
    ...(gap.status === 'open' ? [{ word: 'Dismiss', run: () => void dismiss(gap) }] : []),
    ...(gap.document_id ? [{ word: 'Edit FAQ', run: () => void editFaq(gap.document_id as string) }] : []),
    ...(gap.status !== 'open' ? [{ word: 'Reopen', run: () => void reopen(gap) }] : []),
  ]
  const buttonsOf = (gap: types.KnowledgeGap) =>
    mayWrite &&
    actionsOf(gap).map(({ word, run }) => (
      <Button key={word} size="compact-sm" variant="default" onClick={run} aria-label={`${word}: ${gap.question}`}>
        {word}
      </Button>
    ))
  const columns: Column<types.KnowledgeGap>[] = [
    {
      label: 'Question',
      cell: (gap) => (
        <>
          <Text size="sm" fw={550} lineClamp={3} dir="auto">
            {gap.question}
          </Text>
          <Box hiddenFrom="sm">
            <Text size="xs" c="dimmed">
              {timesAsked(gap.question_count)}, <Moment at={gap.last_seen_at} />
            </Text>
            <Group gap="xs" mt={6}>
              {buttonsOf(gap)}
            </Group>
          </Box>
        </>
      ),
    },
    { label: 'Asked', from: 'sm', align: 'right', cell: ({ question_count }) => question_count.toLocaleString() },
    { label: 'First asked', from: 'md', noWrap: true, cell: ({ first_seen_at }) => <Moment at={first_seen_at} /> },
    { label: 'Last asked', from: 'sm', noWrap: true, cell: ({ last_seen_at }) => <Moment at={last_seen_at} /> },
    {
      label: 'Actions',
      isLabelHidden: true,
      from: 'sm',
      cell: (gap) => (
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          {buttonsOf(gap)}
        </Group>
      ),
    },
  ]
  return (
    <Page title="Knowledge" actions={<ApiRequest method="GET" path={`/knowledge-base/gaps?status=${status}`} />}>
      <KnowledgeTabs value="gaps" />
      <SegmentedControl
        size="xs"
        mb="xs"
        aria-label="Status"
        value={status}
        onChange={(next) => {
          setOpened(undefined)
          filters.set({ status: next === 'open' ? null : next })
        }}
        data={statuses.map((value) => ({ value, label: words[value] }))}
      />
      <RecordList
        label="Gaps"
        list={list}
        columns={columns}
        empty={empty[status]}
        expand={{
          opened,
          open: setOpened,
          label: ({ question }) => `Examples of ${question}`,
          body: (gap) => <GapExamples gap={gap} />,
        }}
      />
      {shownGap && (
        <GapForm
          key={shownGap.id}
          gap={shownGap}
          opened={answering !== undefined}
          close={() => setAnswering(undefined)}
          onSaved={() => {
            setAnswering(undefined)
            showDone('Answer saved as an FAQ')
            void refresh()
          }}
        />
      )}
      {shownFaq && (
        <FaqForm
          key={shownFaq.id}
          faq={shownFaq}
          opened={editing !== undefined}
          close={() => setEditing(undefined)}
          onSaved={() => {
            setEditing(undefined)
            void refresh()
          }}
        />
      )}
    </Page>
  )
}
