import type { api as types } from '@frontdesk/sdk'
import { Button, Drawer, Group, NumberInput, Select, Skeleton, Stack, Switch, Text, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { MissingRecord } from '../../data/missing-record.tsx'
import { isMissing } from '../../data/queries.ts'
import { useApiForm } from '../../data/use-api-form.ts'
import { useRecord, useRefresh } from '../../data/use-records.ts'
import { askFirst } from '../../ui/ask-first.tsx'
import { ShownId } from '../../ui/facts.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { showDone } from '../../ui/undo.tsx'
import { AppData } from './app-data.tsx'
import { ChannelAddresses } from './channel-addresses.tsx'
import { ChannelHealth } from './channel-health.tsx'
import { ChatSide, VoiceSide } from './channel-sides.tsx'
import { ChannelState } from './channel-state.tsx'
import { type ChannelValues, changesOf, fieldOf, newChannelOf, valuesOf } from './channel-values.ts'
import { ChatApiVersion } from './chat-api-version.tsx'

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

/** Adds or edits a channel. */
export function ChannelDrawer(props: Props) {
  const { id, isNew, close } = props
  // While the channel is being deleted it is not requested again.
  const [goingId, setGoing] = useState<string>()
  const [isDirty, setDirty] = useState(false)
  const askedClose = () => {
    if (isDirty && !window.confirm('Close without saving? Your changes will be lost.')) return
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
      title={isNew ? 'New channel' : 'Channel'}
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
  if (isMissing(error)) return <MissingRecord what="Channel" />
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  if (!data) return <Skeleton height={320} />
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="xs">
        <ShownId id={id} />
        <ApiRequest method="GET" path={`/channels/${id}`} />
      </Group>
      <ChannelState channel={data} />
      {data.livemode && data.chat && <ChatApiVersion />}
      {(!data.livemode || data.chat) && <ChannelHealth channel={data} />}
      {data.coexistence && props.canManage && <AppData channel={data} />}
      <ChannelForm key={data.id} {...props} channel={data} />
    </Stack>
  )
}

function ChannelForm({ channel, canManage, agents, close, open, setGoing, setDirty, cancel }: FormProps) {
  const refresh = useRefresh('channels')
  const form = useApiForm<ChannelValues>({
    initialValues: valuesOf(channel),
    fieldOf,
    async submit(values) {
      if (channel) await api.channels.update(channel.id, changesOf(values, channel))
      const saved = channel ?? (await api.channels.create(newChannelOf(values)))
      await refresh()
      showDone(channel ? 'Saved' : `Added ${saved.phone_number}`)
      // Next, the drawer shows the URLs to enter at the providers.
      if (!channel && saved.livemode) open(saved.id)
      else close()
    },
  })
  const { isDirty, reset } = form
  useEffect(() => setDirty(isDirty), [isDirty, setDirty])
  // Changes saved elsewhere are shown unless the form has unsaved changes.
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
        'Its tokens are deleted, its campaigns pause, and messages and calls to this number are no longer answered. Conversations, calls and contacts are kept.',
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
            description="With country code, for example +1 415 555 0100"
            required
            inputMode="tel"
            {...form.field('phone_number')}
          />
          <TextInput label="Name" placeholder="Reception" {...form.field('display_name')} />
          <Select
            label="Answered by"
            description="An agent answers incoming chats and calls until a person takes over"
            placeholder="People only"
            data={agents.map(({ id, name }) => ({ value: id, label: name }))}
            value={form.values.agent_id}
            onChange={(id) => form.set('agent_id', id)}
            error={form.errors.agent_id}
            clearable
            searchable
          />
          <NumberInput
            label="Messages per second"
            description="Sending speed of campaigns, as WhatsApp allows for this number"
            min={1}
            max={1000}
            value={form.values.messages_per_second}
            onChange={(value) => form.set('messages_per_second', value)}
            error={form.errors.messages_per_second}
            styles={{ wrapper: { maxWidth: 160 } }}
          />
          <Switch
            label="Also used in the WhatsApp Business app"
            description="Detected automatically. Limits campaigns to 20 messages per second"
            checked={form.values.coexistence}
            onChange={(event) => form.set('coexistence', event.currentTarget.checked)}
          />
          <Switch
            label="Marketing Messages API"
            description="Send marketing templates through this API. Accept its terms in WhatsApp Manager first"
            checked={form.values.marketing_messages}
            onChange={(event) => form.set('marketing_messages', event.currentTarget.checked)}
          />
          <Switch
            label="Ask for a rating"
            description="When you close a conversation, WhatsApp asks the customer how it went"
            checked={form.values.asks_for_rating}
            onChange={(event) => form.set('asks_for_rating', event.currentTarget.checked)}
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
              Only owners and admins can edit channels.
            </Text>
          )}
        </Stack>
      </fieldset>
    </form>
  )
}
