import type { api as types } from '@frontdesk/sdk'
import { Modal } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useApiForm } from '../../data/use-api-form.ts'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { useLast } from '../../ui/use-last.ts'
import { AccessFields, accessOf, accessValues } from './access-fields.tsx'

interface Props {
  member: types.Member
  close(): void
  onSaved(): void
}

export function AccessForm({ member, ...props }: Omit<Props, 'member'> & { member: types.Member | undefined }) {
  const shown = useLast(member)
  return (
    <Modal opened={member !== undefined} onClose={props.close} title={`Access for ${shown?.name || shown?.email}`}>
      {shown && <Form member={shown} {...props} />}
    </Modal>
  )
}

function Form({ member, close, onSaved }: Props) {
  const form = useApiForm({
    initialValues: accessValues(member.access),
    async submit(values) {
      const access = accessOf(values)
      if (access) await api.members.putAccess(member.id, access)
      else await api.members.deleteAccess(member.id)
      onSaved()
    },
  })
  return (
    <DialogForm form={form} action="Save" cancel={close}>
      <AccessFields values={form.values} errors={form.errors} onChange={form.set} />
    </DialogForm>
  )
}
