import type { api as types } from '@frontdesk/sdk'
import { Button, Drawer, Group, NumberInput, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { MissingRecord } from '../../data/missing-record.tsx'
import { isMissing } from '../../data/queries.ts'
import { useSession } from '../../data/session.tsx'
import { useApiForm } from '../../data/use-api-form.ts'
import { useRecord } from '../../data/use-records.ts'
import { askFirst } from '../../ui/ask-first.tsx'
import { ShownId } from '../../ui/facts.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { ChannelAddresses } from './channel-addresses.tsx'
import { ChatSide, VoiceSide } from './channel-sides.tsx'
import { type ChannelValues, changesOf, fieldOf, newChannelOf, valuesOf } from './channel-values.ts'

interface Props {
  id: string | null
  isNew: boolean
  canManage: boolean
  agents: types.Agent[]
  close(): void
  open(id: string): void
}

interface FormProps extends Props {
  channel?: types.Channel
  setDirty(isDirty: boolean): void
  setGoing(id: string | undefined): void
  cancel(): void
}

/** A channel, to add or to change, beside the list. */
export function ChannelDrawer(props: Props) {
  const { id, isNew, close } = props
  // Nobody asks once more for what is being deleted.
  const [goingId, setGoing] = useState<string>()
  const [isDirty, setDirty] = useState(false)
  const askedClose = () => {
    if (isDirty && !window.confirm('Close without saving? What you entered will be lost.')) return
    setDirty(false)
    close()
  }
  const inside = { ...props, setGoing, setDirty }
  return (
    <Drawer
      opened={isNew || id !== null}
      onClose={askedClose}
      position="right"
      size="lg"
      title={isNew ? 'Add a channel' : 'Channel'}
      keepMounted={false}
    >
      {isNew ? (
        <ChannelForm {...inside} cancel={askedClose} />
      ) : (
        id && id !== goingId && <Existing {...inside} cancel={askedClose} id={id} />
      )}
    </Drawer>
  )
}

function Existing(props: FormProps & { id: string }) {
  const { id } = props
  const { data, error, refetch } = useRecord(['channels', id], (signal) => api.channels.get(id, { signal }))
  if (isMissing(error)) return <MissingRecord what="channel" />
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  if (!data) return <Skeleton height={320} />
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="xs">
        <ShownId id={id} />
        <ApiRequest method="GET" path={`/channels/${id}`} />
      </Group>
      <ChannelForm key={data.id} {...props} channel={data} />
    </Stack>
  )
}

function ChannelForm({ channel, canManage, agents, close, open, setGoing, setDirty, cancel }: FormProps) {
  const queries = useQueryClient()
  const { mode } = useSession()
  const refresh = () => queries.invalidateQueries({ queryKey: [mode, 'channels'] })
  const form = useApiForm<ChannelValues>({
    initialValues: valuesOf(channel),
    fieldOf,
    async submit(values) {
      if (channel) await api.channels.update(channel.id, changesOf(values, channel))
      const saved = channel ?? (await api.channels.create(newChannelOf(values)))
      await refresh()
      notifications.show({ color: 'green', message: channel ? 'Saved' : `${saved.phone_number} is a channel now` })
      // What has to be entered elsewhere is shown next.
      if (!channel && saved.livemode) open(saved.id)
      else close()
    },
  })
  const { isDirty, reset } = form
  useEffect(() => setDirty(isDirty), [isDirty, setDirty])
  // What somebody else saves meanwhile is shown, unless one has begun to change it oneself.
  const savedAt = channel?.updated_at
  const shownAt = useRef(savedAt)
  useEffect(() => {
    if (shownAt.current === savedAt || isDirty) return
    shownAt.current = savedAt
    reset(valuesOf(channel))
  })
  const remove = (one: types.Channel) =>
    askFirst({
      title: `Delete ${one.display_name || one.phone_number}?`,
      consequence:
        'Its tokens are forgotten and its campaigns pause. Nobody is answered on this number any more. Conversations, calls and contacts stay.',
      action: 'Delete channel',
      ...(one.livemode && { typed: one.phone_number }),
      run: async () => {
        setGoing(one.id)
        await api.channels.delete(one.id).catch((problem) => {
          setGoing(undefined)
          throw problem
        })
        close()
        await refresh()
      },
    })
  return (
    <form onSubmit={form.onSubmit}>
      <fieldset disabled={!canManage} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
        <Stack gap="md">
          <TextInput
            label="Phone number"
            description="With its country: +1 415 555 0100"
            required
            inputMode="tel"
            {...form.field('phone_number')}
          />
          <TextInput label="Name" placeholder="Reception" {...form.field('display_name')} />
          <Select
            label="Who answers"
            description="An agent answers chats and calls that come in, until a person takes over"
            placeholder="People only"
            data={agents.map(({ id, name }) => ({ value: id, label: name }))}
            value={form.values.agent_id}
            onChange={(id) => form.set('agent_id', id)}
            error={form.errors.agent_id}
            clearable
            searchable
          />
          <NumberInput
            label="Messages a second"
            description="How fast campaigns send here: what the platform allows this number"
            min={1}
            max={1000}
            value={form.values.messages_per_second}
            onChange={(value) => form.set('messages_per_second', value)}
            error={form.errors.messages_per_second}
            styles={{ wrapper: { maxWidth: 160 } }}
          />
          <ChatSide form={form} channel={channel} />
          <VoiceSide form={form} channel={channel} />
          {channel && <ChannelAddresses channel={channel} />}
          <FormError form={form} />
          {canManage ? (
            <Group justify="space-between">
              {channel ? (
                <Button
                  variant="subtle"
                  color="red"
                  leftSection={<IconTrash size={16} />}
                  onClick={() => remove(channel)}
                >
                  Delete
                </Button>
              ) : (
                <span />
              )}
              <Group gap="xs">
                <Button variant="default" onClick={cancel}>
                  Cancel
                </Button>
                <Button type="submit" loading={form.isWorking} disabled={Boolean(channel) && !form.isDirty}>
                  {channel ? 'Save' : 'Add channel'}
                </Button>
              </Group>
            </Group>
          ) : (
            <Text size="sm" c="dimmed">
              Owners and admins can change it.
            </Text>
          )}
        </Stack>
      </fieldset>
    </form>
  )
}
