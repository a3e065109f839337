import { Anchor, PasswordInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api, choice, signInApi } from '../data/api.ts'
import { useSession } from '../data/session.tsx'
import { useApiForm } from '../data/use-api-form.ts'
import { SecondFactorForm } from './second-factor.tsx'
import { SignInForm, SignInFrame } from './sign-in-frame.tsx'
import { useSecondFactor } from './use-second-factor.ts'

/** Sends a link to choose a new password. */
export function ForgottenPassword({ close }: { close(): void }) {
  const [sentTo, setSentTo] = useState<string>()
  const form = useApiForm({
    initialValues: { email: '' },
    async submit(values) {
      await signInApi.signIn.requestPasswordReset(values)
      setSentTo(values.email)
    },
  })
  return (
    <SignInFrame title="Reset your password">
      {sentTo ? (
        <Text size="sm" role="status">
          If {sentTo} has an account, a link is on its way. It works for 60 minutes.
        </Text>
      ) : (
        <SignInForm form={form} action="Send link">
          <TextInput label="Email" type="email" autoComplete="username" autoFocus required {...form.field('email')} />
        </SignInForm>
      )}
      <Anchor component="button" type="button" size="sm" ta="left" onClick={close}>
        Back to sign-in
      </Anchor>
    </SignInFrame>
  )
}

/** Signs in with the link of a password reset and sets the new password. */
export function PasswordReset({ token, done }: { token: string; done(): void }) {
  const { enter } = useSession()
  const { enterWith, enterOrAsk } = useSecondFactor()
  // The link works once: if only the password is refused, the next attempt must not use it again.
  const [isSignedIn, setSignedIn] = useState(false)
  const form = useApiForm({
    initialValues: { new_password: '' },
    check: ({ new_password }): Record<string, string> =>
      new_password.length < 12 ? { new_password: 'At least 12 characters' } : {},
    submit: ({ new_password }) =>
      enterOrAsk(async (code) => {
        // biome-ignore lint/correctness/useHookAtTopLevel: an operation of the API, not a hook of React
        if (!isSignedIn) await signInApi.signIn.useLink({ token, ...(code && { code }) })
        setSignedIn(true)
        choice.mode = 'test'
        await enter()
        await api.signIn.changePassword({ new_password })
        done()
      }),
    explain: ({ status }) =>
      status === 401 ? 'This link was already used or has expired. Ask for a new one.' : undefined,
  })
  if (enterWith) return <SecondFactorForm enterWith={enterWith} />
  return (
    <SignInFrame title="Choose a new password">
      <Text size="sm" c="dimmed">
        All your other sessions will be signed out.
      </Text>
      <SignInForm form={form} action="Set password">
        <PasswordInput
          label="New password"
          description="At least 12 characters"
          autoComplete="new-password"
          autoFocus
          required
          {...form.field('new_password')}
        />
      </SignInForm>
    </SignInFrame>
  )
}
