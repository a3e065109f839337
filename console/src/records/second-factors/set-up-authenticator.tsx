import type { api as types } from '@frontdesk/sdk'
import { Button, Code, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { useApiForm } from '../../data/use-api-form.ts'
import { Copy } from '../../ui/copy.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'

/** Sets up an authenticator app: password, QR code and first code, recovery codes. */
export function SetUpAuthenticator({ done }: { done(): void }) {
  const [setup, setSetup] = useState<types.NewAuthenticator>()
  const [codes, setCodes] = useState<string[]>()
  return (
    <>
      {setup ? <FirstCode setup={setup} onConfirmed={setCodes} /> : <PasswordFirst onBegun={setSetup} />}
      <RecoveryCodesOnce codes={codes} onStored={done} />
    </>
  )
}

/** Recovery codes, shown once. */
export function RecoveryCodesOnce({ codes, onStored }: { codes: string[] | undefined; onStored(): void }) {
  return (
    <SecretOnce title="Your recovery codes" what="codes" secret={codes?.join('\n')} onStored={onStored}>
      <Text size="sm">Each code signs you in once if you lose your phone.</Text>
    </SecretOnce>
  )
}

function PasswordFirst({ onBegun }: { onBegun(setup: types.NewAuthenticator): void }) {
  const form = useApiForm({
    initialValues: { current_password: '' },
    async submit({ current_password }) {
      onBegun(await api.signIn.createAuthenticator({ ...(current_password && { current_password }) }))
    },
  })
  return (
    <form onSubmit={form.onSubmit}>
      <Stack gap="sm">
        <PasswordInput
          label="Current password"
          description="Leave empty if you have no password yet or signed in with a link"
          autoComplete="current-password"
          {...form.field('current_password')}
        />
        <FormError form={form} />
        <Group>
          <Button type="submit" loading={form.isWorking}>
            Continue
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function FirstCode({
  setup: { secret, uri },
  onConfirmed,
}: {
  setup: types.NewAuthenticator
  onConfirmed(codes: string[]): void
}) {
  const form = useApiForm({
    initialValues: { code: '' },
    submit: async (values) => onConfirmed((await api.signIn.confirmAuthenticator(values)).recovery_codes),
  })
  return (
    <form onSubmit={form.onSubmit}>
      <Stack gap="sm">
        <Text size="sm">Scan this code with your authenticator app, or enter the key by hand.</Text>
        <QrCode text={uri} label="QR code for your authenticator app" />
        <Group gap={4} wrap="nowrap">
          <Code style={{ overflowWrap: 'anywhere' }}>{secret.replace(/.{4}(?=.)/g, '$& ')}</Code>
          <Copy value={secret} what="key" />
        </Group>
        <TextInput
          label="Code from the app"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          required
          {...form.field('code')}
        />
        <FormError form={form} />
        <Group>
          <Button type="submit" loading={form.isWorking}>
            Turn on
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
