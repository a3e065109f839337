import type { api as types } from '@frontdesk/sdk'
import { Alert, Button, NumberInput, Stack, Table, Text, Textarea, Title } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useSession } from '../../data/session.tsx'
import { useApiForm } from '../../data/use-api-form.ts'
import { useRecord, useRefresh } from '../../data/use-records.ts'
import { askFirst } from '../../ui/ask-first.tsx'
import { Fact, Facts, ShownId } from '../../ui/facts.tsx'
import { FormCard } from '../../ui/form-card.tsx'
import { Moment } from '../../ui/moment.tsx'
import { showDone } from '../../ui/undo.tsx'

interface Props {
  organization: types.OperatedOrganization
}

export function OrganizationDetails({ organization }: Props) {
  return (
    <Stack gap="md">
      <Title order={2}>
        <bdi>{organization.name}</bdi>
      </Title>
      <Facts>
        <Fact label="ID">
          <ShownId id={organization.id} />
        </Fact>
        <Fact label="Members">{organization.members_count}</Fact>
        <Fact label="Created">
          <Moment at={organization.created_at} />
        </Fact>
      </Facts>
      {organization.suspended_at ? (
        <Suspended organization={organization} />
      ) : (
        <SuspendForm organization={organization} />
      )}
      <LimitsForm organization={organization} />
      <UsageTable id={organization.id} />
    </Stack>
  )
}

function Suspended({ organization: { id, name, suspended_at, suspended_reason } }: Props) {
  const refresh = useRefresh('operated')
  const lift = () =>
    askFirst({
      title: `Lift the suspension of ${name}?`,
      consequence:
        'Its credentials work again within seconds. Campaigns, webhooks and agents continue where they stopped.',
      action: 'Lift suspension',
      isHarmless: true,
      run: async () => {
        await api.operator.liftSuspension(id)
        await refresh()
      },
    })
  return (
    <Alert color="red" variant="light" title="Suspended" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
      <Text size="sm">
        Since <Moment at={suspended_at as string} />. Reason: <bdi>{suspended_reason}</bdi>
      </Text>
      <Button mt="xs" size="xs" onClick={lift}>
        Lift suspension
      </Button>
    </Alert>
  )
}

function SuspendForm({ organization: { id, name } }: Props) {
  const refresh = useRefresh('operated')
  const form = useApiForm({
    initialValues: { reason: '' },
    submit: async (values) => {
      await api.operator.suspendOrganization(id, values)
      showDone(`Suspended ${name}`)
      await refresh()
    },
  })
  return (
    <FormCard
      title="Suspend"
      text="Its credentials are refused, and campaigns, webhooks, agents and calls take no new work. Calls in progress end normally. Incoming messages are stored."
      form={form}
      action="Suspend organization"
      canSubmit={form.values.reason.trim() !== ''}
    >
      <Textarea
        label="Reason"
        description="Shown in the organization’s audit log"
        autosize
        minRows={1}
        {...form.field('reason')}
      />
    </FormCard>
  )
}

function LimitsForm({ organization: { id, requests_per_minute, calls_at_once } }: Props) {
  const refresh = useRefresh('operated')
  const form = useApiForm({
    initialValues: {
      requests_per_minute: (requests_per_minute ?? '') as number | string,
      calls_at_once: (calls_at_once ?? '') as number | string,
    },
    submit: async (values) => {
      await api.operator.limitOrganization(id, {
        requests_per_minute: values.requests_per_minute === '' ? null : Number(values.requests_per_minute),
        calls_at_once: values.calls_at_once === '' ? null : Number(values.calls_at_once),
      })
      showDone('Saved')
      await refresh()
    },
  })
  return (
    <FormCard title="Limits" form={form} canSubmit={form.isDirty}>
      <NumberInput
        label="Requests per minute and credential"
        placeholder="Default"
        min={1}
        {...form.control('requests_per_minute')}
        value={form.values.requests_per_minute}
      />
      <NumberInput
        label="Calls at once"
        placeholder="Default"
        min={0}
        {...form.control('calls_at_once')}
        value={form.values.calls_at_once}
      />
    </FormCard>
  )
}

const usd = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })

function UsageTable({ id }: { id: string }) {
  const { mode } = useSession()
  const { data } = useRecord(['operated', 'usage', id], (signal) =>
    api.operator.getOrganizationUsage(id, { mode }, { signal }),
  )
  return (
    <div>
      <Title order={2} mb="xs">
        Usage in {mode} mode
      </Title>
      <Table.ScrollContainer minWidth={540}>
        <Table aria-label="Usage by month" aria-busy={!data}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Month</Table.Th>
              <Table.Th ta="right">Received</Table.Th>
              <Table.Th ta="right">Sent</Table.Th>
              <Table.Th ta="right">Call minutes</Table.Th>
              <Table.Th ta="right">Chat tokens</Table.Th>
              <Table.Th ta="right">Call tokens</Table.Th>
              <Table.Th ta="right">Chat cost</Table.Th>
              <Table.Th ta="right">Call cost</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data?.data.map((month) => (
              <Table.Tr key={month.month}>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>{month.month}</Table.Td>
                <Table.Td ta="right">{month.messages_received.toLocaleString()}</Table.Td>
                <Table.Td ta="right">{month.messages_sent.toLocaleString()}</Table.Td>
                <Table.Td ta="right">{month.call_minutes.toLocaleString()}</Table.Td>
                <Table.Td ta="right">{(month.chat_input_tokens + month.chat_output_tokens).toLocaleString()}</Table.Td>
                <Table.Td ta="right">{(month.call_input_tokens + month.call_output_tokens).toLocaleString()}</Table.Td>
                <Table.Td ta="right">{usd.format(month.chat_cost ?? 0)}</Table.Td>
                <Table.Td ta="right">{usd.format(month.call_cost)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text size="xs" c="dimmed" mt={4}>
        Chat tokens include answers, drafts and summaries of conversations. Costs are estimates in US dollars.
      </Text>
    </div>
  )
}
