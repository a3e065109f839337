import type { api as types } from '@frontdesk/sdk'
import { Button, Checkbox, Menu, Modal, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconLock, IconPlus, IconTrash } from '@tabler/icons-react'
import { api } from '../../data/api.ts'
import { may, useMe } from '../../data/session.tsx'
import { useApiForm } from '../../data/use-api-form.ts'
import { useRecord, useRefresh } from '../../data/use-records.ts'
import { askFirst } from '../../ui/ask-first.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import classes from './inbox.module.css'
import type { TicketFilters } from './tickets.ts'

/** Saved views: filters with a name, private or shared. */
export function SavedViews({ filters }: { filters: TicketFilters }) {
  const mayWrite = may(useMe(), 'inbox:write')
  const refresh = useRefresh('views')
  const [isSaving, saving] = useDisclosure()
  const views = useRecord(['views'], (signal) => api.inbox.listViews({ signal })).data?.data ?? []
  const current = views.find(({ id }) => id === filters.view)
  const remove = ({ id, name, shared }: types.InboxView) =>
    askFirst({
      title: `Delete the view ${name}?`,
      consequence: shared
        ? 'Everyone loses this view. Conversations are not affected.'
        : 'Conversations are not affected.',
      action: 'Delete view',
      run: async () => {
        await api.inbox.deleteView(id)
        filters.choose({})
        await refresh()
      },
    })
  if (views.length === 0 && !mayWrite) return null
  return (
    <>
      <Menu position="bottom-start" width={240}>
        <Menu.Target>
          <Button
            size="xs"
            variant={current ? 'light' : 'default'}
            rightSection={<IconChevronDown size={12} aria-hidden />}
            miw={0}
          >
            <bdi className={classes.viewName}>{current?.name ?? 'Views'}</bdi>
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={400} style={{ overflowY: 'auto' }}>
          {views.map(({ id, name, shared, filters: kept }) => (
            <Menu.Item
              key={id}
              onClick={() => filters.choose({ ...addressOf(kept), view: id })}
              rightSection={shared ? null : <IconLock size={12} aria-label="Private" />}
            >
              <bdi>{name}</bdi>
            </Menu.Item>
          ))}
          {views.length > 0 && mayWrite && <Menu.Divider />}
          {mayWrite && (
            <Menu.Item leftSection={<IconPlus size={14} />} onClick={saving.open}>
              Save current filters
            </Menu.Item>
          )}
          {mayWrite && current && (
            <Menu.Item leftSection={<IconTrash size={14} />} onClick={() => remove(current)}>
              Delete this view
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isSaving} onClose={saving.close} title="Save view">
        <SaveView
          kept={filters.kept}
          close={saving.close}
          onSaved={(id) => {
            saving.close()
            filters.set({ view: id })
            void refresh()
          }}
        />
      </Modal>
    </>
  )
}

/** The parameters of the page that stand for the filters of a view. */
const addressOf = ({
  queue,
  status,
  assignee_id,
  team_id,
  unread,
  ...others
}: types.ViewFilters): Record<string, string | undefined> => ({
  ...others,
  status: status ?? (queue ? undefined : 'all'),
  queue: queue === 'all' ? undefined : queue,
  assignee: assignee_id,
  team: team_id,
  unread: unread ? 'true' : undefined,
})

function SaveView({ kept, close, onSaved }: { kept: types.ViewFilters; close(): void; onSaved(id: string): void }) {
  const form = useApiForm<{ name: string; shared: boolean }>({
    initialValues: { name: '', shared: false },
    submit: async ({ name, shared }) => onSaved((await api.inbox.createView({ name, shared, filters: kept })).id),
  })
  return (
    <DialogForm form={form} action="Save view" cancel={close}>
      <TextInput label="Name" placeholder="Billing, longest wait" required data-autofocus {...form.field('name')} />
      <Checkbox
        label="Share with all members"
        checked={form.values.shared}
        onChange={({ currentTarget }) => form.set('shared', currentTarget.checked)}
      />
    </DialogForm>
  )
}
