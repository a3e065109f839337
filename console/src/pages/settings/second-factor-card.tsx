import { Button, Card, Group, Modal, PasswordInput, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { useApiForm } from '../../data/use-api-form.ts'
import { useRecord } from '../../data/use-records.ts'
import { RecoveryCodesOnce, SetUpAuthenticator } from '../../records/second-factors/set-up-authenticator.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { showDone } from '../../ui/undo.tsx'

type Dialog = 'set-up' | 'remove' | 'codes'

const titles: Record<Dialog, string> = {
  'set-up': 'Set up an authenticator app',
  remove: 'Remove the authenticator app',
  codes: 'Create new recovery codes',
}

/** The member's authenticator app and recovery codes. */
export function SecondFactorCard() {
  const { data, error, refetch } = useRecord(['second-factors'], (signal) => api.signIn.getSecondFactors({ signal }))
  const [dialog, setDialog] = useState<Dialog>()
  const [codes, setCodes] = useState<string[]>()
  const close = () => {
    setDialog(undefined)
    void refetch()
  }
  return (
    <Card withBorder>
      <Group justify="space-between" mb={4}>
        <Title order={2}>Authenticator app</Title>
        <ApiRequest method="GET" path="/auth/second-factors" />
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        A code from an app on your phone, in addition to your password.
      </Text>
      {error && !data ? (
        <ErrorState error={error} retry={refetch} />
      ) : !data ? (
        <Skeleton height={60} />
      ) : data.authenticator ? (
        <Stack gap="sm">
          <Text size="sm">
            On since <Moment at={data.authenticator.confirmed_at} />. {data.recovery_codes_left} unused recovery{' '}
            {data.recovery_codes_left === 1 ? 'code' : 'codes'}.
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={() => setDialog('codes')}>
              New recovery codes
            </Button>
            <Button variant="default" onClick={() => setDialog('remove')}>
              Remove
            </Button>
          </Group>
        </Stack>
      ) : (
        <Group>
          <Button onClick={() => setDialog('set-up')}>Set up</Button>
        </Group>
      )}
      <Modal opened={dialog !== undefined} onClose={close} title={dialog && titles[dialog]} centered>
        {dialog === 'set-up' && <SetUpAuthenticator done={close} />}
        {dialog === 'remove' && <Remove close={close} />}
        {dialog === 'codes' && (
          <RenewCodes
            close={close}
            onRenewed={(renewed) => {
              close()
              setCodes(renewed)
            }}
          />
        )}
      </Modal>
      <RecoveryCodesOnce codes={codes} onStored={() => setCodes(undefined)} />
    </Card>
  )
}

const codeField = {
  label: 'Code',
  description: 'From your authenticator app, or a recovery code',
  autoComplete: 'one-time-code',
  required: true,
}

function Remove({ close }: { close(): void }) {
  const form = useApiForm({
    initialValues: { current_password: '', code: '' },
    async submit({ current_password, code }) {
      await api.signIn.removeAuthenticator({ code, ...(current_password && { current_password }) })
      close()
      showDone('Authenticator app removed')
    },
  })
  return (
    <DialogForm form={form} action="Remove" cancel={close} gap="sm">
      <Text size="sm">Your password alone will sign you in, and your recovery codes stop working.</Text>
      <PasswordInput
        label="Current password"
        description="Leave empty if you have no password yet or signed in with a link"
        autoComplete="current-password"
        {...form.field('current_password')}
      />
      <TextInput {...codeField} {...form.field('code')} />
    </DialogForm>
  )
}

function RenewCodes({ close, onRenewed }: { close(): void; onRenewed(codes: string[]): void }) {
  const form = useApiForm({
    initialValues: { code: '' },
    submit: async (values) => onRenewed((await api.signIn.createRecoveryCodes(values)).recovery_codes),
  })
  return (
    <DialogForm form={form} action="Create codes" cancel={close} gap="sm">
      <Text size="sm">Your previous recovery codes stop working.</Text>
      <TextInput {...codeField} data-autofocus {...form.field('code')} />
    </DialogForm>
  )
}
