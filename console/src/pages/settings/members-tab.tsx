import type { api as types } from '@frontdesk/sdk'
import { Button, Group, Stack, Text } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { ApiRequest } from '../../data/api-request.tsx'
import { may, useMe } from '../../data/session.tsx'
import { useRefresh } from '../../data/use-records.ts'
import { SecretOnce } from '../../ui/secret-once.tsx'
import { useLast } from '../../ui/use-last.ts'
import { DomainList } from './domain-list.tsx'
import { InvitationList } from './invitation-list.tsx'
import { InviteForm } from './invite-form.tsx'
import { MemberList } from './member-list.tsx'

export function MembersTab() {
  const me = useMe()
  const refresh = useRefresh('members', 'invitations')
  const [parameters, setParameters] = useSearchParams()
  const [invited, setInvited] = useState<types.InvitationWithLink>()
  const shown = useLast(invited)
  const canManage = may(me, 'members:manage')
  const onInvited = (invitation: types.InvitationWithLink) => {
    setParameters({})
    setInvited(invitation)
    void refresh()
  }
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          Members of {me.organization.name}. They have access to test and live mode.
        </Text>
        <Group gap="xs">
          <ApiRequest method="GET" path="/members" />
          {canManage && (
            <Button leftSection={<IconUserPlus size={16} />} onClick={() => setParameters({ new: 'invitation' })}>
              Invite a member
            </Button>
          )}
        </Group>
      </Group>
      <MemberList refresh={refresh} />
      {canManage && <InvitationList onInvited={onInvited} refresh={refresh} />}
      {canManage && <DomainList />}
      <InviteForm
        opened={canManage && parameters.get('new') === 'invitation'}
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
          The link works once, for seven days.{' '}
          {shown?.mail_status
            ? 'It is also being emailed.'
            : 'This installation sends no email, so share the link yourself.'}
        </Text>
      </SecretOnce>
    </Stack>
  )
}
