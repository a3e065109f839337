import type { api as types } from '@frontdesk/sdk'
import { Alert, Anchor, Button, Modal, Select, Stack, Table, Text, Textarea, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPhoneOutgoing } from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router'
import { api } from '../../data/api.ts'
import { once } from '../../data/once.ts'
import { IfMay, useSession } from '../../data/session.tsx'
import { useApiForm } from '../../data/use-api-form.ts'
import { useRecord, useRefresh } from '../../data/use-records.ts'
import { FormError } from '../../ui/form-error.tsx'
import { VariableFields, variablesOf } from './variable-fields.tsx'

/** The contact to call. Without one, the form asks for a number. */
interface CallTarget {
  agentId?: string
  contact?: { id: string; name: string; phone_number: string }
}

/** Has an agent call a contact or a number. */
export function StartCall({
  label = 'Call a number',
  variant = 'default',
  size = 'sm',
  ...target
}: CallTarget & { label?: string; variant?: 'default' | 'filled'; size?: 'xs' | 'sm' }) {
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <IfMay scope="calls:dispatch">
        <Button variant={variant} size={size} leftSection={<IconPhoneOutgoing size={16} />} onClick={open}>
          {label}
        </Button>
      </IfMay>
      <Modal
        opened={isOpen}
        onClose={close}
        title={target.contact ? `Call ${target.contact.name || target.contact.phone_number}` : 'Call a number'}
      >
        <CallForm {...target} />
      </Modal>
    </>
  )
}

const magicNumbers = [
  ['0110', 'person who talks'],
  ['0111', 'no answer'],
  ['0112', 'busy'],
  ['0113', 'voicemail'],
  ['0114', 'hangs up after five seconds'],
  ['0115', 'interrupts the agent'],
  ['0116', 'carrier stops responding'],
] as const

function CallForm({ agentId, contact }: CallTarget) {
  const navigate = useNavigate()
  const refresh = useRefresh('calls')
  const { mode } = useSession()
  const { data: agents } = useRecord(['agents', 'to call'], (signal) =>
    api.agents.list({ is_active: 'active', limit: 100 }, { signal }),
  )
  const form = useApiForm({
    initialValues: {
      agent_id: agentId ?? '',
      to_number: mode === 'test' ? '+12025550110' : '',
      variables: {} as Record<string, string>,
      script: '',
    },
    check: (values): Record<string, string> => (values.agent_id ? {} : { agent_id: 'Choose an agent' }),
    async submit({ agent_id, to_number, variables, script }) {
      const lines = script.split('\n').filter((line) => line.trim() !== '')
      const request = {
        agent_id,
        ...(contact ? { contact_id: contact.id } : { to_number }),
        variables,
        ...(mode === 'test' && lines.length > 0 && { metadata: { caller_script: lines } }),
      }
      const call = await once('call', request, (idempotencyKey) => api.calls.create(request, { idempotencyKey }))
      void refresh()
      await navigate(`/calls/${call.id}`)
    },
    fieldOf: (loc) => (loc.includes('contact_id') ? undefined : loc[1]),
  })
  const { values, set } = form
  const known = agents?.data ?? []
  const agent: types.Agent | undefined = known.find(({ id }) => id === values.agent_id)
  const number = contact ? contact.phone_number : values.to_number
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <Stack gap="sm">
        {!agentId && (
          <Select
            label="Agent"
            data={known.map(({ id, name }) => ({ value: id, label: name }))}
            searchable
            placeholder="Choose an agent"
            value={values.agent_id || null}
            error={form.errors.agent_id}
            onChange={(id) => set('agent_id', id ?? '')}
          />
        )}
        {agents && known.length === 0 && (
          <Text size="sm">
            No active agents yet.{' '}
            <Anchor component={Link} to="/agents/new" size="sm">
              Create one
            </Anchor>
          </Text>
        )}
        {contact ? (
          <Text size="sm">{contact.phone_number}</Text>
        ) : (
          <TextInput
            label="Number"
            type="tel"
            placeholder="+12025550142"
            description="With country code"
            data-autofocus
            {...form.field('to_number')}
          />
        )}
        {agent && (
          <VariableFields
            names={variablesOf(agent)}
            values={values.variables}
            onChange={(variables) => set('variables', variables)}
          />
        )}
        {mode === 'test' ? (
          <>
            <Textarea
              label="Simulated caller’s lines"
              description="One line per turn. Leave empty for default questions"
              placeholder={'What are your opening hours?\nThank you, goodbye.'}
              autosize
              minRows={2}
              maxRows={8}
              {...form.field('script')}
            />
            {!contact && <MagicNumbers onChoose={(ending) => set('to_number', `+1202555${ending}`)} />}
          </>
        ) : (
          <Alert color="yellow" variant="light" py="xs">
            Live mode: this calls a real phone, and the carrier charges for it.
          </Alert>
        )}
        <FormError form={form} />
        <Button type="submit" loading={form.isWorking} leftSection={<IconPhoneOutgoing size={16} />}>
          {number ? `Call ${number} now` : 'Call now'}
        </Button>
      </Stack>
    </form>
  )
}

function MagicNumbers({ onChoose }: { onChoose(ending: string): void }) {
  return (
    <details>
      <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
        Test numbers
      </Text>
      <Table mt="xs" verticalSpacing={2}>
        <Table.Tbody>
          {magicNumbers.map(([ending, behaviour]) => (
            <Table.Tr key={ending}>
              <Table.Td w={70}>
                <Button
                  variant="subtle"
                  size="compact-xs"
                  onClick={() => onChoose(ending)}
                  aria-label={`Use a number that ends in ${ending}`}
                >
                  …{ending}
                </Button>
              </Table.Td>
              <Table.Td>{behaviour}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed">
        The last four digits decide who answers. A simulated person answers any other number. No real phone rings.
      </Text>
    </details>
  )
}
