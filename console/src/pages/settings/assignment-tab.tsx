import type { api as types } from '@frontdesk/sdk'
import { NumberInput, Select, Skeleton, Stack, Text, Textarea, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { may, useMe } from '../../data/session.tsx'
import { useApiForm } from '../../data/use-api-form.ts'
import { useCursorList, useRecord, useRefresh } from '../../data/use-records.ts'
import { useChannels } from '../../records/channels/use-channels.ts'
import { ScheduleSelect } from '../../records/schedules/schedule-select.tsx'
import { TeamSelect } from '../../records/teams/team-select.tsx'
import { errorText } from '../../ui/error-text.ts'
import { FormCard } from '../../ui/form-card.tsx'
import { RecordList } from '../../ui/record-list.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { showDone } from '../../ui/undo.tsx'

/** Which team gets the conversations of a channel, and who of its members is there. */
export function AssignmentTab() {
  return (
    <Stack gap="xl" maw={860}>
      <Rules />
      <AvailabilityList />
    </Stack>
  )
}

function Rules() {
  const { channels, error, refetch } = useChannels()
  const rules = useRecord(['assignment-rules'], (signal) => api.assignmentRules.list({ limit: 100 }, { signal }))
  const failed = error ?? rules.error
  if (failed && !(channels && rules.data))
    return <ErrorState error={failed} retry={() => void Promise.all([refetch(), rules.refetch()])} />
  if (!channels || !rules.data) return <Skeleton height={280} />
  if (channels.length === 0)
    return <EmptyState title="No channels yet">Connect a channel to assign its conversations.</EmptyState>
  return (
    <Stack gap="md">
      {channels.map((channel) => {
        const rule = rules.data?.data.find(({ id }) => id === channel.id)
        return <RuleForm key={`${channel.id} ${rule?.updated_at}`} channel={channel} rule={rule} />
      })}
    </Stack>
  )
}

function RuleForm({ channel, rule }: { channel: types.Channel; rule: types.AssignmentRule | undefined }) {
  const refresh = useRefresh('assignment-rules')
  const canManage = may(useMe(), 'members:manage')
  const form = useApiForm({
    initialValues: {
      team_id: rule?.team_id ?? null,
      schedule_id: rule?.schedule_id ?? null,
      away_message: rule?.away_message ?? '',
    },
    async submit({ team_id, schedule_id, away_message }) {
      await api.assignmentRules.put(channel.id, { team_id, schedule_id, away_message: away_message.trim() || null })
      await refresh()
      showDone('Saved')
    },
  })
  return (
    <FormCard
      title={channel.display_name || channel.phone_number}
      {...(channel.display_name && { text: channel.phone_number })}
      aside={<ApiRequest method="GET" path={`/assignment-rules/${channel.id}`} />}
      form={form}
      canSubmit={form.isDirty}
      readOnly={canManage ? undefined : 'Only members who manage members can change this.'}
    >
      <TeamSelect
        description="Receives new conversations from this channel"
        placeholder="None"
        disabled={!canManage}
        maw={420}
        value={form.values.team_id}
        error={form.errors.team_id}
        onChange={(value) => form.set('team_id', value)}
      />
      <ScheduleSelect
        disabled={!canManage}
        maw={420}
        value={form.values.schedule_id}
        error={form.errors.schedule_id}
        onChange={(value) => form.set('schedule_id', value)}
      />
      <Textarea
        label="Away message"
        description="Sent once per conversation while you are closed, unless an agent answers"
        placeholder="We are closed and will answer tomorrow."
        autosize
        minRows={2}
        disabled={!canManage}
        {...form.field('away_message')}
      />
    </FormCard>
  )
}

const statuses = [
  { value: 'online', label: 'Online' },
  { value: 'away', label: 'Away' },
  { value: 'off', label: 'Off' },
]

function AvailabilityList() {
  const list = useCursorList(
    ['availability'],
    (starting_after, signal) =>
      api.availability.list({ limit: 50, ...(starting_after && { starting_after }) }, { signal }),
    // Events of members refresh it at once; open conversations change with each ticket, so they are polled.
    { refetchInterval: 15_000 },
  )
  const me = useMe()
  const refresh = useRefresh('availability')
  const canManage = may(me, 'members:manage')
  const change = async (id: string, changes: types.AvailabilityChanges) => {
    try {
      await api.availability.update(id, changes)
    } catch (error) {
      notifications.show({ color: 'red', message: errorText(error) })
    }
    await refresh()
  }
  return (
    <div>
      <Title order={2} mb={4}>
        Availability
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        Only members who are online and below their limit are assigned conversations automatically.
      </Text>
      <RecordList
        list={list}
        empty={{ title: 'No members yet' }}
        skeletons={3}
        paging={list.hasNextPage ? undefined : null}
        columns={[
          {
            label: 'Member',
            cell: ({ id, name }) => (
              <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
                <bdi>{name}</bdi>
                {id === me.user?.id && ' (you)'}
              </Text>
            ),
          },
          {
            label: 'Status',
            cell: ({ id, name, status }) =>
              canManage || id === me.user?.id ? (
                <Select
                  aria-label={`Status of ${name}`}
                  size="xs"
                  w={{ base: 96, xs: 110 }}
                  allowDeselect={false}
                  data={statuses}
                  value={status}
                  onChange={(value) => value && void change(id, { status: value as types.Availability['status'] })}
                />
              ) : (
                statuses.find(({ value }) => value === status)?.label
              ),
          },
          {
            label: 'Limit',
            cell: ({ id, name, capacity }) =>
              canManage ? (
                <NumberInput
                  key={capacity}
                  aria-label={`Limit of ${name}`}
                  size="xs"
                  w={{ base: 72, xs: 100 }}
                  placeholder="None"
                  min={0}
                  max={10_000}
                  allowDecimal={false}
                  defaultValue={capacity ?? ''}
                  onBlur={({ currentTarget: { value } }) => {
                    const given = value === '' ? null : Number(value)
                    if (given !== capacity) void change(id, { capacity: given })
                  }}
                />
              ) : (
                (capacity ?? 'None')
              ),
          },
          {
            label: 'Open conversations',
            from: 'sm',
            align: 'right',
            cell: ({ open_tickets }) => open_tickets,
            below: ({ open_tickets }) => `${open_tickets} open`,
          },
        ]}
      />
    </div>
  )
}
