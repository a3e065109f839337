import type { api as types } from '@frontdesk/sdk'
import { Button, Group, Title } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useCursorList } from '../../data/use-records.ts'
import { askFirst } from '../../ui/ask-first.tsx'
import { Moment } from '../../ui/moment.tsx'
import { RecordList } from '../../ui/record-list.tsx'
import { useRoles } from './roles.ts'

const mailStatus = (status: types.Invitation['mail_status']) =>
  status === null ? 'No' : { queued: 'Sending', sent: 'Yes', failed: 'Failed', unknown: 'Not confirmed' }[status]

/** Invitations that have not been accepted. */
export function InvitationList({
  onInvited,
  refresh,
}: {
  onInvited(invitation: types.InvitationWithLink): void
  refresh(): Promise<unknown>
}) {
  const { nameOf } = useRoles()
  const list = useCursorList(
    ['invitations'],
    (starting_after, signal) =>
      api.members.listInvitations({ limit: 50, ...(starting_after && { starting_after }) }, { signal }),
    // Joining makes no event, so the list is polled.
    { refetchInterval: 5_000 },
  )
  if (!list.error && list.rows.length === 0) return null

  const renew = ({ id, email, role, access }: types.Invitation) =>
    askFirst({
      title: `Create a new link for ${email}?`,
      consequence: 'The previous link stops working. The new one works for seven days.',
      action: 'Create link',
      isHarmless: true,
      run: async () => {
        await api.members.deleteInvitation(id)
        onInvited(await api.members.createInvitation({ email, role, ...(access && { access }) }))
      },
    })
  const withdraw = ({ id, email }: types.Invitation) =>
    askFirst({
      title: `Withdraw the invitation for ${email}?`,
      consequence: 'The link stops working immediately.',
      action: 'Withdraw',
      run: async () => {
        await api.members.deleteInvitation(id)
        await refresh()
      },
    })
  return (
    <div>
      <Title order={2} mb="xs">
        Pending invitations
      </Title>
      <RecordList
        list={list}
        empty={{ title: 'No pending invitations' }}
        paging={list.hasNextPage ? undefined : null}
        columns={[
          { label: 'Email', cell: ({ email }) => email },
          { label: 'Role', from: 'sm', cell: ({ role }) => nameOf(role), below: ({ role }) => nameOf(role) },
          { label: 'Email sent', from: 'md', cell: ({ mail_status }) => mailStatus(mail_status) },
          {
            label: 'Expires',
            from: 'sm',
            cell: ({ expires_at }) => <Moment at={expires_at} />,
            below: ({ expires_at }) => (
              <>
                Expires <Moment at={expires_at} />
              </>
            ),
          },
          {
            label: 'Actions',
            isLabelHidden: true,
            align: 'right',
            cell: (invitation) => (
              <Group gap="xs" justify="flex-end">
                <Button size="compact-sm" variant="default" onClick={() => renew(invitation)}>
                  New link
                </Button>
                <Button size="compact-sm" variant="default" onClick={() => withdraw(invitation)}>
                  Withdraw
                </Button>
              </Group>
            ),
          },
        ]}
      />
    </div>
  )
}
