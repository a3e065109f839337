import type { api as types } from '@frontdesk/sdk'
import { NumberInput, SimpleGrid, Skeleton, Stack, Switch, Textarea } from '@mantine/core'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { mayManage, useMe } from '../../data/session.tsx'
import { useApiForm } from '../../data/use-api-form.ts'
import { useRecord, useRefresh } from '../../data/use-records.ts'
import { FormCard } from '../../ui/form-card.tsx'
import { linesOf } from '../../ui/lines-of.ts'
import { ErrorState } from '../../ui/states.tsx'
import { showDone } from '../../ui/undo.tsx'
import { useUnsavedGuard } from '../../ui/unsaved.tsx'
import { ErasureList } from './erasure-list.tsx'

/** How long the organization keeps what it holds about people. */
export function PrivacyTab() {
  const { data, error, refetch } = useRecord(['privacy'], (signal) => api.privacy.getSettings({ signal }))
  const organization = useRecord(['organization'], (signal) => api.organization.get({ signal }))
  const canManage = mayManage(useMe())
  const failed = error ?? organization.error
  if (failed && !(data && organization.data)) return <ErrorState error={failed} retry={refetch} />
  if (!data || !organization.data) return <Skeleton height={280} maw={860} />
  return (
    <Stack gap="md" maw={860}>
      <RetentionForm retention={data.retention} limits={organization.data.limits} />
      <MaskingForm masking={data.masking} />
      {canManage && <ErasureList />}
    </Stack>
  )
}

type Kind = keyof types.Retention

const kinds: [kind: Kind, label: string, description: string][] = [
  ['messages', 'Messages', 'With their files, timeline entries and campaign recipients'],
  ['media', 'Files in messages', 'The messages are kept'],
  ['transcripts', 'Call transcripts', 'With summaries and analyses. The call logs are kept'],
  ['recordings', 'Call recordings', 'The call logs are kept'],
  ['call_logs', 'Call logs', 'With their transcripts and recordings'],
  ['events', 'Events', 'With the delivery log of webhooks'],
]

function RetentionForm({ retention, limits }: { retention: types.Retention; limits: types.Limits }) {
  const refresh = useRefresh('privacy')
  const canManage = mayManage(useMe())
  const form = useApiForm({
    initialValues: Object.fromEntries(kinds.map(([kind]) => [kind, retention[kind] ?? ''])) as Record<
      Kind,
      number | string
    >,
    async submit(values) {
      const days = Object.fromEntries(kinds.map(([kind]) => [kind, values[kind] === '' ? null : Number(values[kind])]))
      await api.privacy.updateSettings({ retention: days })
      await refresh()
      showDone('Saved')
    },
  })
  useUnsavedGuard(form.isDirty)
  const installationDays: Partial<Record<Kind, number | null>> = {
    events: limits.event_days,
    recordings: limits.recording_days,
  }
  const placeholderOf = (kind: Kind) => {
    const days = installationDays[kind]
    return days == null ? 'Until deleted' : `${days} days, set by your administrator`
  }
  return (
    <FormCard
      title="Retention"
      text="Records older than this are permanently deleted, in test and live mode. Leave a field empty to keep them."
      aside={<ApiRequest method="GET" path="/privacy" />}
      form={form}
      canSubmit={form.isDirty}
      readOnly={canManage ? undefined : 'Only owners and admins can edit the privacy settings.'}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {kinds.map(([kind, label, description]) => (
          <NumberInput
            key={kind}
            label={label}
            description={description}
            placeholder={placeholderOf(kind)}
            suffix=" days"
            min={1}
            max={36_500}
            allowDecimal={false}
            disabled={!canManage}
            {...form.control(kind)}
          />
        ))}
      </SimpleGrid>
    </FormCard>
  )
}

function MaskingForm({ masking }: { masking: types.Masking }) {
  const refresh = useRefresh('privacy')
  const canManage = mayManage(useMe())
  const form = useApiForm({
    initialValues: { card_numbers: masking.card_numbers, patterns: masking.patterns.join('\n') },
    async submit({ card_numbers, patterns }) {
      await api.privacy.updateSettings({ masking: { card_numbers, patterns: linesOf(patterns) } })
      await refresh()
      showDone('Saved')
    },
  })
  useUnsavedGuard(form.isDirty)
  return (
    <FormCard
      title="Masking"
      text="Hides numbers in call transcripts before they are stored. Recordings and earlier transcripts do not change."
      form={form}
      canSubmit={form.isDirty}
      readOnly={canManage ? undefined : 'Only owners and admins can edit the privacy settings.'}
    >
      <Switch
        label="Card numbers"
        description="The last four digits are kept"
        disabled={!canManage}
        checked={form.values.card_numbers}
        onChange={(event) => form.set('card_numbers', event.currentTarget.checked)}
      />
      <Textarea
        label="Your own numbers"
        description="One pattern per line: # is a digit, @ a letter. Example: AB-######"
        autosize
        minRows={2}
        maw={420}
        disabled={!canManage}
        {...form.field('patterns')}
      />
    </FormCard>
  )
}
