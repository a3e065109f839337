import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, Menu, Select, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDots, IconEye, IconUserMinus } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { useMe, useSession } from '../../data/session.tsx'
import { useCursorList } from '../../data/use-records.ts'
import { askFirst } from '../../ui/ask-first.tsx'
import { errorText } from '../../ui/error-text.ts'
import { Moment } from '../../ui/moment.tsx'
import { RecordList } from '../../ui/record-list.tsx'
import { showDone } from '../../ui/undo.tsx'
import { seesEverything } from './access-fields.tsx'
import { AccessForm } from './access-form.tsx'
import { useRoles } from './roles.ts'

interface Props {
  member: types.Member
  refresh(): Promise<unknown>
}

export function MemberList({ refresh }: Pick<Props, 'refresh'>) {
  const list = useCursorList(
    ['members'],
    (starting_after, signal) => api.members.list({ limit: 50, ...(starting_after && { starting_after }) }, { signal }),
    // Joining makes no event, so the list is polled.
    { refetchInterval: 5_000 },
  )
  const me = useMe()
  const { canGive, nameOf } = useRoles()
  const [edited, setEdited] = useState<types.Member>()
  return (
    <>
      <RecordList
        list={list}
        empty={{ title: 'No members yet' }}
        skeletons={3}
        paging={list.hasNextPage ? undefined : null}
        columns={[
          {
            label: 'Member',
            cell: ({ id, name, email }) => (
              <>
                <Text size="sm" fw={500}>
                  <bdi>{name || email}</bdi>
                  {id === me.user?.id && ' (you)'}
                </Text>
                {name && (
                  <Text size="xs" c="dimmed">
                    {email}
                  </Text>
                )}
              </>
            ),
          },
          {
            label: 'Role',
            cell: (member) =>
              canGive(me, member.role) ? <RoleSelect member={member} refresh={refresh} /> : nameOf(member.role),
          },
          { label: 'Access', from: 'sm', cell: ({ access }) => <AccessText access={access} /> },
          { label: 'Joined', from: 'sm', cell: ({ created_at }) => <Moment at={created_at} /> },
          {
            label: 'Actions',
            isLabelHidden: true,
            align: 'right',
            cell: (member) => <MemberMenu member={member} refresh={refresh} editAccess={() => setEdited(member)} />,
          },
        ]}
      />
      <AccessForm
        member={edited}
        close={() => setEdited(undefined)}
        onSaved={() => {
          setEdited(undefined)
          void refresh()
        }}
      />
    </>
  )
}

function AccessText({ access }: Pick<types.Member, 'access'>) {
  if (!access) return 'Everything'
  const { channel_ids, team_ids } = access
  const parts = [count(channel_ids, 'channel'), count(team_ids, 'team')].filter(Boolean)
  return parts.join(', ') || 'Assigned only'
}

const count = ({ length }: string[], noun: string) => length > 0 && `${length} ${noun}${length === 1 ? '' : 's'}`

function MemberMenu({ member, refresh, editAccess }: Props & { editAccess(): void }) {
  const me = useMe()
  const { canGive } = useRoles()
  const { enter } = useSession()
  const isMe = member.id === me.user?.id
  const name = member.name || member.email
  if (!canGive(me, member.role) && !isMe) return null
  const remove = () =>
    askFirst({
      title: isMe ? `Leave ${me.organization.name}?` : `Remove ${name}?`,
      consequence: isMe
        ? 'You lose access immediately and your tasks become unassigned. To return, you need a new invitation.'
        : `${name} is signed out of ${me.organization.name} within seconds and their tasks become unassigned. Their past activity is kept. To return, they need a new invitation.`,
      action: isMe ? 'Leave' : 'Remove',
      run: async () => {
        await api.members.remove(member.id)
        if (isMe) await enter()
        else await refresh()
      },
    })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {canGive(me, member.role) && !seesEverything(member.role) && (
          <Menu.Item leftSection={<IconEye size={14} />} onClick={editAccess}>
            Edit access
          </Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<IconUserMinus size={14} />} onClick={remove}>
          {isMe ? 'Leave organization' : 'Remove'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function RoleSelect({ member, refresh }: Props) {
  const me = useMe()
  const { roles, canGive, nameOf } = useRoles()
  const { enter } = useSession()
  const [isWorking, setWorking] = useState(false)
  const name = member.name || member.email
  async function put(role: string) {
    const { role: former } = member
    const change = async (to: string) => {
      await api.members.update(member.id, { role: to })
      if (member.id === me.user?.id) await enter()
      await refresh()
    }
    setWorking(true)
    try {
      await change(role)
      showDone(`Changed ${name}’s role from ${nameOf(former)} to ${nameOf(role)}`)
    } catch (problem) {
      notifications.show({ color: 'red', title: 'Could not change the role', message: errorText(problem) })
    }
    setWorking(false)
  }
  return (
    <Select
      size="xs"
      w={140}
      aria-label={`Role of ${name}`}
      data={roles.filter(({ value }) => canGive(me, value)).map(({ value, label }) => ({ value, label }))}
      value={member.role}
      onChange={(role) => role && role !== member.role && void put(role)}
      allowDeselect={false}
      disabled={isWorking}
    />
  )
}
