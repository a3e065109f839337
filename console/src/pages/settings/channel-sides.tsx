import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, Card, Group, PasswordInput, Stack, Switch, Text, TextInput, Tooltip } from '@mantine/core'
import { IconDice } from '@tabler/icons-react'
import type { useApiForm } from '../../data/use-api-form.ts'
import { Copy } from '../../ui/copy.tsx'
import type { ChannelValues } from './channel-values.ts'

type Form = ReturnType<typeof useApiForm<ChannelValues>>

const kept = 'Stored and not shown. Leave empty to keep it'
const newToken = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Keeps password managers away from these secrets. */
const secretProps = { autoComplete: 'off', 'data-1p-ignore': true }

export function ChatSide({ form, channel }: { form: Form; channel: types.Channel | undefined }) {
  const { values } = form
  const stored = channel?.chat
  return (
    <Card withBorder padding="sm">
      <Switch
        label="Chat"
        description="WhatsApp, through your own Meta app"
        checked={values.has_chat}
        onChange={(event) => form.set('has_chat', event.currentTarget.checked)}
      />
      {stored && !values.has_chat && (
        <Warning>Saving deletes its tokens. Messages can no longer be sent or received.</Warning>
      )}
      {values.has_chat && (
        <Stack gap="sm" mt="sm">
          <TextInput
            label="Phone number ID"
            description="Shown next to the number in your Meta app; not the number itself"
            required
            {...form.field('chat_phone_number_id')}
          />
          <TextInput label="Business account ID" required {...form.field('chat_business_account_id')} />
          <PasswordInput
            label="Access token"
            description={stored?.has_access_token ? kept : 'Use a system user’s token, which does not expire'}
            required={!stored?.has_access_token}
            {...secretProps}
            {...form.field('chat_access_token')}
          />
          <PasswordInput
            label="App secret"
            description={
              stored?.has_app_secret
                ? kept
                : 'Used to verify WhatsApp’s requests. Not needed if the installation has its own app'
            }
            {...secretProps}
            {...form.field('chat_app_secret')}
          />
          <TextInput
            label="Verify token"
            description={
              stored?.has_verify_token
                ? `${kept}. If you lost it, generate a new one and enter it in your Meta app too`
                : 'Any text that you also enter in your Meta app, next to the callback URL'
            }
            {...secretProps}
            {...form.field('chat_verify_token')}
            rightSectionWidth={64}
            rightSection={
              <Group gap={2} wrap="nowrap">
                {values.chat_verify_token && <Copy value={values.chat_verify_token} what="verify token" />}
                <Tooltip label="Generate">
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size="sm"
                    aria-label="Generate a verify token"
                    onClick={() => form.set('chat_verify_token', newToken())}
                  >
                    <IconDice size={16} />
                  </ActionIcon>
                </Tooltip>
              </Group>
            }
          />
        </Stack>
      )}
    </Card>
  )
}

export function VoiceSide({ form, channel }: { form: Form; channel: types.Channel | undefined }) {
  const { values } = form
  const stored = channel?.voice
  return (
    <Card withBorder padding="sm">
      <Switch
        label="Voice"
        description="Calls, through Twilio"
        checked={values.has_voice}
        onChange={(event) => form.set('has_voice', event.currentTarget.checked)}
      />
      {stored && !values.has_voice && (
        <Warning>Saving deletes its token. Calls can no longer be made or received.</Warning>
      )}
      {values.has_voice && (
        <Stack gap="sm" mt="sm">
          <TextInput label="Account SID" required {...form.field('voice_account_sid')} />
          <TextInput
            label="Phone number SID"
            description="ID of the number at the carrier"
            required
            {...form.field('voice_phone_number_id')}
          />
          <PasswordInput
            label="Auth token"
            description={stored?.has_auth_token ? kept : undefined}
            required={!stored?.has_auth_token}
            {...secretProps}
            {...form.field('voice_auth_token')}
          />
        </Stack>
      )}
    </Card>
  )
}

function Warning({ children }: { children: string }) {
  return (
    <Text size="sm" c="var(--mantine-color-error)" mt="xs" role="alert">
      {children}
    </Text>
  )
}
