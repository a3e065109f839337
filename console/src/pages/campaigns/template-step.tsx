import type { api as types } from '@frontdesk/sdk'
import { Button, Group, Skeleton, Stack, Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'
import { languageName } from '../../records/templates/languages.ts'
import { snippetOf } from '../../records/templates/template-parts.ts'
import { categoryLabel, isSendable } from '../../records/templates/template-status.ts'
import listClasses from '../../ui/list.module.css'
import { SearchField } from '../../ui/search-field.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import type { StepProps } from './audience-step.tsx'
import { sourcesFor } from './campaign-values.ts'
import classes from './campaigns.module.css'

/** Lists the templates that the channel can send. */
export function TemplateStep({ draft, change, channel }: StepProps & { channel: types.Channel | undefined }) {
  const [search, setSearch] = useState('')
  const query = useRecord(['templates', 'approved', search], (signal) =>
    api.templates.list({ status: 'APPROVED', limit: 100, ...(search && { search }) }, { signal }),
  )
  const all = query.data?.items ?? []
  // A simulated number has no account ID of its own; its templates do.
  const own = new Set([
    channel?.chat?.business_account_id,
    ...all.filter(({ channel_id }) => channel_id === channel?.id).map((template) => template.business_account_id),
  ])
  const offered = all.filter((template) => isSendable(template) && own.has(template.business_account_id))
  if (query.error && !query.data) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (query.data && offered.length === 0 && !search)
    return (
      <EmptyState
        title="No approved templates yet"
        action={
          <Group gap="xs">
            <Button component={Link} to="/templates/library">
              Browse the library
            </Button>
            <Button component={Link} to="/templates/new" variant="default">
              Create a template
            </Button>
          </Group>
        }
      >
        Campaigns need a template approved by WhatsApp. Your draft is kept.
      </EmptyState>
    )
  return (
    <Stack gap="sm">
      <Group>
        <SearchField label="Search templates" value={search} onChange={setSearch} className={listClasses.search} />
      </Group>
      {query.isPending ? (
        <div className={classes.templates} aria-hidden>
          <Skeleton height={110} />
          <Skeleton height={110} />
          <Skeleton height={110} />
        </div>
      ) : offered.length === 0 ? (
        <Text c="dimmed">No matching approved templates.</Text>
      ) : (
        <div className={classes.templates} role="radiogroup" aria-label="Template">
          {offered.map((template) => (
            <UnstyledButton
              key={template.id}
              role="radio"
              aria-checked={template.id === draft.templateId}
              aria-label={template.name}
              className={classes.template}
              onClick={() => change({ templateId: template.id, sources: sourcesFor(template, draft.given) })}
            >
              <Text fw={550} className={listClasses.name} lineClamp={2}>
                {template.name}
              </Text>
              <Text size="xs" c="dimmed" mb={6}>
                {categoryLabel(template.category)} · {languageName(template.language)}
              </Text>
              <Text size="sm" lineClamp={3} dir="auto">
                {snippetOf(template.components)}
              </Text>
            </UnstyledButton>
          ))}
        </div>
      )}
      {query.data?.has_more && (
        <Text size="sm" c="dimmed">
          Showing the newest 100. Search by name for others.
        </Text>
      )}
    </Stack>
  )
}
