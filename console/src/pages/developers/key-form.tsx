import type { api as types } from '@frontdesk/sdk'
import { Modal, Radio, Select, Stack, TextInput } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useSession } from '../../data/session.tsx'
import { useApiForm } from '../../data/use-api-form.ts'
import { ScopePicker } from '../../records/scopes/scope-picker.tsx'
import type { Scope } from '../../records/scopes/scopes.ts'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { AddressesField } from './addresses-field.tsx'

const lifetimes = [
  { value: '', label: 'Never' },
  { value: '1', label: 'In a day' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

interface Values {
  name: string
  mode: 'test' | 'live'
  scopes: Scope[]
  expires_at: string
  allowed_ips: string[]
}

export function KeyForm({
  opened,
  close,
  onMade,
}: {
  opened: boolean
  close(): void
  onMade(key: types.KeyWithSecret): void
}) {
  return (
    <Modal opened={opened} onClose={close} title="New key" size="lg">
      <Form close={close} onMade={onMade} />
    </Modal>
  )
}

function Form({ close, onMade }: { close(): void; onMade(key: types.KeyWithSecret): void }) {
  const { mode } = useSession()
  const form = useApiForm<Values>({
    initialValues: { name: '', mode, scopes: [], expires_at: '', allowed_ips: [] },
    async submit({ expires_at, allowed_ips, ...values }) {
      onMade(
        await api.keys.create({
          ...values,
          ...(allowed_ips.length > 0 && { allowed_ips }),
          ...(expires_at && { expires_at: inDays(Number(expires_at)) }),
        }),
      )
    },
  })
  return (
    <DialogForm form={form} action="Create key" cancel={close}>
      <TextInput
        label="Name"
        description="Where the key is used"
        placeholder="CRM sync"
        required
        data-autofocus
        {...form.field('name')}
      />
      <Radio.Group label="Mode" value={form.values.mode} onChange={(value) => form.set('mode', value as 'test')}>
        <Stack gap={6} mt={6}>
          <Radio
            value="test"
            label="Test"
            description="Simulated people and carriers. Messages and calls stay on this machine"
          />
          <Radio value="live" label="Live" description="Real messages and calls, with real costs" />
        </Stack>
      </Radio.Group>
      <ScopePicker
        value={form.values.scopes}
        error={form.errors.scopes && 'Choose at least one permission'}
        onChange={(scopes) => form.set('scopes', scopes)}
      />
      <Select
        label="Expires"
        data={lifetimes}
        allowDeselect={false}
        {...form.control('expires_at')}
        value={form.values.expires_at}
      />
      <AddressesField {...form.control('allowed_ips')} value={form.values.allowed_ips} />
    </DialogForm>
  )
}
