import type { api as types } from '@frontdesk/sdk'
import { Modal, TextInput } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useApiForm } from '../../data/use-api-form.ts'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { AddressesField } from './addresses-field.tsx'

interface Props {
  apiKey: types.Key
  close(): void
  onSaved(): void
}

export function EditKeyForm({
  opened,
  apiKey,
  ...props
}: Omit<Props, 'apiKey'> & { opened: boolean; apiKey: types.Key | undefined }) {
  return (
    <Modal opened={opened} onClose={props.close} title={`Edit ${apiKey?.name}`}>
      {apiKey && <Form apiKey={apiKey} {...props} />}
    </Modal>
  )
}

function Form({ apiKey, close, onSaved }: Props) {
  const form = useApiForm({
    initialValues: { name: apiKey.name, allowed_ips: apiKey.allowed_ips ?? [] },
    async submit({ name, allowed_ips }) {
      await api.keys.update(apiKey.id, { name, allowed_ips: allowed_ips.length > 0 ? allowed_ips : null })
      onSaved()
    },
  })
  return (
    <DialogForm form={form} action="Save" cancel={close}>
      <TextInput label="Name" required {...form.field('name')} />
      <AddressesField {...form.control('allowed_ips')} value={form.values.allowed_ips} />
    </DialogForm>
  )
}
