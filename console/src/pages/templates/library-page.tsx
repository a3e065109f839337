import type { api as types } from '@frontdesk/sdk'
import { Anchor, Button, Card, Group, Select, Skeleton, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'
import { NoChatNumber } from '../../records/channels/no-chat-number.tsx'
import { useChannels } from '../../records/channels/use-channels.ts'
import { languageChoices } from '../../records/templates/languages.ts'
import { fillVariables } from '../../records/templates/template-parts.ts'
import { categories, categoryLabel, wordOf } from '../../records/templates/template-standing.ts'
import classes from '../../records/templates/templates.module.css'
import listClasses from '../../ui/list.module.css'
import { Page } from '../../ui/page.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { useFilters } from '../../ui/use-filters.ts'
import { LibraryDialog } from './library-dialog.tsx'

const filterNames = ['search', 'category', 'topic', 'language'] as const
type Query = NonNullable<Parameters<typeof api.templates.listLibrary>[0]>

/** Ready-made templates of the platform, which are mostly approved at once. */
export function LibraryPage() {
  const { values: filters, set, isFiltered, clear: clearFilters } = useFilters(filterNames)
  const { topic, ...asked } = filters
  const { chatChannels } = useChannels()
  const [chosen, setChosen] = useState<types.LibraryTemplate>()
  // The library is the platform's, and asked for with a number's credentials.
  const isConnected = chatChannels === undefined || chatChannels.length > 0
  const library = useRecord(['library', asked], (signal) => api.templates.listLibrary(asked as Query, { signal }), {
    enabled: isConnected,
  })
  const all = library.data?.items ?? []
  const topics = [...new Set(all.map((item) => item.topic))].filter(Boolean).sort()
  const items = topic ? all.filter((item) => item.topic === topic) : all
  return (
    <Page
      title="Template library"
      head={
        <div>
          <Anchor component={Link} to="/templates" size="sm">
            Templates
          </Anchor>
          <Title order={1}>Library</Title>
          <Text c="dimmed" size="sm">
            Ready-made by the platform, and mostly approved at once.
          </Text>
        </div>
      }
    >
      <Group gap="xs" mb="md" className={listClasses.filters}>
        <SearchField
          label="Search the library"
          value={filters.search}
          onChange={(words) => set({ search: words })}
          className={listClasses.search}
        />
        <Select
          aria-label="Topic"
          placeholder="Any topic"
          clearable
          w={190}
          data={topics.map((value) => ({ value, label: wordOf(value) }))}
          value={topic ?? null}
          onChange={(value) => set({ topic: value })}
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
          placeholder="English (US)"
          clearable
          searchable
          w={190}
          data={languageChoices}
          value={filters.language ?? null}
          onChange={(value) => set({ language: value })}
        />
      </Group>
      {!isConnected ? (
        <NoChatNumber>
          The platform shows its library to whoever has a number there, and none is connected in this mode.
        </NoChatNumber>
      ) : library.error && !library.data ? (
        <ErrorState error={library.error} retry={() => void library.refetch()} />
      ) : library.isPending ? (
        <div className={classes.cards} aria-hidden>
          {Array.from({ length: 9 }, (_, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
            <Skeleton key={i} height={150} />
          ))}
        </div>
      ) : items.length === 0 ? (
        <EmptyState
          title="The library has nothing like that"
          action={
            isFiltered && (
              <Button variant="default" onClick={clearFilters}>
                Clear the filters
              </Button>
            )
          }
        >
          Try other words or another language, or write your own template.
        </EmptyState>
      ) : (
        <div className={classes.cards}>
          {items.map((item) => (
            <Card key={item.id} withBorder padding="md" className={classes.card}>
              <Text fw={600}>{wordOf(item.name)}</Text>
              <Text size="xs" c="dimmed" mb="xs">
                {[categoryLabel(item.category), item.topic && wordOf(item.topic)].filter(Boolean).join(' · ')}
              </Text>
              <Text size="sm" lineClamp={4} dir="auto" flex={1}>
                {fillVariables(item.body, (name) => item.body_params[Number(name) - 1] ?? `{{${name}}}`)}
              </Text>
              <Button
                variant="default"
                size="xs"
                mt="sm"
                onClick={() => setChosen(item)}
                aria-label={`Look at it: ${wordOf(item.name)}`}
              >
                Look at it
              </Button>
            </Card>
          ))}
        </div>
      )}
      {chosen && chatChannels && (
        <LibraryDialog item={chosen} channels={chatChannels} close={() => setChosen(undefined)} />
      )}
    </Page>
  )
}
