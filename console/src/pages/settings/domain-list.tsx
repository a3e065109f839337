import type { api as types } from '@frontdesk/sdk'
import { Alert, Button, Card, Code, Group, Modal, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { useMe } from '../../data/session.tsx'
import { useApiForm } from '../../data/use-api-form.ts'
import { useCursorList } from '../../data/use-records.ts'
import { askFirst } from '../../ui/ask-first.tsx'
import { Copy } from '../../ui/copy.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { errorText } from '../../ui/error-text.ts'
import { Moment } from '../../ui/moment.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { Status } from '../../ui/status.tsx'
import { showDone } from '../../ui/undo.tsx'
import { useRoles } from './roles.ts'

/** Domains whose people join with single sign-on and without an invitation. */
export function DomainList() {
  const list = useCursorList(['domains'], (starting_after, signal) =>
    api.members.listDomains({ limit: 20, ...(starting_after && { starting_after }) }, { signal }),
  )
  const [isAdding, setAdding] = useState(false)
  const refresh = () => list.refetch()
  return (
    <Card withBorder maw={860}>
      <Group justify="space-between" mb={4}>
        <Title order={2}>Domains</Title>
        <ApiRequest method="GET" path="/domains" />
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        People who sign in with single sign-on and an email address at one of these domains join without an invitation.
      </Text>
      <Stack gap="md">
        {list.rows.map((domain) => (
          <DomainItem key={domain.id} domain={domain} refresh={refresh} />
        ))}
        {list.hasNextPage && <MoreButton list={list} />}
        <Group>
          <Button variant="default" onClick={() => setAdding(true)}>
            Add a domain
          </Button>
        </Group>
      </Stack>
      <Modal opened={isAdding} onClose={() => setAdding(false)} title="Add a domain" centered>
        <AddDomain
          close={() => {
            setAdding(false)
            void refresh()
          }}
        />
      </Modal>
    </Card>
  )
}

function DomainItem({ domain, refresh }: { domain: types.Domain; refresh(): Promise<unknown> }) {
  const { nameOf } = useRoles()
  const { id, domain: name, role, verified_at, last_checked_at, failing_since, record_name, record_value } = domain
  const isMissing = !verified_at || failing_since !== null
  const [isWorking, setWorking] = useState(false)
  const [problem, setProblem] = useState<string>()
  const verify = async () => {
    setWorking(true)
    setProblem(undefined)
    try {
      await api.members.verifyDomain(id)
      await refresh()
      showDone(`${name} is verified`)
    } catch (error) {
      setProblem(errorText(error))
    } finally {
      setWorking(false)
    }
  }
  const remove = () =>
    askFirst({
      title: `Delete ${name}?`,
      consequence:
        'People with an email of this domain can no longer join without an invitation. Members who joined stay.',
      action: 'Delete',
      run: async () => {
        await api.members.deleteDomain(id)
        await refresh()
      },
    })
  return (
    <Stack gap={6}>
      <Group justify="space-between">
        <Group gap="xs">
          <Text size="sm" fw={500}>
            {name}
          </Text>
          <Status tone={verified_at && !failing_since ? 'good' : 'warning'}>
            {!verified_at ? 'Not verified' : failing_since ? 'Record missing' : 'Verified'}
          </Status>
          <Text size="sm" c="dimmed">
            {nameOf(role)}
          </Text>
        </Group>
        <Group gap="xs">
          {isMissing && (
            <Button size="compact-sm" variant="default" loading={isWorking} onClick={verify}>
              Verify
            </Button>
          )}
          <Button size="compact-sm" variant="default" aria-label={`Delete ${name}`} onClick={remove}>
            Delete
          </Button>
        </Group>
      </Group>
      {last_checked_at && (
        <Text size="xs" c="dimmed">
          Last checked <Moment at={last_checked_at} />
          {failing_since && (
            <>
              , record missing since <Moment at={failing_since} />
            </>
          )}
        </Text>
      )}
      {isMissing && (
        <>
          <Text size="sm">
            {verified_at
              ? 'Add this TXT record to your DNS again. After seven days without it, people can no longer join with this domain.'
              : 'Add this TXT record to your DNS, then verify it.'}
          </Text>
          {[record_name, record_value].map((text) => (
            <Group key={text} gap={4} wrap="nowrap">
              <Code style={{ overflowWrap: 'anywhere' }}>{text}</Code>
              <Copy value={text} what={text === record_name ? 'name of the record' : 'value of the record'} />
            </Group>
          ))}
        </>
      )}
      {problem && (
        <Alert color="red" variant="light" role="alert" py="xs">
          {problem}
        </Alert>
      )}
    </Stack>
  )
}

const domainRoles: types.NewDomain['role'][] = ['member', 'read_only', 'supervisor', 'admin']

function AddDomain({ close }: { close(): void }) {
  const me = useMe()
  const { nameOf, canGive } = useRoles()
  const form = useApiForm<types.NewDomain>({
    initialValues: { domain: '', role: 'member' },
    async submit(values) {
      await api.members.createDomain(values)
      close()
    },
  })
  return (
    <DialogForm form={form} action="Add" cancel={close} gap="sm">
      <TextInput
        label="Domain"
        description="The part after the @ in your email addresses"
        placeholder="example.com"
        required
        data-autofocus
        {...form.field('domain')}
      />
      <Select
        label="Role"
        data={domainRoles.filter((role) => canGive(me, role)).map((role) => ({ value: role, label: nameOf(role) }))}
        allowDeselect={false}
        value={form.values.role}
        onChange={(role) => form.set('role', role as types.NewDomain['role'])}
      />
    </DialogForm>
  )
}
