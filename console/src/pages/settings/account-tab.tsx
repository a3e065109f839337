import {
  Button,
  Card,
  Group,
  type MantineColorScheme,
  PasswordInput,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  Title,
  useMantineColorScheme,
} from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { useMe, useSession } from '../../data/session.tsx'
import { useApiForm } from '../../data/use-api-form.ts'
import { useRefresh } from '../../data/use-records.ts'
import { setUndoSeconds, undoChoices, undoSeconds } from '../../records/messages/undo-seconds.ts'
import { FormCard } from '../../ui/form-card.tsx'
import { showDone } from '../../ui/undo.tsx'
import { useUnsavedGuard } from '../../ui/unsaved.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { useRoles } from './roles.ts'
import { SecondFactorCard } from './second-factor-card.tsx'
import { SessionsCard } from './sessions-card.tsx'

export function AccountTab() {
  const { user } = useMe()
  return (
    <Stack gap="md" maw={560}>
      <ProfileForm key={user?.name} />
      {user?.uses_single_sign_on ? (
        <Text size="sm" c="dimmed">
          You sign in with your identity provider. Manage your password and second factors there.
        </Text>
      ) : (
        <>
          <PasswordForm />
          <SecondFactorCard />
          <PasskeysCard />
        </>
      )}
      <SessionsCard />
      <UndoTime />
      <Appearance />
      <SignOut />
    </Stack>
  )
}

function ProfileForm() {
  const { user, organization } = useMe()
  const { enter } = useSession()
  const { nameOf } = useRoles()
  const refresh = useRefresh('members')
  const form = useApiForm({
    initialValues: { name: user?.name ?? '' },
    async submit(values) {
      await api.organization.updateMe(values)
      await enter()
      await refresh()
      showDone('Saved')
    },
  })
  useUnsavedGuard(form.isDirty)
  return (
    <FormCard title="You" aside={<ApiRequest method="GET" path="/me" />} form={form} canSubmit={form.isDirty}>
      <TextInput label="Name" autoComplete="name" required {...form.field('name')} />
      <TextInput
        label="Email"
        description="Used to sign in. It cannot be changed here"
        value={user?.email ?? ''}
        readOnly
        variant="filled"
      />
      {user?.role && (
        <Text size="sm" c="dimmed">
          {nameOf(user.role)} of {organization.name}
        </Text>
      )}
    </FormCard>
  )
}

function PasswordForm() {
  const form = useApiForm({
    initialValues: { current_password: '', new_password: '' },
    async submit({ current_password, new_password }) {
      await api.signIn.changePassword({ new_password, ...(current_password && { current_password }) })
      form.reset({ current_password: '', new_password: '' })
      showDone('Password changed. All other sessions have been signed out.')
    },
  })
  return (
    <FormCard
      title="Password"
      text="Changing it signs you out everywhere else."
      form={form}
      action="Change password"
      canSubmit={form.values.new_password !== ''}
    >
      <PasswordInput
        label="Current password"
        description="Leave empty if you have no password yet or signed in with a link"
        autoComplete="current-password"
        {...form.field('current_password')}
      />
      <PasswordInput
        label="New password"
        description="At least 12 characters"
        autoComplete="new-password"
        required
        {...form.field('new_password')}
      />
    </FormCard>
  )
}

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Card withBorder>
      <Title order={2} mb="sm">
        Appearance
      </Title>
      <SegmentedControl
        aria-label="Appearance"
        value={colorScheme}
        onChange={(value) => setColorScheme(value as MantineColorScheme)}
        data={[
          { value: 'auto', label: 'System' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
      />
    </Card>
  )
}

/** How long a message waits before it is sent. */
function UndoTime() {
  const [seconds, setSeconds] = useState(undoSeconds)
  return (
    <Card withBorder>
      <Title order={2} mb={4}>
        Undo for messages
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        How long you can take back a message that you send in the inbox. Applies to this browser.
      </Text>
      <SegmentedControl
        aria-label="Undo for messages"
        value={String(seconds)}
        onChange={(value) => {
          setUndoSeconds(Number(value))
          setSeconds(Number(value))
        }}
        data={undoChoices.map((each) => ({ value: String(each), label: each === 0 ? 'Off' : `${each} seconds` }))}
      />
    </Card>
  )
}

function SignOut() {
  const { leave } = useSession()
  return (
    <Card withBorder>
      <Title order={2} mb={4}>
        Sign out
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        Signs you out in this browser.
      </Text>
      <Group>
        <Button variant="default" leftSection={<IconLogout size={16} />} onClick={() => void leave()}>
          Sign out
        </Button>
      </Group>
    </Card>
  )
}
