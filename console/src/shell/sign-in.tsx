import { Alert, Anchor, Button, Code, PasswordInput, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { choice, signInApi } from '../data/api.ts'
import { useSession } from '../data/session.tsx'
import { useApiForm } from '../data/use-api-form.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { ForgottenPassword } from './password-reset.tsx'
import { SecondFactorForm } from './second-factor.tsx'
import { SignInForm, SignInFrame } from './sign-in-frame.tsx'
import { useSecondFactor } from './use-second-factor.ts'

export function SignIn({ message }: { message: string | undefined }) {
  const { enter } = useSession()
  const { enterWith, enterOrAsk } = useSecondFactor()
  const { data: options } = useQuery({ queryKey: ['sign-in-options'], queryFn: () => signInApi.signIn.getOptions() })
  const [isForgotten, setForgotten] = useState(false)
  const form = useApiForm({
    initialValues: { email: '', password: '' },
    submit: (values) =>
      enterOrAsk(async (code) => {
        await signInApi.signIn.login({ ...values, ...(code && { code }) })
        choice.mode = 'test'
        await enter()
      }),
    explain: (error) => (error.status === 401 ? 'Incorrect email or password.' : undefined),
  })
  if (enterWith) return <SecondFactorForm enterWith={enterWith} />
  if (isForgotten) return <ForgottenPassword close={() => setForgotten(false)} />
  return (
    <SignInFrame title="Sign in">
      {message && (
        <Alert color="yellow" role="alert">
          {message}
        </Alert>
      )}
      <SignInForm form={form} action="Sign in">
        <TextInput label="Email" type="email" autoComplete="username" autoFocus required {...form.field('email')} />
        <PasswordInput label="Password" autoComplete="current-password" required {...form.field('password')} />
      </SignInForm>
      <PasskeyButton />
      {options?.single_sign_on && (
        <Button component="a" href={options.single_sign_on.url} variant="default">
          Continue with {options.single_sign_on.name}
        </Button>
      )}
      {options?.password_reset ? (
        <Anchor component="button" type="button" size="sm" ta="left" onClick={() => setForgotten(true)}>
          Forgot your password?
        </Anchor>
      ) : (
        <>
          <Text size="sm" c="dimmed">
            No password? Create a sign-in link on the server:
          </Text>
          <Code block>npx frontdesk sign-in-link</Code>
        </>
      )}
      <Anchor href="/docs" size="sm">
        API reference
      </Anchor>
    </SignInFrame>
  )
}

/** Accepts an invitation. New members choose a password; existing ones enter theirs. */
export function Invitation({ token, done }: { token: string; done(): void }) {
  const { enter } = useSession()
  const { enterWith, enterOrAsk } = useSecondFactor()
  const form = useApiForm({
    initialValues: { name: '', password: '' },
    submit: ({ name, password }) =>
      enterOrAsk(async (code) => {
        const { organization } = await signInApi.signIn.acceptInvitation({
          token,
          name,
          ...(password && { password }),
          ...(code && { code }),
        })
        choice.mode = 'test'
        choice.organizationId = organization.id
        await enter()
        done()
      }),
    explain: ({ status }) =>
      status === 401
        ? 'This email already has an account. Enter its current password.'
        : status === 404
          ? 'This invitation was used or withdrawn, or has expired after 7 days. Ask for a new one.'
          : undefined,
  })
  if (enterWith) return <SecondFactorForm enterWith={enterWith} />
  return (
    <SignInFrame title="Join your team">
      <Text size="sm" c="dimmed">
        Enter your name and choose a password.
      </Text>
      <SignInForm form={form} action="Join">
        <TextInput label="Your name" autoComplete="name" autoFocus required {...form.field('name')} />
        <PasswordInput
          label="Password"
          description="At least 12 characters. If you already have an account, enter its password"
          autoComplete="new-password"
          {...form.field('password')}
        />
      </SignInForm>
    </SignInFrame>
  )
}
