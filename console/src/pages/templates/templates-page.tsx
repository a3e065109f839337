import type { api as types } from '@frontdesk/sdk'
import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconBooks, IconRefresh } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { IfMay } from '../../data/session.tsx'
import { useCursorList, useRefresh } from '../../data/use-records.ts'
import { languageChoices, languageName } from '../../records/templates/languages.ts'
import { snippetOf } from '../../records/templates/template-parts.ts'
import { categories, categoryLabel, qualities, statusOf } from '../../records/templates/template-status.ts'
import { NewButton } from '../../ui/add-button.tsx'
import { errorText } from '../../ui/error-text.ts'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { RecordList, RowLink } from '../../ui/record-list.tsx'
import { Status } from '../../ui/status.tsx'
import { useFilters } from '../../ui/use-filters.ts'
import classes from './templates.module.css'

type Query = NonNullable<Parameters<typeof api.templates.list>[0]>

const pageSize = 50
const statuses = [
  { value: 'APPROVED', label: 'Approved' },
  { value: 'PENDING', label: 'In review' },
  { value: 'REJECTED', label: 'Rejected' },
]

export function TemplatesPage() {
  const filters = useFilters(['search', 'status', 'category', 'language'])
  const list = useCursorList(['templates', 'list', filters.values], async (after, signal) => {
    const page = Number(after ?? 1)
    const query = { ...(filters.values as Query), page, limit: pageSize }
    const { items, has_more, total } = await api.templates.list(query, { signal })
    return { data: items, has_more, next_cursor: String(page + 1), total_count: total }
  })
  return (
    <Page
      title="Templates"
      actions={
        <IfMay scope="campaigns:manage">
          <SyncButton />
          <Button component={Link} to="/templates/library" variant="default" leftSection={<IconBooks size={16} />}>
            Library
          </Button>
          <NewButton to="/templates/new">New template</NewButton>
        </IfMay>
      }
    >
      <RecordList
        label="Templates"
        list={list}
        filters={filters}
        fields={[
          { name: 'search', label: 'Search by name' },
          { name: 'status', label: 'Status', choices: statuses },
          { name: 'category', label: 'Category', choices: [...categories] },
          { name: 'language', label: 'Language', choices: languageChoices, width: 190, isSearchable: true },
        ]}
        empty={{
          title: 'No templates yet',
          text: 'A template is a message that WhatsApp has approved. You need one to message customers who have not written to you in the last 24 hours, and for campaigns.',
          action: (
            <IfMay scope="campaigns:manage">
              <Group gap="xs" justify="center">
                <Button component={Link} to="/templates/new">
                  Create a template
                </Button>
                <Button component={Link} to="/templates/library" variant="default">
                  Browse the library
                </Button>
              </Group>
            </IfMay>
          ),
        }}
        address={({ id }) => `/templates/${id}`}
        columns={[
          { label: 'Name', cell: (template) => <Name template={template} /> },
          {
            label: 'Status',
            width: 130,
            cell: (template) => {
              const { tone, word } = statusOf(template)
              return <Status tone={tone}>{word}</Status>
            },
          },
          { label: 'Category', width: 130, from: 'sm', cell: ({ category }) => categoryLabel(category) },
          {
            label: 'Language',
            width: 180,
            from: 'sm',
            cell: ({ language }) => languageName(language),
            below: ({ category, language }) => `${categoryLabel(category)} · ${languageName(language)}`,
          },
          {
            label: 'Quality',
            width: 110,
            from: 'md',
            cell: ({ quality_score }) => {
              const quality = qualities[quality_score]
              return quality ? <Status tone={quality.tone}>{quality.word}</Status> : <Text c="dimmed">–</Text>
            },
          },
          { label: 'Updated', width: 130, from: 'sm', cell: ({ updated_at }) => <Moment at={updated_at} /> },
        ]}
      />
    </Page>
  )
}

function Name({ template: { id, name, components } }: { template: types.Template }) {
  return (
    <>
      <RowLink to={`/templates/${id}`}>{name}</RowLink>
      <Text size="sm" c="dimmed" truncate dir="auto" className={classes.snippet}>
        {snippetOf(components)}
      </Text>
    </>
  )
}

function SyncButton() {
  const refresh = useRefresh('templates')
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.templates.sync({}),
    onSuccess(report) {
      void refresh()
      const counts = (['added', 'updated', 'removed'] as const).filter((name) => report[name] > 0)
      const changes = counts.map((name) => `${report[name]} ${name}`).join(', ')
      const [failure] = report.failures
      notifications.show({
        ...(failure && { color: 'yellow' }),
        title: changes ? `Synced with WhatsApp: ${changes}` : 'Already up to date with WhatsApp',
        message: failure ? `One account could not be read: ${failure.detail}` : `${report.unchanged} unchanged`,
      })
    },
    onError: (error) =>
      notifications.show({ color: 'red', title: 'Could not sync with WhatsApp', message: errorText(error) }),
  })
  return (
    <Button
      variant="subtle"
      color="gray"
      leftSection={<IconRefresh size={16} />}
      loading={isPending}
      onClick={() => mutate()}
    >
      Sync
    </Button>
  )
}
