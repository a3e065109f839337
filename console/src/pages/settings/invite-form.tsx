import type { api as types } from '@frontdesk/sdk'
import { Modal, Radio, Stack, TextInput } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useMe } from '../../data/session.tsx'
import { useApiForm } from '../../data/use-api-form.ts'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { AccessFields, type AccessValues, accessOf, accessValues, seesEverything } from './access-fields.tsx'
import { useRoles } from './roles.ts'

interface Props {
  close(): void
  onInvited(invitation: types.InvitationWithLink): void
}

export function InviteForm({ opened, ...props }: Props & { opened: boolean }) {
  return (
    <Modal opened={opened} onClose={props.close} title="Invite a member" centered>
      <Form {...props} />
    </Modal>
  )
}

function Form({ close, onInvited }: Props) {
  const me = useMe()
  const { roles, canGive } = useRoles()
  const form = useApiForm<{ email: string; role: string } & AccessValues>({
    initialValues: { email: '', role: 'member', ...accessValues(null) },
    submit: async ({ email, role, ...values }) => {
      const access = seesEverything(role) ? null : accessOf(values)
      onInvited(await api.members.createInvitation({ email, role, ...(access && { access }) }))
    },
  })
  return (
    <DialogForm form={form} action="Create link" cancel={close}>
      <TextInput label="Email" type="email" required data-autofocus autoComplete="off" {...form.field('email')} />
      <Radio.Group
        label="Role"
        value={form.values.role}
        onChange={(role) => form.set('role', role)}
        error={form.errors.role}
      >
        <Stack gap={6} mt={6}>
          {roles
            .filter(({ value }) => canGive(me, value))
            .map(({ value, label, words }) => (
              <Radio key={value} value={value} label={label} description={words} />
            ))}
        </Stack>
      </Radio.Group>
      {!seesEverything(form.values.role) && (
        <AccessFields values={form.values} errors={form.errors} onChange={form.set} />
      )}
    </DialogForm>
  )
}
