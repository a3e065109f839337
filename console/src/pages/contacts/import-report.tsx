import type { api as types } from '@frontdesk/sdk'
import { Alert, Button, Card, Group, Progress, Radio, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { MissingRecord } from '../../data/missing-record.tsx'
import { isMissing } from '../../data/queries.ts'
import { useSession } from '../../data/session.tsx'
import { countryName } from '../../records/contacts/countries.ts'
import { useWatchedImports } from '../../records/contacts/watched-imports.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { showFault } from '../../ui/undo.tsx'
import { ImportErrors } from './import-errors.tsx'
import { ImportState } from './import-list.tsx'
import { ImportMapping } from './import-mapping.tsx'
import { checkedFiles, isUnderWay, type Renamed, useImport } from './use-import.ts'

type Report = types.ContactImportReport

/** The report of a check or an import: progress, results and the next step. */
export function ImportReport({ id, onNext }: { id: string; onNext(id: string | undefined): void }) {
  const { data: report, error, refetch } = useImport(id)
  useListRefresh(report)
  if (isMissing(error)) return <MissingRecord what="Import" />
  if (error && !report) return <ErrorState error={error} retry={() => void refetch()} />
  if (!report) return <Skeleton height={200} />
  return (
    <Stack gap="lg">
      <Card withBorder>
        <Group justify="space-between" mb="sm">
          <Group gap="sm" miw={0}>
            <Title order={2} style={{ overflowWrap: 'anywhere' }}>
              {report.file_name || 'Unnamed file'}
            </Title>
            <ImportState state={report.state} dry_run={report.dry_run} />
          </Group>
          <ApiRequest method="GET" path={`/contacts/imports/${id}`} />
        </Group>
        {report.default_country && (
          <Text size="sm" c="dimmed" mb="sm">
            Phone numbers without + are read as numbers of {countryName(report.default_country)}.
          </Text>
        )}
        {isUnderWay(report) && <ImportProgress report={report} />}
        {report.state === 'failed' && (
          <Alert color="red" variant="light" role="alert" mb="sm">
            {report.error}
          </Alert>
        )}
        {(report.counts.rows > 0 || report.state === 'completed') && <Counts report={report} />}
        {!isUnderWay(report) && !report.dry_run && (
          <Group mt="md">
            <Button component={Link} to="/contacts" size="sm">
              View contacts
            </Button>
            <Button variant="default" size="sm" onClick={() => onNext(undefined)}>
              Import another file
            </Button>
          </Group>
        )}
      </Card>
      {report.dry_run && !isUnderWay(report) && <AfterCheck report={report} onNext={onNext} />}
      <ImportErrors report={report} />
    </Stack>
  )
}

/** The result of a check: correct the mapping, then import. */
function AfterCheck({ report, onNext }: { report: Report; onNext(id: string | undefined): void }) {
  const checked = checkedFiles.get(report.id)
  const file = checked?.file
  const { watch } = useWatchedImports()
  const [renamed, setRenamed] = useState<Renamed>({})
  const [onConflict, setOnConflict] = useState<'skip' | 'update'>(report.on_conflict)
  const [isSending, setSending] = useState(false)
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  const isRenamed = Object.keys(renamed).length > 0
  const { created, updated, skipped } = report.counts
  const existing = updated + skipped
  const count = onConflict === 'update' ? created + existing : created
  const isUsable = report.state === 'completed' && count > 0

  async function send(dry_run: boolean) {
    if (!checked) return
    setSending(true)
    try {
      const columns = { ...checked.columns, ...renamed }
      const { country } = checked
      const { id } = await api.contacts.import({
        file: checked.file,
        dry_run,
        on_conflict: onConflict,
        columns,
        ...(country && { default_country: country }),
      })
      if (dry_run) checkedFiles.set(id, { ...checked, columns })
      else watch(id)
      // A member who has left the page meanwhile is not taken back to it.
      if (isHere.current) onNext(id)
    } catch (error) {
      showFault(error, 'Could not upload the file')
      setSending(false)
    }
  }

  if (!file)
    return (
      <Alert color="blue" variant="light">
        <Group justify="space-between">
          This was a check; nothing was imported. Choose the file again to import it.
          <Button size="xs" variant="default" onClick={() => onNext(undefined)}>
            Choose file
          </Button>
        </Group>
      </Alert>
    )
  return (
    <>
      {report.columns.length > 0 && (
        <ImportMapping report={report} file={file} renamed={renamed} onRename={setRenamed} />
      )}
      {existing > 0 && (
        <Radio.Group
          label={
            existing === 1
              ? '1 number already belongs to a contact'
              : `${existing.toLocaleString()} numbers already belong to contacts`
          }
          value={onConflict}
          onChange={(value) => setOnConflict(value === 'update' ? 'update' : 'skip')}
        >
          <Stack gap={6} mt={6}>
            <Radio value="skip" label="Skip them" />
            <Radio value="update" label="Update them from the file. Empty cells and opt-outs are kept." />
          </Stack>
        </Radio.Group>
      )}
      <Group>
        {isRenamed || report.state === 'failed' ? (
          <Button loading={isSending} disabled={!isRenamed} onClick={() => void send(true)}>
            Check again
          </Button>
        ) : (
          <Button loading={isSending} disabled={!isUsable} onClick={() => void send(false)}>
            {isUsable
              ? `Import ${count.toLocaleString()} ${count === 1 ? 'contact' : 'contacts'}`
              : 'Nothing to import'}
          </Button>
        )}
        <Button variant="default" onClick={() => onNext(undefined)}>
          Choose another file
        </Button>
      </Group>
    </>
  )
}

function ImportProgress({ report }: { report: Report }) {
  const percent = Math.floor(report.progress * 100)
  const rows = report.counts.rows.toLocaleString()
  return (
    <Stack gap={6} mb="md">
      <Progress.Root size="lg">
        <Progress.Section value={percent} animated aria-label={`${percent}% processed`} />
      </Progress.Root>
      <Text size="sm" aria-live="polite">
        {report.state === 'queued'
          ? 'Waiting to start'
          : `${rows} rows ${report.dry_run ? 'checked' : 'done'}, ${percent}%`}
      </Text>
      <Text size="xs" c="dimmed">
        {report.dry_run
          ? 'Nothing has been imported yet.'
          : 'You can leave this page. You will be notified when the import is done.'}
      </Text>
    </Stack>
  )
}

function Counts({ report: { counts, dry_run } }: { report: Report }) {
  const figures: [string, number, boolean][] = [
    ['Rows', counts.rows, false],
    [dry_run ? 'New contacts' : 'Created', counts.created, false],
    dry_run ? ['Existing contacts', counts.updated + counts.skipped, false] : ['Updated', counts.updated, false],
    ...(dry_run ? [] : [['Skipped', counts.skipped, false] as [string, number, boolean]]),
    ['Invalid', counts.invalid, counts.invalid > 0],
  ]
  return (
    <SimpleGrid cols={{ base: 2, xs: figures.length }} spacing="md">
      {figures.map(([label, value, isBad]) => (
        <div key={label}>
          <Text size="sm" c="dimmed">
            {label}
          </Text>
          <Text fz={22} fw={650} {...(isBad && { c: 'var(--mantine-color-error)' })}>
            {value.toLocaleString()}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  )
}

/** Imports make no events, so the lists are refreshed when this one progresses. */
function useListRefresh(report: Report | undefined) {
  const { mode } = useSession()
  const queries = useQueryClient()
  const state = report?.state
  useEffect(() => {
    if (state) void queries.invalidateQueries({ queryKey: [mode, 'imports', 'list'] })
    if (state === 'completed') void queries.invalidateQueries({ queryKey: [mode, 'contacts'] })
  }, [state, mode, queries])
}
