import type { api as types } from '@frontdesk/sdk'
import { Badge, Button, Card, Group, Text, Title } from '@mantine/core'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { useCursorList } from '../../data/use-records.ts'
import { askFirst } from '../../ui/ask-first.tsx'
import { Moment } from '../../ui/moment.tsx'
import { RecordList } from '../../ui/record-list.tsx'
import { deviceName } from './device-name.ts'

/** Where the member is signed in. */
export function SessionsCard() {
  const list = useCursorList(['sessions'], (starting_after, signal) =>
    api.signIn.listSessions({ limit: 20, ...(starting_after && { starting_after }) }, { signal }),
  )
  const endOthers = () =>
    askFirst({
      title: 'Sign out everywhere else?',
      consequence: 'All your other sessions end immediately. You stay signed in here.',
      action: 'Sign out everywhere else',
      run: async () => {
        await api.signIn.endOtherSessions()
        await list.refetch()
      },
      done: 'Signed out everywhere else',
    })
  const end = ({ id, user_agent }: types.Session) =>
    askFirst({
      title: `Sign out ${deviceName(user_agent)}?`,
      consequence: 'The session ends immediately.',
      action: 'Sign out',
      run: async () => {
        await api.signIn.endSession(id)
        await list.refetch()
      },
    })
  return (
    <Card withBorder>
      <Group justify="space-between" mb={4}>
        <Title order={2}>Sessions</Title>
        <ApiRequest method="GET" path="/auth/sessions" />
      </Group>
      <Text size="sm" c="dimmed" mb="xs">
        Where you are signed in. Sign out sessions that you do not recognize, then change your password.
      </Text>
      <RecordList
        list={list}
        empty={{ title: 'No sessions', text: 'You signed in with single sign-on.' }}
        isNarrow
        skeletons={2}
        paging={list.hasNextPage ? undefined : null}
        columns={[
          {
            label: 'Device',
            cell: ({ user_agent, ip_address, is_current }) => (
              <>
                <Group gap="xs">
                  <Text size="sm" fw={500}>
                    {deviceName(user_agent)}
                  </Text>
                  {is_current && (
                    <Badge variant="light" size="sm" tt="none">
                      This session
                    </Badge>
                  )}
                </Group>
                <Text size="xs" c="dimmed">
                  {ip_address}
                </Text>
              </>
            ),
          },
          { label: 'Last used', noWrap: true, cell: ({ last_used_at }) => <Moment at={last_used_at} /> },
          {
            label: 'Actions',
            isLabelHidden: true,
            align: 'right',
            cell: (session) =>
              !session.is_current && (
                <Button size="compact-sm" variant="default" onClick={() => end(session)}>
                  Sign out
                </Button>
              ),
          },
        ]}
      />
      {list.rows.length > 1 && (
        <Group mt="sm">
          <Button variant="default" onClick={endOthers}>
            Sign out everywhere else
          </Button>
        </Group>
      )}
    </Card>
  )
}
