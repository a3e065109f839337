import { Button, Checkbox, Group, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { useCursorList, useRecord } from '../../data/use-records.ts'
import { type Stage, stageChoices } from '../../records/contacts/stages.tsx'
import { useTags } from '../../records/contacts/use-tags.ts'
import { errorText } from '../../ui/error-text.ts'
import listClasses from '../../ui/list.module.css'
import { SearchField } from '../../ui/search-field.tsx'
import { ErrorState } from '../../ui/states.tsx'
import classes from './campaigns.module.css'
import { viewerZone } from './zones.ts'

type Query = NonNullable<Parameters<typeof api.contacts.list>[0]>

/** More would keep the browser busy for minutes; use a tag instead. */
const mostAtOnce = 10_000

/** Ads and posts that contacts came from within a year, the most frequent first. */
function useAds(): { value: string; label: string }[] {
  const { data } = useRecord(['contacts', 'ads'], (signal) =>
    api.dashboard.getContactSources({ days: 365, time_zone: viewerZone }, { signal }),
  )
  return (data?.data ?? []).flatMap(({ source_id, source_type, source_headline, contacts }) =>
    source_id
      ? [
          {
            value: source_id,
            label: `${source_headline || `${source_type} ${source_id}`} (${contacts.toLocaleString()})`,
          },
        ]
      : [],
  )
}

export function ContactPicker({ chosen, onChange }: { chosen: string[]; onChange(ids: string[]): void }) {
  const [search, setSearch] = useState('')
  const [stage, setStage] = useState<string | null>(null)
  const [tag, setTag] = useState<string | null>(null)
  const [ad, setAd] = useState<string | null>(null)
  const ads = useAds()
  const tags = useTags()
  const [adding, setAdding] = useState<number>()
  const [problem, setProblem] = useState('')
  const query: Query = {
    ...(search && { search }),
    ...(stage && { stage: stage as Stage }),
    ...(tag && { tag }),
    ...(ad && { source_id: ad }),
  }
  const list = useCursorList(['contacts', 'picker', query], (starting_after, signal) =>
    api.contacts.list({ ...query, starting_after, limit: 30 }, { signal }),
  )
  const isChosen = new Set(chosen)
  const toggle = (id: string) => onChange(isChosen.has(id) ? chosen.filter((each) => each !== id) : [...chosen, id])

  async function addAll() {
    const ids = new Set(chosen)
    setProblem('')
    try {
      let seen = 0
      for await (const { id } of api.contacts.list({ ...query, limit: 100 })) {
        ids.add(id)
        if (++seen % 100 === 0) setAdding(seen)
        if (seen >= mostAtOnce) break
      }
      onChange([...ids])
    } catch (error) {
      setProblem(errorText(error))
    } finally {
      setAdding(undefined)
    }
  }

  const total = list.total ?? 0
  return (
    <Stack gap="xs">
      <Group gap="xs" className={listClasses.filters}>
        <SearchField label="Search contacts" value={search} onChange={setSearch} className={listClasses.search} />
        <Select
          aria-label="Stage"
          placeholder="Any stage"
          clearable
          w={140}
          data={stageChoices}
          value={stage}
          onChange={setStage}
        />
        <Select
          aria-label="Tag"
          placeholder="Any tag"
          clearable
          searchable
          nothingFoundMessage="No results"
          w={160}
          data={tags.map(({ tag, contacts }) => ({ value: tag, label: `${tag} (${contacts.toLocaleString()})` }))}
          value={tag}
          onChange={setTag}
        />
        {ads.length > 0 && (
          <Select
            aria-label="Ad"
            placeholder="Any source"
            clearable
            searchable
            nothingFoundMessage="No results"
            w={200}
            data={ads}
            value={ad}
            onChange={setAd}
          />
        )}
      </Group>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={550} aria-live="polite">
          {chosen.length.toLocaleString()} chosen
        </Text>
        <Group gap="xs">
          {total > 0 && (
            <Button
              size="compact-sm"
              variant="default"
              loading={adding !== undefined}
              onClick={() => {
                setAdding(0)
                void addAll()
              }}
            >
              {total > mostAtOnce
                ? `Add the first ${mostAtOnce.toLocaleString()}`
                : `Add all ${total.toLocaleString()} matching`}
            </Button>
          )}
          {chosen.length > 0 && (
            <Button size="compact-sm" variant="subtle" color="gray" onClick={() => onChange([])}>
              Clear
            </Button>
          )}
        </Group>
      </Group>
      {problem && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
      {list.error && !list.data ? (
        <ErrorState error={list.error} retry={() => void list.refetch()} />
      ) : (
        <div className={classes.pick}>
          {list.rows.map(({ id, name, phone_number, tags }) => (
            <label key={id} className={classes.pickRow} htmlFor={`pick-${id}`}>
              <Checkbox
                id={`pick-${id}`}
                checked={isChosen.has(id)}
                onChange={() => toggle(id)}
                aria-label={name || phone_number || 'Unnamed contact'}
              />
              <Text span truncate flex={1}>
                <bdi>{name || phone_number || 'No name'}</bdi>{' '}
                <Text span size="sm" c="dimmed">
                  {name && phone_number}
                </Text>
              </Text>
              <Text span size="xs" c="dimmed" truncate maw="35%">
                {tags.join(', ')}
              </Text>
            </label>
          ))}
          {list.isSuccess && list.rows.length === 0 && (
            <Text size="sm" c="dimmed" p="md">
              No matching contacts.
            </Text>
          )}
          {list.hasNextPage && (
            <Group justify="center" p="xs">
              <Button
                size="compact-sm"
                variant="subtle"
                loading={list.isFetchingNextPage}
                onClick={() => void list.fetchNextPage()}
              >
                Show more
              </Button>
            </Group>
          )}
        </div>
      )}
    </Stack>
  )
}
