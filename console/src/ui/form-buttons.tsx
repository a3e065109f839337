import { Button, Group } from '@mantine/core'
import { FormError, type FormState } from './form-error.tsx'

/** The foot of a form in a dialog: its errors, cancel and submit. */
export function FormButtons({ form, action, cancel }: { form: FormState; action: string; cancel(): void }) {
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
