import { Button, Group } from '@mantine/core'
import type { ApiForm } from '../data/use-api-form.ts'
import { FormError } from './form-error.tsx'

/** The foot of a form that can be left: what went wrong with all of it, and the two ways out. */
export function FormButtons({ form, action, cancel }: { form: ApiForm; action: string; cancel(): void }) {
  return (
    <>
      <FormError form={form} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
        <Button type="submit" loading={form.isWorking}>
          {action}
        </Button>
      </Group>
    </>
  )
}
