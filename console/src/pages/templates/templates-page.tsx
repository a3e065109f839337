import { Anchor, Button, Group, Select, Table, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconBooks, IconPlus, IconRefresh } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { useSession } from '../../data/session.tsx'
import { useCursorList } from '../../data/use-records.ts'
import { languageChoices, languageName } from '../../records/templates/languages.ts'
import { snippetOf } from '../../records/templates/template-parts.ts'
import { categories, categoryLabel, qualities, standingOf } from '../../records/templates/template-standing.ts'
import classes from '../../records/templates/templates.module.css'
import { errorText } from '../../ui/error-text.ts'
import listClasses from '../../ui/list.module.css'
import { Moment } from '../../ui/moment.tsx'
import { MoreOf } from '../../ui/more-button.tsx'
import { Page } from '../../ui/page.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { EmptyState, ErrorState, NothingMatches, RowSkeletons } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { useFilters } from '../../ui/use-filters.ts'

type Query = NonNullable<Parameters<typeof api.templates.list>[0]>

const filterNames = ['search', 'status', 'category', 'language'] as const
const pageSize = 50

export function TemplatesPage() {
  const { values: filters, set, isFiltered, clear: clearFilters } = useFilters(filterNames)
  const list = useCursorList(['templates', 'list', filters], async (after, signal) => {
    const page = Number(after ?? 1)
    const { items, has_more, total } = await api.templates.list(
      { ...(filters as Query), page, limit: pageSize },
      { signal },
    )
    return { data: items, has_more, next_cursor: String(page + 1), total_count: total }
  })
  const isEmpty = list.isSuccess && list.rows.length === 0
  return (
    <Page
      title="Templates"
      actions={
        <>
          <SyncButton />
          <Button component={Link} to="/templates/library" variant="default" leftSection={<IconBooks size={16} />}>
            Library
          </Button>
          <Button component={Link} to="/templates/new" leftSection={<IconPlus size={16} />}>
            New template
          </Button>
        </>
      }
    >
      {(!isEmpty || isFiltered) && (
        <Group gap="xs" mb="sm" className={listClasses.filters}>
          <SearchField
            label="Search by name"
            value={filters.search}
            onChange={(words) => set({ search: words })}
            className={listClasses.search}
          />
          <Select
            aria-label="Status"
            placeholder="Any status"
            clearable
            w={150}
            data={[
              { value: 'APPROVED', label: 'Approved' },
              { value: 'PENDING', label: 'In review' },
              { value: 'REJECTED', label: 'Rejected' },
            ]}
            value={filters.status ?? null}
            onChange={(value) => set({ status: value })}
          />
          <Select
            aria-label="Category"
            placeholder="Any category"
            clearable
            w={150}
            data={categories.map(({ value, label }) => ({ value, label }))}
            value={filters.category ?? null}
            onChange={(value) => set({ category: value })}
          />
          <Select
            aria-label="Language"
            placeholder="Any language"
            clearable
            searchable
            w={190}
            data={languageChoices}
            value={filters.language ?? null}
            onChange={(value) => set({ language: value })}
          />
        </Group>
      )}
      {list.error && !list.data ? (
        <ErrorState error={list.error} retry={() => void list.refetch()} />
      ) : isEmpty && !isFiltered ? (
        <EmptyState
          title="No templates yet"
          action={
            <Group gap="xs" justify="center">
              <Button component={Link} to="/templates/new">
                Write the first template
              </Button>
              <Button component={Link} to="/templates/library" variant="default">
                Take one from the library
              </Button>
            </Group>
          }
        >
          A template is a message that the platform has reviewed. It is the only way to write to somebody who has not
          written to you within the last 24 hours, and what campaigns are made of.
        </EmptyState>
      ) : isEmpty ? (
        <NothingMatches title="No template matches" clear={clearFilters} />
      ) : (
        <>
          <Table stickyHeader className={listClasses.table}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th w={130}>Status</Table.Th>
                <Table.Th w={130} visibleFrom="sm">
                  Category
                </Table.Th>
                <Table.Th w={180} visibleFrom="sm">
                  Language
                </Table.Th>
                <Table.Th w={110} visibleFrom="md">
                  Quality
                </Table.Th>
                <Table.Th w={130} visibleFrom="sm">
                  Changed
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {list.isPending ? (
                <RowSkeletons columns={6} />
              ) : (
                list.rows.map((template) => {
                  const { tone, word } = standingOf(template)
                  const quality = qualities[template.quality_score]
                  return (
                    <Table.Tr key={template.id}>
                      <Table.Td maw={0}>
                        <Anchor component={Link} to={`/templates/${template.id}`} fw={550} className={listClasses.name}>
                          {template.name}
                        </Anchor>
                        <Text size="sm" c="dimmed" truncate dir="auto" className={classes.snippet}>
                          {snippetOf(template.components)}
                        </Text>
                        <Text size="xs" c="dimmed" hiddenFrom="sm">
                          {categoryLabel(template.category)} · {languageName(template.language)}
                        </Text>
                      </Table.Td>
                      <Table.Td>
                        <Status tone={tone}>{word}</Status>
                      </Table.Td>
                      <Table.Td visibleFrom="sm">{categoryLabel(template.category)}</Table.Td>
                      <Table.Td visibleFrom="sm">{languageName(template.language)}</Table.Td>
                      <Table.Td visibleFrom="md">
                        {quality ? <Status tone={quality.tone}>{quality.word}</Status> : <Text c="dimmed">–</Text>}
                      </Table.Td>
                      <Table.Td visibleFrom="sm">
                        <Moment at={template.updated_at} />
                      </Table.Td>
                    </Table.Tr>
                  )
                })
              )}
            </Table.Tbody>
          </Table>
          <MoreOf list={list} />
        </>
      )}
    </Page>
  )
}

const amounts = { added: 'added', updated: 'updated', removed: 'removed' } as const

function SyncButton() {
  const queries = useQueryClient()
  const { mode } = useSession()
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.templates.sync({}),
    onSuccess(report) {
      void queries.invalidateQueries({ queryKey: [mode, 'templates'] })
      const changes = Object.entries(amounts).flatMap(([key, word]) => {
        const n = report[key as keyof typeof amounts]
        return n > 0 ? [`${n} ${word}`] : []
      })
      const [failure] = report.failures
      notifications.show({
        color: failure ? 'yellow' : undefined,
        title:
          changes.length > 0 ? `In step with the platform: ${changes.join(', ')}` : 'Already in step with the platform',
        message: failure ? `One account could not be read: ${failure.detail}` : `${report.unchanged} unchanged`,
      })
    },
    onError: (error) =>
      notifications.show({ color: 'red', title: 'The platform could not be read', message: errorText(error) }),
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
