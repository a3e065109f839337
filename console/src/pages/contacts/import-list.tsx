import type { api as types } from '@frontdesk/sdk'
import { Anchor, Box, Group, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { Moment } from '../../ui/moment.tsx'
import { MoreOf } from '../../ui/more-button.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { Status, type Tone } from '../../ui/status.tsx'
import { useImports } from './use-import.ts'

const tones: Record<types.ContactImport['state'], [Tone, string]> = {
  queued: ['waiting', 'Waiting'],
  running: ['busy', 'Running'],
  completed: ['good', 'Completed'],
  failed: ['bad', 'Failed'],
}

export function ImportState({ state, dry_run }: Pick<types.ContactImport, 'state' | 'dry_run'>) {
  const [tone, word] = tones[state]
  return <Status tone={tone}>{dry_run && state === 'completed' ? 'Checked' : word}</Status>
}

/** Earlier imports, with links to their reports. */
export function ImportList({ shownId }: { shownId: string | null }) {
  const list = useImports()
  const others = list.rows.filter(({ id }) => id !== shownId)
  if (list.error && !list.data) return <ErrorState error={list.error} retry={() => void list.refetch()} />
  if (others.length === 0) return null
  return (
    <Box component="section" mt="xl" aria-label="Earlier imports">
      <Title order={2} mb="xs">
        Earlier imports
      </Title>
      {others.map(({ id, file_name, state, dry_run, counts, created_at }) => (
        <Group
          key={id}
          justify="space-between"
          gap="0 16px"
          py="xs"
          style={{ borderBottom: '1px solid var(--mantine-color-default-border)' }}
        >
          <Group gap="0 16px" style={{ flex: 1, minWidth: 0 }}>
            <Anchor component={Link} to={`?id=${id}`} size="sm" fw={550} truncate maw={320}>
              {file_name || 'Unnamed file'}
            </Anchor>
            <ImportState state={state} dry_run={dry_run} />
            <Text size="sm" c="dimmed">
              {counts.rows.toLocaleString()} rows
              {!dry_run && `, ${counts.created.toLocaleString()} created`}
              {counts.updated > 0 && !dry_run && `, ${counts.updated.toLocaleString()} updated`}
              {counts.invalid > 0 && `, ${counts.invalid.toLocaleString()} invalid`}
            </Text>
          </Group>
          <Text size="xs" c="dimmed">
            <Moment at={created_at} />
          </Text>
        </Group>
      ))}
      {list.hasNextPage && <MoreOf list={list} />}
    </Box>
  )
}
