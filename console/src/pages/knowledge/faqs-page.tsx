import { type api as types, ValidationError } from '@frontdesk/sdk'
import { Alert, Button, FileButton, Text } from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { api, fileAddress } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { may, useMe } from '../../data/session.tsx'
import { useCursorList, useRefresh } from '../../data/use-records.ts'
import { NewButton } from '../../ui/add-button.tsx'
import { askFirst } from '../../ui/ask-first.tsx'
import { EditButtons } from '../../ui/edit-buttons.tsx'
import { errorText } from '../../ui/error-text.ts'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { type Column, RecordList } from '../../ui/record-list.tsx'
import { Status } from '../../ui/status.tsx'
import { showDone } from '../../ui/undo.tsx'
import { useFilters } from '../../ui/use-filters.ts'
import { useLast } from '../../ui/use-last.ts'
import { FaqForm } from './faq-form.tsx'
import { KnowledgeTabs } from './knowledge-tabs.tsx'

const pollMs = 1_000
const states = {
  processing: { tone: 'busy', word: 'Updating' },
  ready: { tone: 'good', word: 'Ready' },
  failed: { tone: 'bad', word: 'Failed' },
} as const

/** Faults of a file, each with its row and column. */
const reasonsOf = (error: unknown): string[] =>
  error instanceof ValidationError
    ? error.faults.map(({ loc, msg }) => [...loc.slice(2), msg].join(': ').replace(/^row/, 'Row'))
    : [errorText(error)]

export function FaqsPage() {
  const mayWrite = may(useMe(), 'knowledge:write')
  const refresh = useRefresh('faqs')
  const filters = useFilters(['search'])
  const { search } = filters.values
  const list = useCursorList<types.Faq>(
    ['faqs', search ?? ''],
    (starting_after, signal) =>
      api.faqs.list({ ...(search && { search }), ...(starting_after && { starting_after }) }, { signal }),
    { refetchInterval: (rows) => (rows.some(({ status }) => status === 'processing') ? pollMs : false) },
  )
  const [editing, setEditing] = useState<types.Faq | 'new'>()
  const shown = useLast(editing)
  const [refusal, setRefusal] = useState<{ fileName: string; reasons: string[] }>()

  async function importFile(file: File | null) {
    if (!file) return
    setRefusal(undefined)
    try {
      const { created, updated, unchanged } = await api.faqs.import({ file })
      showDone(`${file.name}: ${created} added, ${updated} updated, ${unchanged} unchanged`)
      await refresh()
    } catch (error) {
      setRefusal({ fileName: file.name, reasons: reasonsOf(error) })
    }
  }

  const remove = ({ id, question }: types.Faq) =>
    askFirst({
      title: 'Delete this FAQ?',
      consequence: `Agents stop answering from “${question}” immediately.`,
      action: 'Delete FAQ',
      run: async () => {
        await api.faqs.delete(id)
        await refresh()
      },
    })

  const newButton = mayWrite && <NewButton onClick={() => setEditing('new')}>New FAQ</NewButton>
  const importButton = mayWrite && (
    <FileButton onChange={importFile} accept=".csv,text/csv">
      {(props) => (
        <Button variant="default" leftSection={<IconUpload size={16} />} {...props}>
          Import CSV
        </Button>
      )}
    </FileButton>
  )
  const columns: Column<types.Faq>[] = [
    {
      label: 'Question',
      cell: ({ question, answer, variants, error }) => (
        <>
          <Text size="sm" fw={550} dir="auto">
            {question}
          </Text>
          <Text size="sm" c="dimmed" lineClamp={2} dir="auto">
            {answer}
          </Text>
          {variants.length > 0 && (
            <Text size="xs" c="dimmed">
              {variants.length === 1 ? '1 variant' : `${variants.length} variants`}
            </Text>
          )}
          {error && (
            <Text size="sm" c="var(--mantine-color-error)">
              {error}
            </Text>
          )}
        </>
      ),
    },
    {
      label: 'Status',
      from: 'sm',
      width: 110,
      cell: ({ status }) => <Status tone={states[status].tone}>{states[status].word}</Status>,
    },
    { label: 'Updated', from: 'md', width: 130, noWrap: true, cell: ({ updated_at }) => <Moment at={updated_at} /> },
    ...(mayWrite
      ? [
          {
            label: 'Actions',
            isLabelHidden: true,
            width: 150,
            cell: (faq: types.Faq) => (
              <EditButtons name={faq.question} edit={() => setEditing(faq)} remove={() => remove(faq)} />
            ),
          },
        ]
      : []),
  ]
  return (
    <Page
      title="Knowledge"
      actions={
        <>
          <ApiRequest method="GET" path="/knowledge-base/faqs" />
          {(list.total ?? 0) > 0 && (
            <Button
              component="a"
              href={fileAddress('/api/v1/knowledge-base/faqs/export')}
              download="faqs.csv"
              variant="default"
              leftSection={<IconDownload size={16} />}
            >
              Export CSV
            </Button>
          )}
          {importButton}
          {newButton}
        </>
      }
    >
      <KnowledgeTabs value="faqs" />
      {refusal && (
        <Alert
          color="red"
          variant="light"
          role="alert"
          mb="md"
          title={`Could not import ${refusal.fileName}. Nothing was changed.`}
          withCloseButton
          closeButtonLabel="Dismiss"
          onClose={() => setRefusal(undefined)}
        >
          {refusal.reasons.map((reason) => (
            <div key={reason}>{reason}</div>
          ))}
        </Alert>
      )}
      <RecordList
        label="FAQs"
        list={list}
        columns={columns}
        filters={filters}
        fields={[{ name: 'search', label: 'Search FAQs', placeholder: 'Search', width: 260 }]}
        empty={{
          title: 'No FAQs yet',
          text: 'Write down what customers ask and what you answer. Agents use it word for word. You can also import a CSV file with the columns question, answer and variants.',
          action: newButton,
        }}
      />
      {shown && (
        <FaqForm
          key={shown === 'new' ? 'new' : shown.id}
          opened={editing !== undefined}
          faq={shown === 'new' ? undefined : shown}
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
