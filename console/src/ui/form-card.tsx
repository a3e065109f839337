import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormError, type FormState } from './form-error.tsx'

/** A form in a card: title, fields, errors and the submit button. */
export function FormCard({
  title,
  text,
  aside,
  form,
  action = 'Save',
  canSubmit,
  readOnly,
  children,
}: {
  title: string
  text?: string
  /** Beside the title. */
  aside?: ReactNode
  form: FormState
  action?: string
  canSubmit: boolean
  /** Replaces the button: why the form cannot be changed. */
  readOnly?: string | undefined
  children: ReactNode
}) {
  return (
    <Card withBorder>
      <Group justify="space-between" mb={text ? 4 : 'sm'}>
        <Title order={2}>{title}</Title>
        {aside}
      </Group>
      {text && (
        <Text size="sm" c="dimmed" mb="sm">
          {text}
        </Text>
      )}
      <form onSubmit={form.onSubmit}>
        <Stack gap="sm">
          {children}
          <FormError form={form} />
          {readOnly ? (
            <Text size="sm" c="dimmed">
              {readOnly}
            </Text>
          ) : (
            <Group>
              <Button type="submit" loading={form.isWorking} disabled={!canSubmit}>
                {action}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Card>
  )
}
