import type { api as types } from '@frontdesk/sdk'
import { Modal, MultiSelect, Radio, Stack, Text } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useSession } from '../../data/session.tsx'
import { useApiForm } from '../../data/use-api-form.ts'
import { useChannels } from '../../records/channels/use-channels.ts'
import { useTeams } from '../../records/teams/use-teams.ts'
import { FormButtons } from '../../ui/form-buttons.tsx'
import { useLast } from '../../ui/use-last.ts'

interface Props {
  member: types.Member
  close(): void
  onSaved(): void
}

export function AccessForm({ member, ...props }: Omit<Props, 'member'> & { member: types.Member | undefined }) {
  const shown = useLast(member)
  return (
    <Modal opened={member !== undefined} onClose={props.close} title={`Access of ${shown?.name || shown?.email}`}>
      {shown && <Form member={shown} {...props} />}
    </Modal>
  )
}

function Form({ member, close, onSaved }: Props) {
  const { channels = [] } = useChannels()
  const { teams = [] } = useTeams()
  const { mode } = useSession()
  const form = useApiForm({
    initialValues: {
      sees: member.access ? 'some' : 'all',
      channel_ids: member.access?.channel_ids ?? [],
      team_ids: member.access?.team_ids ?? [],
    },
    async submit({ sees, ...access }) {
      if (sees === 'some') await api.members.putAccess(member.id, access)
      else await api.members.deleteAccess(member.id)
      onSaved()
    },
  })
  const { sees, channel_ids, team_ids } = form.values
  return (
    <form onSubmit={form.onSubmit}>
      <Stack gap="md">
        <Radio.Group
          label="Conversations"
          description="Contacts, tasks and campaigns stay visible to every member"
          value={sees}
          onChange={(value) => form.set('sees', value)}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="all" label="Everything" />
            <Radio value="some" label="Some channels and teams, and what is assigned to the member" />
          </Stack>
        </Radio.Group>
        {sees === 'some' && (
          <>
            <MultiSelect
              label={mode === 'test' ? 'Channels in test mode' : 'Channels in live mode'}
              description={`The limit holds in both modes. To choose the channels of ${mode === 'test' ? 'live' : 'test'} mode, switch to it`}
              searchable
              data={channels.map(({ id, display_name, phone_number }) => ({
                value: id,
                label: display_name ? `${display_name} (${phone_number})` : phone_number,
              }))}
              value={channel_ids}
              error={form.errors.channel_ids}
              onChange={(ids) => form.set('channel_ids', ids)}
            />
            <MultiSelect
              label="Teams"
              searchable
              data={teams.map(({ id, name }) => ({ value: id, label: name }))}
              value={team_ids}
              error={form.errors.team_ids}
              onChange={(ids) => form.set('team_ids', ids)}
            />
            <Text size="sm" c="dimmed">
              Members with limited access cannot manage members or webhooks, whatever their role.
            </Text>
          </>
        )}
        <FormButtons form={form} action="Save" cancel={close} />
      </Stack>
    </form>
  )
}
