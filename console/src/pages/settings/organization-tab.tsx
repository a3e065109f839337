import type { api as types } from '@frontdesk/sdk'
import { Card, Code, Group, Select, Skeleton, Stack, Switch, Text, TextInput, Title } from '@mantine/core'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { mayManage, useMe, useSession } from '../../data/session.tsx'
import { useApiForm } from '../../data/use-api-form.ts'
import { useRecord, useRefresh } from '../../data/use-records.ts'
import { CountrySelect } from '../../records/contacts/country-select.tsx'
import { askFirst } from '../../ui/ask-first.tsx'
import { Copy } from '../../ui/copy.tsx'
import { FormCard } from '../../ui/form-card.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { showDone } from '../../ui/undo.tsx'
import { useUnsavedGuard } from '../../ui/unsaved.tsx'

export function OrganizationTab() {
  const { data, error, refetch } = useRecord(['organization'], (signal) => api.organization.get({ signal }))
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  if (!data) return <Skeleton height={280} maw={860} />
  return (
    <Stack gap="md" maw={860}>
      <OrganizationForm key={`${data.name} ${data.default_country}`} organization={data} />
      <SecondFactorRule organization={data} />
    </Stack>
  )
}

function OrganizationForm({ organization }: { organization: types.Organization }) {
  const refresh = useRefresh('organization')
  const { enter } = useSession()
  const canManage = mayManage(useMe())
  const form = useApiForm({
    initialValues: {
      name: organization.name,
      time_zone: organization.time_zone,
      default_country: organization.default_country ?? null,
    },
    async submit(values) {
      await api.organization.update(values)
      // The top bar shows the name too.
      await enter()
      await refresh()
      showDone('Saved')
    },
  })
  useUnsavedGuard(form.isDirty)
  return (
    <FormCard
      title="Organization"
      aside={<ApiRequest method="GET" path="/organization" />}
      form={form}
      canSubmit={form.isDirty}
      readOnly={canManage ? undefined : 'Only owners and admins can edit the organization.'}
    >
      <TextInput
        label="Name"
        description="Shown to your team and in reports"
        required
        disabled={!canManage}
        maw={420}
        {...form.field('name')}
      />
      <Select
        label="Time zone"
        description="Used for the sending times of campaigns if a contact’s own time zone is unknown"
        searchable
        allowDeselect={false}
        disabled={!canManage}
        maw={420}
        data={[...new Set([organization.time_zone, ...Intl.supportedValuesOf('timeZone'), 'UTC'])].sort()}
        value={form.values.time_zone}
        onChange={(zone) => zone && form.set('time_zone', zone)}
        error={form.errors.time_zone}
      />
      <CountrySelect
        label="Default country"
        description="For phone numbers without a country code, such as (415) 555-0199"
        placeholder="None"
        clearable
        disabled={!canManage}
        maw={420}
        value={form.values.default_country}
        error={form.errors.default_country}
        onChange={(value) => form.set('default_country', value)}
      />
      <Group gap={4}>
        <Text size="sm" c="dimmed">
          ID
        </Text>
        <Code>{organization.id}</Code>
        <Copy value={organization.id} what="ID" />
        <Text size="sm" c="dimmed">
          Created <Moment at={organization.created_at} />
        </Text>
      </Group>
    </FormCard>
  )
}

/** Whether members need a second factor. Owners decide. */
function SecondFactorRule({ organization }: { organization: types.Organization }) {
  const refresh = useRefresh('organization')
  const { enter } = useSession()
  const isOwner = useMe().user?.role === 'owner'
  const isRequired = organization.requires_second_factor
  const change = () =>
    askFirst({
      title: isRequired ? 'Stop requiring a second factor?' : 'Require a second factor?',
      consequence: isRequired
        ? 'Members can then sign in with their password alone.'
        : 'Starting now, members without one must set it up before they can do anything else. API keys keep working.',
      action: isRequired ? 'Stop requiring' : 'Require',
      isHarmless: !isRequired,
      run: async () => {
        await api.organization.update({ requires_second_factor: !isRequired })
        // An owner without a second factor has to set one up too, before anything else is loaded again.
        await enter()
        await refresh()
      },
    })
  return (
    <Card withBorder>
      <Title order={2} mb="xs">
        Sign-in
      </Title>
      <Switch
        label="Require a second factor"
        description={
          isOwner
            ? 'Members need an authenticator app or a passkey to use Frontdesk'
            : 'Members need an authenticator app or a passkey. Set by owners'
        }
        checked={isRequired}
        disabled={!isOwner}
        onChange={change}
      />
    </Card>
  )
}
