import type { api as types } from '@frontdesk/sdk'
import { MultiSelect, Radio, Stack, Text } from '@mantine/core'
import { useSession } from '../../data/session.tsx'
import { channelChoices, useChannels } from '../../records/channels/use-channels.ts'
import { useTeams } from '../../records/teams/use-teams.ts'

export interface AccessValues {
  sees: string
  channel_ids: string[]
  team_ids: string[]
}

/** Roles whose access cannot be limited. */
export const seesEverything = (role: string): boolean => role === 'owner' || role === 'admin'

/** What a form starts with. */
export const accessValues = (access: types.Access | null | undefined): AccessValues => ({
  sees: access ? 'some' : 'all',
  channel_ids: access?.channel_ids ?? [],
  team_ids: access?.team_ids ?? [],
})

/** Null for all conversations. */
export const accessOf = ({ sees, channel_ids, team_ids }: AccessValues): types.Access | null =>
  sees === 'some' ? { channel_ids, team_ids } : null

/** Which conversations a member sees. */
export function AccessFields({
  values: { sees, channel_ids, team_ids },
  errors,
  onChange,
}: {
  values: AccessValues
  errors: Partial<Record<'channel_ids' | 'team_ids', string>>
  onChange<Name extends keyof AccessValues>(name: Name, value: AccessValues[Name]): void
}) {
  const { channels = [] } = useChannels()
  const { teams = [] } = useTeams()
  const { mode } = useSession()
  return (
    <>
      <Radio.Group
        label="Conversations"
        description="Contacts, tasks and campaigns stay visible to every member"
        value={sees}
        onChange={(value) => onChange('sees', value)}
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
            description={`The limit applies to both modes. To choose the channels of ${mode === 'test' ? 'live' : 'test'} mode, switch to it`}
            searchable
            data={channelChoices(channels)}
            value={channel_ids}
            error={errors.channel_ids}
            onChange={(ids) => onChange('channel_ids', ids)}
          />
          <MultiSelect
            label="Teams"
            searchable
            data={teams.map(({ id, name }) => ({ value: id, label: name }))}
            value={team_ids}
            error={errors.team_ids}
            onChange={(ids) => onChange('team_ids', ids)}
          />
          <Text size="sm" c="dimmed">
            Members with limited access cannot manage members or webhooks, whatever their role.
          </Text>
        </>
      )}
    </>
  )
}
