import type { api as types } from '@frontdesk/sdk'
import { Button, Card, Group, Modal, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { addPasskey, canUsePasskeys, isCancelled } from '../../data/passkeys.ts'
import { useApiForm } from '../../data/use-api-form.ts'
import { useRecord } from '../../data/use-records.ts'
import { RecoveryCodesOnce } from '../../records/second-factors/set-up-authenticator.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { showDone } from '../../ui/undo.tsx'
import { deviceName } from './device-name.ts'

const passwordField = {
  label: 'Current password',
  description: 'Leave empty if you have no password yet or signed in with a link',
  autoComplete: 'current-password',
}

/** The member's passkeys. */
export function PasskeysCard() {
  const { data, error, refetch } = useRecord(['passkeys'], (signal) => api.signIn.listPasskeys({ signal }))
  const { data: factors } = useRecord(['second-factors'], (signal) => api.signIn.getSecondFactors({ signal }))
  const isLast = data?.data.length === 1 && factors?.authenticator === null
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<types.Passkey>()
  const [codes, setCodes] = useState<string[]>()
  const close = () => {
    setAdding(false)
    setRemoved(undefined)
    void refetch()
  }
  return (
    <Card withBorder>
      <Group justify="space-between" mb={4}>
        <Title order={2}>Passkeys</Title>
        <ApiRequest method="GET" path="/auth/passkeys" />
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        Sign in with your fingerprint, face or PIN. A passkey replaces your password and code.
      </Text>
      {error && !data && <ErrorState error={error} retry={refetch} />}
      <Stack gap="sm">
        {data?.data.map((passkey) => (
          <Group key={passkey.id} justify="space-between" wrap="nowrap">
            <div>
              <Text size="sm" fw={500}>
                <bdi>{passkey.name}</bdi>
              </Text>
              <Text size="xs" c="dimmed">
                Added <Moment at={passkey.created_at} />,{' '}
                {passkey.last_used_at ? (
                  <>
                    last used <Moment at={passkey.last_used_at} />
                  </>
                ) : (
                  'never used'
                )}
              </Text>
            </div>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Remove ${passkey.name}`}
              onClick={() => setRemoved(passkey)}
            >
              Remove
            </Button>
          </Group>
        ))}
        {canUsePasskeys() ? (
          <Group>
            <Button variant="default" onClick={() => setAdding(true)}>
              Add a passkey
            </Button>
          </Group>
        ) : (
          <Text size="sm">To add one, open Frontdesk at a host name with HTTPS, or on localhost.</Text>
        )}
      </Stack>
      <Modal opened={isAdding} onClose={close} title="Add a passkey" centered>
        <Add
          close={close}
          onAdded={(added) => {
            close()
            if (added.recovery_codes) setCodes(added.recovery_codes)
          }}
        />
      </Modal>
      <Modal opened={removed !== undefined} onClose={close} title="Remove the passkey" centered>
        {removed && <Remove passkey={removed} isLast={isLast} close={close} />}
      </Modal>
      <RecoveryCodesOnce codes={codes} onStored={() => setCodes(undefined)} />
    </Card>
  )
}

function Add({ close, onAdded }: { close(): void; onAdded(passkey: types.PasskeyCreated): void }) {
  const form = useApiForm({
    initialValues: { name: deviceName(navigator.userAgent), current_password: '' },
    async submit({ name, current_password }) {
      try {
        onAdded(await addPasskey(name, current_password))
        showDone('Passkey added')
      } catch (error) {
        throw isCancelled(error) ? new Error('No passkey was created. Try again.') : error
      }
    },
  })
  return (
    <DialogForm form={form} action="Continue" cancel={close} gap="sm">
      <TextInput label="Name" description="Helps you recognize it in this list" required {...form.field('name')} />
      <PasswordInput {...passwordField} data-autofocus {...form.field('current_password')} />
    </DialogForm>
  )
}

function Remove({ passkey: { id, name }, isLast, close }: { passkey: types.Passkey; isLast: boolean; close(): void }) {
  const form = useApiForm({
    initialValues: { current_password: '', code: '' },
    async submit({ current_password, code }) {
      await api.signIn.removePasskey(id, { ...(current_password && { current_password }), ...(code && { code }) })
      close()
    },
  })
  return (
    <DialogForm form={form} action="Remove" cancel={close} gap="sm">
      <Text size="sm">
        <bdi>{name}</bdi> no longer signs you in. Delete it on the device too.
      </Text>
      <PasswordInput {...passwordField} data-autofocus {...form.field('current_password')} />
      {isLast && (
        <TextInput
          label="Recovery code"
          description="This is your last second factor. Leave empty if you have just signed in with a passkey"
          autoComplete="one-time-code"
          {...form.field('code')}
        />
      )}
    </DialogForm>
  )
}
