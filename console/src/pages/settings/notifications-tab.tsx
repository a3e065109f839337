import type { api as types } from '@frontdesk/sdk'
import { Card, Group, Select, Skeleton, Stack, Switch, Text, TextInput, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { useApiForm } from '../../data/use-api-form.ts'
import { useRecord, useRefresh } from '../../data/use-records.ts'
import {
  canNotify,
  canPush,
  hasSound,
  isDesktopOn,
  isPushOn,
  setSound,
  turnDesktopOff,
  turnDesktopOn,
  turnPushOff,
  turnPushOn,
} from '../../records/notifications/this-device.ts'
import { FormCard } from '../../ui/form-card.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { showDone, showFault } from '../../ui/undo.tsx'
import { useUnsavedGuard } from '../../ui/unsaved.tsx'

/** The member's own notification settings. */
export function NotificationsTab() {
  const ask = (signal: AbortSignal) => api.notifications.getPreferences({ signal })
  const { data, error, refetch } = useRecord(['notifications', 'preferences'], ask)
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  if (!data) return <Skeleton height={280} maw={560} />
  return (
    <Stack gap="md" maw={560}>
      <PreferencesForm preferences={data} />
      <ThisDevice publicKey={data.push_public_key} />
    </Stack>
  )
}

const digests = [
  { value: 'off', label: 'Off' },
  { value: 'hourly', label: 'At most every hour' },
  { value: 'daily', label: 'At most once a day' },
]

function PreferencesForm({ preferences }: { preferences: types.NotificationPreferences }) {
  const refresh = useRefresh(['notifications', 'preferences'])
  const { mine, mentions, unassigned, email_digest, quiet_hours, time_zone, email_available } = preferences
  const form = useApiForm({
    initialValues: { mine, mentions, unassigned, email_digest, quiet_hours, time_zone },
    async submit(values) {
      await api.notifications.updatePreferences(values)
      await refresh()
      showDone('Saved')
    },
  })
  useUnsavedGuard(form.isDirty)
  const { values } = form
  const viewerZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const setQuiet = (isOn: boolean) => {
    form.set('quiet_hours', isOn ? { from: '22:00', until: '07:00' } : null)
    if (isOn && values.time_zone === null) form.set('time_zone', viewerZone)
  }
  return (
    <FormCard
      title="Notify me about"
      aside={<ApiRequest method="GET" path="/notifications/preferences" />}
      form={form}
      canSubmit={form.isDirty}
    >
      <Switch
        label="My conversations"
        description="A conversation is assigned to you, gets a new message, or is handed off by the AI"
        checked={values.mine}
        onChange={({ currentTarget }) => form.set('mine', currentTarget.checked)}
      />
      <Switch
        label="Mentions"
        description="A note mentions you"
        checked={values.mentions}
        onChange={({ currentTarget }) => form.set('mentions', currentTarget.checked)}
      />
      <Switch
        label="Unassigned conversations"
        description="A customer is waiting and no one is assigned"
        checked={values.unassigned}
        onChange={({ currentTarget }) => form.set('unassigned', currentTarget.checked)}
      />
      <Select
        label="Email digest"
        description={
          email_available
            ? 'Unread notifications from live mode'
            : 'This installation sends no email. Ask your administrator to set it up.'
        }
        data={digests}
        allowDeselect={false}
        disabled={!email_available}
        maw={280}
        value={values.email_digest}
        onChange={(value) => value && form.set('email_digest', value as types.NotificationPreferences['email_digest'])}
      />
      <Switch
        label="Quiet hours"
        description="No sounds, push notifications or emails. Notifications still appear in the list"
        checked={values.quiet_hours !== null}
        onChange={({ currentTarget }) => setQuiet(currentTarget.checked)}
      />
      {values.quiet_hours && (
        <Group gap="sm" align="flex-start">
          {(['from', 'until'] as const).map((name) => (
            <TextInput
              key={name}
              type="time"
              label={name === 'from' ? 'From' : 'Until'}
              required
              value={values.quiet_hours?.[name] ?? ''}
              onChange={({ currentTarget }) =>
                values.quiet_hours && form.set('quiet_hours', { ...values.quiet_hours, [name]: currentTarget.value })
              }
              error={form.errorAt(`quiet_hours.${name}`)}
            />
          ))}
          <Select
            label="Time zone"
            searchable
            allowDeselect={false}
            data={[...new Set([values.time_zone ?? viewerZone, ...Intl.supportedValuesOf('timeZone'), 'UTC'])].sort()}
            value={values.time_zone ?? viewerZone}
            onChange={(zone) => zone && form.set('time_zone', zone)}
            error={form.errors.time_zone}
          />
        </Group>
      )}
    </FormCard>
  )
}

/** What is set for this browser alone. */
function ThisDevice({ publicKey }: { publicKey: string | null }) {
  const [sound, setSoundState] = useState(hasSound())
  const [push, setPush] = useState<boolean>()
  const [desktop, setDesktop] = useState(isDesktopOn())
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    isPushOn().then(setPush, () => setPush(false))
  }, [])
  const isPossible = canPush() && publicKey !== null
  const switchPush = async (isOn: boolean) => {
    setBusy(true)
    try {
      await (isOn ? turnPushOn(publicKey as string) : turnPushOff())
      setPush(isOn)
      setDesktop(isDesktopOn())
    } catch (error) {
      showFault(error, 'Could not change push notifications')
    } finally {
      setBusy(false)
    }
  }
  const switchDesktop = async (isOn: boolean) => {
    try {
      await (isOn ? turnDesktopOn() : turnDesktopOff())
    } catch (error) {
      showFault(error, 'Could not turn on desktop notifications')
    }
    setDesktop(isDesktopOn())
  }
  return (
    <Card withBorder>
      <Title order={2} mb="sm">
        This device
      </Title>
      <Stack gap="sm">
        <Switch
          label="Sound"
          checked={sound}
          onChange={({ currentTarget }) => {
            setSound(currentTarget.checked)
            setSoundState(currentTarget.checked)
            if (currentTarget.checked) void new Audio('/notification.wav').play().catch(() => {})
          }}
        />
        <Switch
          label="Desktop notifications"
          description={
            canNotify()
              ? 'While Frontdesk is open in a background tab. Push notifications replace them'
              : 'This browser offers them only over HTTPS'
          }
          disabled={!canNotify()}
          checked={desktop}
          onChange={({ currentTarget }) => void switchDesktop(currentTarget.checked)}
        />
        <Switch
          label="Push notifications"
          description={
            isPossible
              ? 'In live mode, even while Frontdesk is closed. Signing out turns them off'
              : publicKey === null
                ? 'This installation sends no push notifications. Ask your administrator to set them up.'
                : 'This browser offers them only over HTTPS'
          }
          disabled={!isPossible || isBusy || push === undefined}
          checked={push ?? false}
          onChange={({ currentTarget }) => void switchPush(currentTarget.checked)}
        />
        <Text size="xs" c="dimmed">
          To use Frontdesk as an app, choose “Install” or “Add to home screen” in your browser’s menu.
        </Text>
      </Stack>
    </Card>
  )
}
