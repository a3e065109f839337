import { Modal, Select, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useApiForm } from '../../data/use-api-form.ts'
import { DialogForm } from '../../ui/dialog-form.tsx'

const overlaps = [
  { value: '0', label: 'Stops immediately' },
  { value: '3600', label: 'Works for 1 more hour' },
  { value: '86400', label: 'Works for 1 more day' },
  { value: '604800', label: 'Works for 1 more week' },
]

/** Replaces a secret; the old one may keep working for a while. */
export function OverlapForm({
  opened,
  title,
  action,
  children,
  close,
  run,
}: {
  opened: boolean
  title: string
  action: string
  children: ReactNode
  close(): void
  run(overlapSeconds: number): Promise<void>
}) {
  const form = useApiForm({
    initialValues: { overlap_seconds: '86400' },
    submit: ({ overlap_seconds }) => run(Number(overlap_seconds)),
  })
  return (
    <Modal opened={opened} onClose={close} title={title} centered>
      <DialogForm form={form} action={action} cancel={close}>
        <Text size="sm">{children}</Text>
        <Select
          label="Previous secret"
          data={overlaps}
          allowDeselect={false}
          value={form.values.overlap_seconds}
          onChange={(value) => form.set('overlap_seconds', value ?? '0')}
          error={form.errors.overlap_seconds}
        />
      </DialogForm>
    </Modal>
  )
}
