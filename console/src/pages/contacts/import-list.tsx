import type { api as types } from '@frontdesk/sdk'
import { Box, Title } from '@mantine/core'
import { Moment } from '../../ui/moment.tsx'
import { RecordList, RowLink } from '../../ui/record-list.tsx'
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
  const rows = list.rows.filter(({ id }) => id !== shownId)
  if (rows.length === 0 && !list.error) return null
  return (
    <Box component="section" mt="xl" aria-label="Earlier imports">
      <Title order={2} mb="xs">
        Earlier imports
      </Title>
      <RecordList
        list={list}
        rows={rows}
        empty={{ title: 'No earlier imports' }}
        address={({ id }) => `?id=${id}`}
        paging={list.hasNextPage ? undefined : null}
        columns={[
          {
            label: 'File',
            cell: ({ id, file_name }) => <RowLink to={`?id=${id}`}>{file_name || 'Unnamed file'}</RowLink>,
          },
          { label: 'Status', width: 130, cell: (each) => <ImportState {...each} /> },
          { label: 'Result', from: 'sm', cell: countsText, below: countsText },
          { label: 'Date', width: 130, from: 'sm', cell: ({ created_at }) => <Moment at={created_at} /> },
        ]}
      />
    </Box>
  )
}

const countsText = ({ counts, dry_run }: types.ContactImport) =>
  [
    counts.rows === 1 ? '1 row' : `${counts.rows.toLocaleString()} rows`,
    !dry_run && `${counts.created.toLocaleString()} created`,
    !dry_run && counts.updated > 0 && `${counts.updated.toLocaleString()} updated`,
    counts.invalid > 0 && `${counts.invalid.toLocaleString()} invalid`,
  ]
    .filter(Boolean)
    .join(', ')
