import type { api as types } from '@frontdesk/sdk'
import { Button, Card, Skeleton, Text } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'
import { NoChatNumber } from '../../records/channels/no-chat-number.tsx'
import { useChannels } from '../../records/channels/use-channels.ts'
import { languageChoices } from '../../records/templates/languages.ts'
import { fillVariables } from '../../records/templates/template-parts.ts'
import { categories, categoryLabel } from '../../records/templates/template-status.ts'
import { wordOf } from '../../ui/capitalized.ts'
import { RecordList } from '../../ui/record-list.tsx'
import { RecordPage } from '../../ui/record-page.tsx'
import { useFilters } from '../../ui/use-filters.ts'
import { LibraryDialog } from './library-dialog.tsx'
import classes from './templates.module.css'

type Query = NonNullable<Parameters<typeof api.templates.listLibrary>[0]>

export function LibraryPage() {
  const filters = useFilters(['search', 'category', 'topic', 'language'])
  const { topic, ...asked } = filters.values
  const { chatChannels } = useChannels()
  const [chosen, setChosen] = useState<types.LibraryTemplate>()
  // WhatsApp answers for the library only with the credentials of a connected number.
  const isConnected = chatChannels === undefined || chatChannels.length > 0
  const library = useRecord(['library', asked], (signal) => api.templates.listLibrary(asked as Query, { signal }), {
    enabled: isConnected,
  })
  const all = library.data?.items ?? []
  const topics = [...new Set(all.map((item) => item.topic))].filter(Boolean).sort()
  const items = topic ? all.filter((item) => item.topic === topic) : all
  return (
    <RecordPage
      list={{ to: '/templates', label: 'Templates' }}
      title="Template library"
      details="Written by WhatsApp; most are approved at once."
    >
      {!isConnected ? (
        <NoChatNumber>
          WhatsApp shows its library to connected numbers only. Connect one in this mode first.
        </NoChatNumber>
      ) : (
        <RecordList
          label="Templates"
          list={{ ...library, rows: items }}
          filters={filters}
          fields={[
            { name: 'search', label: 'Search the library' },
            {
              name: 'topic',
              label: 'Topic',
              choices: topics.map((value) => ({ value, label: wordOf(value) })),
              width: 190,
            },
            { name: 'category', label: 'Category', choices: [...categories] },
            {
              name: 'language',
              label: 'Language',
              placeholder: 'English (US)',
              choices: languageChoices,
              width: 190,
              isSearchable: true,
            },
          ]}
          empty={{ title: 'The library is empty', text: 'Create your own template instead.' }}
          noMatch={{ text: 'Try other words or another language, or create your own template.' }}
          paging={null}
        >
          {({ rows, isHidden }) => !isHidden && <Cards items={rows} onChoose={setChosen} />}
        </RecordList>
      )}
      {chosen && chatChannels && (
        <LibraryDialog item={chosen} channels={chatChannels} close={() => setChosen(undefined)} />
      )}
    </RecordPage>
  )
}

function Cards({
  items,
  onChoose,
}: {
  items: types.LibraryTemplate[] | undefined
  onChoose(item: types.LibraryTemplate): void
}) {
  if (!items)
    return (
      <div className={classes.cards} aria-hidden>
        {Array.from({ length: 9 }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
          <Skeleton key={i} height={150} />
        ))}
      </div>
    )
  return (
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
            onClick={() => onChoose(item)}
            aria-label={`Preview ${wordOf(item.name)}`}
          >
            Preview
          </Button>
        </Card>
      ))}
    </div>
  )
}
