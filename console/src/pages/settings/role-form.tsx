import type { api as types } from '@frontdesk/sdk'
import { Input, Modal, TextInput } from '@mantine/core'
import { api } from '../../data/api.ts'
import { may, useMe } from '../../data/session.tsx'
import { useApiForm } from '../../data/use-api-form.ts'
import { ScopeBoxes } from '../../records/scopes/scope-picker.tsx'
import type { Scope } from '../../records/scopes/scopes.ts'
import { DialogForm } from '../../ui/dialog-form.tsx'

interface Props {
  /** Undefined for a new role. */
  role: types.CustomRole | undefined
  close(): void
  onSaved(): void
}

export function RoleForm({ opened, ...props }: Props & { opened: boolean }) {
  return (
    <Modal opened={opened} onClose={props.close} title={props.role ? `Edit ${props.role.name}` : 'New role'} size="lg">
      <Form {...props} />
    </Modal>
  )
}

function Form({ role, close, onSaved }: Props) {
  const me = useMe()
  const form = useApiForm<{ name: string; scopes: Scope[] }>({
    initialValues: { name: role?.name ?? '', scopes: role?.scopes ?? [] },
    async submit({ name, scopes }) {
      const values = { name, scopes: scopes as types.NewRole['scopes'] }
      await (role ? api.roles.update(role.id, values) : api.roles.create(values))
      onSaved()
    },
  })
  return (
    <DialogForm form={form} action={role ? 'Save' : 'Create role'} cancel={close}>
      <TextInput label="Name" placeholder="Night shift" required data-autofocus {...form.field('name')} />
      <Input.Wrapper
        label="Permissions"
        description="You can grant only permissions that you have"
        error={form.errors.scopes && 'Choose at least one permission'}
        labelElement="div"
      >
        <div style={{ marginTop: 8 }}>
          <ScopeBoxes
            value={form.values.scopes}
            canGive={(scope) => may(me, scope)}
            onChange={(scopes) => form.set('scopes', scopes)}
          />
        </div>
      </Input.Wrapper>
    </DialogForm>
  )
}
