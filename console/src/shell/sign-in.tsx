import { Alert, Anchor, Button, Center, Code, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { choice, signInApi } from '../data/api.ts'
import { useSession } from '../data/session.tsx'
import { useApiForm } from '../data/use-api-form.ts'
import { FormError } from '../ui/form-error.tsx'
import { RemoveSkeleton } from './remove-skeleton.tsx'

function SignInFrame({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Frontdesk`
  }, [title])
  return (
    <Center component="main" mih="100vh" p="md">
      <RemoveSkeleton />
      <Paper withBorder p="xl" w="100%" maw={400}>
        <Stack>
          <Text fw={700} size="lg">
            <img src="/favicon.svg" alt="" width={20} style={{ verticalAlign: -3, marginRight: 8 }} />
            Frontdesk
          </Text>
          <Title order={1}>{title}</Title>
          {children}
        </Stack>
      </Paper>
    </Center>
  )
}

export function SignIn({ message }: { message: string | undefined }) {
  const { enter } = useSession()
  const form = useApiForm({
    initialValues: { email: '', password: '' },
    async submit(values) {
      await signInApi.signIn.login(values)
      choice.mode = 'test'
      await enter()
    },
    explain: (error) => (error.status === 401 ? 'Incorrect email or password.' : undefined),
  })
  return (
    <SignInFrame title="Sign in">
      {message && (
        <Alert color="yellow" role="alert">
          {message}
        </Alert>
      )}
      <form onSubmit={form.onSubmit}>
        <Stack gap="sm">
          <TextInput label="Email" type="email" autoComplete="username" autoFocus required {...form.field('email')} />
          <PasswordInput label="Password" autoComplete="current-password" required {...form.field('password')} />
          <FormError form={form} />
          <Button type="submit" loading={form.isWorking}>
            Sign in
          </Button>
        </Stack>
      </form>
      <Text size="sm" c="dimmed">
        No password yet? Create a sign-in link on the server:
      </Text>
      <Code block>npx frontdesk sign-in-link</Code>
      <Anchor href="/docs" size="sm">
        API reference
      </Anchor>
    </SignInFrame>
  )
}

/** Accepts an invitation. New members choose a password; existing ones enter theirs. */
export function Invitation({ token, done }: { token: string; done(): void }) {
  const { enter } = useSession()
  const form = useApiForm({
    initialValues: { name: '', password: '' },
    async submit({ name, password }) {
      const { organization } = await signInApi.signIn.acceptInvitation({ token, name, ...(password && { password }) })
      choice.mode = 'test'
      choice.organizationId = organization.id
      await enter()
      done()
    },
    explain: ({ status }) =>
      status === 401
        ? 'This email already has an account. Enter its current password.'
        : status === 404
          ? 'This invitation was used or withdrawn, or has expired after 7 days. Ask for a new one.'
          : undefined,
  })
  return (
    <SignInFrame title="Join your team">
      <Text size="sm" c="dimmed">
        Enter your name and choose a password.
      </Text>
      <form onSubmit={form.onSubmit}>
        <Stack gap="sm">
          <TextInput label="Your name" autoComplete="name" autoFocus required {...form.field('name')} />
          <PasswordInput
            label="Password"
            description="At least 12 characters. If you already have an account, enter its password"
            autoComplete="new-password"
            {...form.field('password')}
          />
          <FormError form={form} />
          <Button type="submit" loading={form.isWorking}>
            Join
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  )
}
