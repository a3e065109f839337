import type { api as types } from '@frontdesk/sdk'
import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { mayManage, useMe, useSession } from '../../data/session.tsx'
import { useCursorList } from '../../data/use-records.ts'
import { MoreOf } from '../../ui/more-button.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { useLast } from '../../ui/use-last.ts'
import { InvitationTable } from './invitation-table.tsx'
import { InviteForm } from './invite-form.tsx'
import { MemberTable } from './member-table.tsx'
import { roles } from './roles.ts'

export function MembersTab() {
  const me = useMe()
  const { mode } = useSession()
  const queries = useQueryClient()
  const [parameters, setParameters] = useSearchParams()
  const [invited, setInvited] = useState<types.InvitationWithLink>()
  const shown = useLast(invited)
  const canManage = mayManage(me)
  const members = useCursorList(
    ['members'],
    (starting_after, signal) => api.members.list({ limit: 50, ...(starting_after && { starting_after }) }, { signal }),
    // No event tells of people who join.
    { refetchInterval: 5_000 },
  )
  const refresh = () =>
    Promise.all(['members', 'invitations'].map((noun) => queries.invalidateQueries({ queryKey: [mode, noun] })))
  const onInvited = (invitation: types.InvitationWithLink) => {
    setParameters({})
    setInvited(invitation)
    void refresh()
  }
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          People of {me.organization.name}, in test and live mode alike.
        </Text>
        <Group gap="xs">
          <ApiRequest method="GET" path="/members" />
          {canManage && (
            <Button leftSection={<IconUserPlus size={16} />} onClick={() => setParameters({ new: 'invitation' })}>
              Invite somebody
            </Button>
          )}
        </Group>
      </Group>
      {members.error && !members.data ? (
        <ErrorState error={members.error} retry={members.refetch} />
      ) : (
        <div>
          <MemberTable members={members.data && members.rows} refresh={refresh} />
          {members.hasNextPage && <MoreOf list={members} />}
        </div>
      )}
      {canManage && <InvitationTable onInvited={onInvited} refresh={refresh} />}
      <Card withBorder maw={860}>
        <Title order={2} mb="xs">
          What the roles may do
        </Title>
        <Stack gap={4} component="dl" m={0}>
          {roles.map(({ value, label, words }) => (
            <Group key={value} gap="sm" wrap="nowrap" align="flex-start">
              <Text component="dt" size="sm" fw={600} w={70} style={{ flex: 'none' }}>
                {label}
              </Text>
              <Text component="dd" size="sm" m={0}>
                {words}
              </Text>
            </Group>
          ))}
        </Stack>
      </Card>
      <InviteForm
        opened={canManage && parameters.get('new') === 'invitation'}
        canMakeOwners={me.user?.role === 'owner'}
        close={() => setParameters({})}
        onInvited={onInvited}
      />
      <SecretOnce
        title={`Send this link to ${shown?.email}`}
        what="link"
        secret={invited ? invited.link : undefined}
        onStored={() => setInvited(undefined)}
      >
        <Text size="sm" c="dimmed">
          Whoever opens it first joins, within seven days. Frontdesk sends no e-mail itself.
        </Text>
      </SecretOnce>
    </Stack>
  )
}
