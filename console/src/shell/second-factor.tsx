import { Text, TextInput } from '@mantine/core'
import { errorCode } from '../data/api-errors.ts'
import { useMe, useSession } from '../data/session.tsx'
import { useApiForm } from '../data/use-api-form.ts'
import { SetUpAuthenticator } from '../records/second-factors/set-up-authenticator.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { SignInForm, SignInFrame } from './sign-in-frame.tsx'
import { WaysOut } from './ways-out.tsx'

/** Asks for a code and signs in with it. */
export function SecondFactorForm({ enterWith }: { enterWith(code: string): Promise<void> }) {
  const form = useApiForm({
    initialValues: { code: '' },
    submit: ({ code }) => enterWith(code),
    explain: (error) =>
      errorCode(error) === 'second_factor_invalid'
        ? 'This code is incorrect or was used already. Wait for the next one.'
        : error.status === 401
          ? 'This took too long. Reload the page and sign in again.'
          : undefined,
  })
  return (
    <SignInFrame title="Enter your code">
      <SignInForm form={form} action="Sign in">
        <TextInput
          label="Code"
          description="From your authenticator app, or a recovery code"
          autoComplete="one-time-code"
          autoFocus
          required
          {...form.field('code')}
        />
      </SignInForm>
      <PasskeyButton />
    </SignInFrame>
  )
}

/** For a member of an organization that requires a second factor, until they have one. */
export function SecondFactorSetup() {
  const { organization } = useMe()
  const { enter } = useSession()
  return (
    <SignInFrame title="Set up a second factor">
      <Text size="sm" c="dimmed">
        {organization.name} requires a second factor. You need an authenticator app on your phone.
      </Text>
      <SetUpAuthenticator done={() => void enter()} />
      <WaysOut />
    </SignInFrame>
  )
}
