import { Button, Group, type MantineSpacing, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormError, type FormState } from './form-error.tsx'

/** A form in a dialog: fields, errors, cancel and submit. */
export function DialogForm({
  form,
  action,
  canSubmit = true,
  color,
  cancel,
  gap = 'md',
  children,
}: {
  form: FormState
  action: string
  canSubmit?: boolean
  color?: string
  cancel?(): void
  gap?: MantineSpacing
  children: ReactNode
}) {
  return (
    <form onSubmit={form.onSubmit}>
      <Stack gap={gap}>
        {children}
        <FormError form={form} />
        <Group justify="flex-end" gap="xs">
          {cancel && (
            <Button variant="default" onClick={cancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" loading={form.isWorking} disabled={!canSubmit} {...(color && { color })}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
