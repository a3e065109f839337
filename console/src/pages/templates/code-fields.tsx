import { ActionIcon, Checkbox, Group, Input, Radio, Stack, Text, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { OtpType } from '../../records/templates/template-parts.ts'
import { AddButton } from '../../ui/add-button.tsx'
import { type AppValues, limits, newApp, type TemplateValues } from './template-values.ts'

const ways: { value: OtpType; label: string; description: string }[] = [
  { value: 'COPY_CODE', label: 'Copy code', description: 'A button copies the code. Works on every phone.' },
  { value: 'ONE_TAP', label: 'One-tap', description: 'A button opens your Android app and fills in the code.' },
  { value: 'ZERO_TAP', label: 'Zero-tap', description: 'Your Android app reads the code without a tap.' },
]

/** The options of a one-time password. WhatsApp writes its texts. */
export function CodeFields({
  values: { otpType, hasAdvice, expiryMinutes, apps, acceptsTerms },
  errors,
  set,
}: {
  values: TemplateValues
  errors: Partial<Record<string, string>>
  set<Name extends keyof TemplateValues>(name: Name, value: TemplateValues[Name]): void
}) {
  const change = (i: number, members: Partial<AppValues>) =>
    set(
      'apps',
      apps.map((app, at) => (at === i ? { ...app, ...members } : app)),
    )
  return (
    <>
      <Radio.Group label="Delivery of the code" value={otpType} onChange={(type) => set('otpType', type as OtpType)}>
        <Stack gap="sm" mt="xs">
          {ways.map((way) => (
            <Radio key={way.value} {...way} />
          ))}
        </Stack>
      </Radio.Group>
      {otpType !== 'COPY_CODE' && (
        <Stack gap="xs">
          <div>
            <Input.Label component="div">Android apps</Input.Label>
            <Input.Description>
              Up to 5. Without one of them, customers get a button to copy the code.
            </Input.Description>
            {errors.apps && <Input.Error mt={4}>{errors.apps}</Input.Error>}
          </div>
          {apps.map(({ key, package_name, signature_hash }, i) => (
            <Group key={key} gap="xs" align="flex-start" wrap="nowrap">
              <TextInput
                flex={2}
                label="Package name"
                placeholder="com.example.app"
                value={package_name}
                error={errors[`apps.${i}.package_name`]}
                onChange={({ currentTarget }) => change(i, { package_name: currentTarget.value })}
              />
              <TextInput
                flex={1}
                label="Signing key hash"
                placeholder="K8a/AINcGX7"
                value={signature_hash}
                error={errors[`apps.${i}.signature_hash`]}
                onChange={({ currentTarget }) => change(i, { signature_hash: currentTarget.value })}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                mt={24}
                disabled={apps.length === 1}
                aria-label={`Remove app ${i + 1}`}
                onClick={() =>
                  set(
                    'apps',
                    apps.filter((_, at) => at !== i),
                  )
                }
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
          ))}
          <AddButton disabled={apps.length >= limits.apps} onClick={() => set('apps', [...apps, newApp()])}>
            Add app
          </AddButton>
        </Stack>
      )}
      {otpType === 'ZERO_TAP' && (
        <Checkbox
          label="I accept WhatsApp’s terms for zero-tap codes"
          description="Customers expect that your app fills in the code for them."
          checked={acceptsTerms}
          error={errors.acceptsTerms}
          onChange={({ currentTarget }) => set('acceptsTerms', currentTarget.checked)}
        />
      )}
      <Checkbox
        label="Advise not to share the code"
        checked={hasAdvice}
        onChange={({ currentTarget }) => set('hasAdvice', currentTarget.checked)}
      />
      <TextInput
        label="Expires after"
        description="1 to 90 minutes. Leave it empty to say nothing."
        inputMode="numeric"
        w={260}
        rightSection={
          <Text size="sm" c="dimmed">
            minutes
          </Text>
        }
        rightSectionWidth={72}
        value={expiryMinutes}
        error={errors.expiryMinutes}
        onChange={({ currentTarget }) => set('expiryMinutes', currentTarget.value.replace(/\D/g, ''))}
      />
    </>
  )
}
