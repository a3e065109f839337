import type { api as types } from '@frontdesk/sdk'
import { Button, Group, Table, Text, Title } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useCursorList } from '../../data/use-records.ts'
import { askFirst } from '../../ui/ask-first.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { nameOfRole } from './roles.ts'

/** Invitations that nobody has accepted yet. */
export function InvitationTable({
  onInvited,
  refresh,
}: {
  onInvited(invitation: types.InvitationWithLink): void
  refresh(): Promise<unknown>
}) {
  const list = useCursorList(
    ['invitations'],
    (starting_after, signal) =>
      api.members.listInvitations({ limit: 50, ...(starting_after && { starting_after }) }, { signal }),
    // No event tells of people who join.
    { refetchInterval: 5_000 },
  )
  if (list.error && !list.data) return <ErrorState error={list.error} retry={list.refetch} />
  if (list.rows.length === 0) return null

  const renew = ({ id, email, role }: types.Invitation) =>
    askFirst({
      title: `A new link for ${email}?`,
      consequence: 'The link that you sent before stops working. The new one works for seven days.',
      action: 'Make a new link',
      isHarmless: true,
      run: async () => {
        await api.members.deleteInvitation(id)
        onInvited(await api.members.createInvitation({ email, role }))
      },
    })
  const withdraw = ({ id, email }: types.Invitation) =>
    askFirst({
      title: `Withdraw the invitation of ${email}?`,
      consequence: 'The link stops working at once.',
      action: 'Withdraw',
      run: async () => {
        await api.members.deleteInvitation(id)
        await refresh()
      },
    })
  return (
    <div>
      <Title order={2} mb="xs">
        Invited, not here yet
      </Title>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>E-mail</Table.Th>
            <Table.Th visibleFrom="sm">Role</Table.Th>
            <Table.Th visibleFrom="sm">Link works until</Table.Th>
            <Table.Th>
              <span className="sr-only">Actions</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {list.rows.map((invitation) => (
            <Table.Tr key={invitation.id}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {invitation.email}
                <Text size="xs" c="dimmed" hiddenFrom="sm">
                  {nameOfRole(invitation.role)}, until <Moment at={invitation.expires_at} />
                </Text>
              </Table.Td>
              <Table.Td visibleFrom="sm">{nameOfRole(invitation.role)}</Table.Td>
              <Table.Td visibleFrom="sm">
                <Moment at={invitation.expires_at} />
              </Table.Td>
              <Table.Td>
                <Group gap="xs" justify="flex-end">
                  <Button size="compact-sm" variant="default" onClick={() => renew(invitation)}>
                    New link
                  </Button>
                  <Button size="compact-sm" variant="default" onClick={() => withdraw(invitation)}>
                    Withdraw
                  </Button>
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
