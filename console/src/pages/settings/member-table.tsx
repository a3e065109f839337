import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, Menu, Select, Table, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDots, IconUserMinus } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { mayManage, useMe, useSession } from '../../data/session.tsx'
import { askFirst } from '../../ui/ask-first.tsx'
import { errorText } from '../../ui/error-text.ts'
import { Moment } from '../../ui/moment.tsx'
import { RowSkeletons } from '../../ui/states.tsx'
import { nameOfRole, type Role, roles } from './roles.ts'

interface Props {
  members: types.Member[] | undefined
  refresh(): Promise<unknown>
}

export function MemberTable({ members, refresh }: Props) {
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Person</Table.Th>
          <Table.Th>Role</Table.Th>
          <Table.Th visibleFrom="sm">Joined</Table.Th>
          <Table.Th w={40}>
            <span className="sr-only">Actions</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {members?.map((member) => <Row key={member.id} member={member} refresh={refresh} />) ?? (
          <RowSkeletons columns={4} rows={3} />
        )}
      </Table.Tbody>
    </Table>
  )
}

function Row({ member, refresh }: { member: types.Member; refresh: Props['refresh'] }) {
  const me = useMe()
  const { enter } = useSession()
  const isMe = member.id === me.user?.id
  const name = member.name || member.email
  // Admins do not touch owners.
  const canManage = mayManage(me) && (member.role !== 'owner' || me.user?.role === 'owner')
  const remove = () =>
    askFirst({
      title: isMe ? `Leave ${me.organization.name}?` : `Remove ${name}?`,
      consequence: isMe
        ? 'You lose access at once, and your tasks are left without anybody. Only an invitation brings you back.'
        : `${name} is signed out of ${me.organization.name} within seconds, and their tasks are left without anybody. What they did stays. Only an invitation brings them back.`,
      action: isMe ? 'Leave' : 'Remove',
      run: async () => {
        await api.members.remove(member.id)
        if (isMe) await enter()
        else await refresh()
      },
    })
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm" fw={500}>
          <bdi>{name}</bdi>
          {isMe && ' (you)'}
        </Text>
        {member.name && (
          <Text size="xs" c="dimmed">
            {member.email}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{canManage ? <RoleSelect member={member} refresh={refresh} /> : nameOfRole(member.role)}</Table.Td>
      <Table.Td visibleFrom="sm">
        <Moment at={member.created_at} />
      </Table.Td>
      <Table.Td>
        {(canManage || isMe) && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${name}`}>
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item color="red" leftSection={<IconUserMinus size={14} />} onClick={remove}>
                {isMe ? 'Leave the organization' : 'Remove'}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

function RoleSelect({ member, refresh }: { member: types.Member; refresh: Props['refresh'] }) {
  const me = useMe()
  const { enter } = useSession()
  const [isWorking, setWorking] = useState(false)
  const name = member.name || member.email
  async function put(role: Role) {
    const { role: former } = member
    const change = async (to: Role) => {
      await api.members.update(member.id, { role: to })
      if (member.id === me.user?.id) await enter()
      await refresh()
    }
    setWorking(true)
    try {
      await change(role)
      notifications.show({
        color: 'green',
        message: `${name} is now ${nameOfRole(role).toLowerCase()}, and was ${nameOfRole(former).toLowerCase()}`,
      })
    } catch (problem) {
      notifications.show({ color: 'red', title: 'The role stays as it was', message: errorText(problem) })
    }
    setWorking(false)
  }
  return (
    <Select
      size="xs"
      w={120}
      aria-label={`Role of ${name}`}
      data={roles
        .filter(({ value }) => value !== 'owner' || me.user?.role === 'owner')
        .map(({ value, label }) => ({ value, label }))}
      value={member.role}
      onChange={(role) => role && role !== member.role && void put(role as Role)}
      allowDeselect={false}
      disabled={isWorking}
    />
  )
}
