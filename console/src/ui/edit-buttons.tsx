import { Button, Group } from '@mantine/core'

/** Edits and deletes the record of a row. */
export function EditButtons({ name, edit, remove }: { name: string; edit(): void; remove(): void }) {
  const look = { size: 'compact-sm', variant: 'default' } as const
  return (
    <Group gap="xs" justify="flex-end">
      <Button {...look} onClick={edit} aria-label={`Edit ${name}`}>
        Edit
      </Button>
      <Button {...look} onClick={remove} aria-label={`Delete ${name}`}>
        Delete
      </Button>
    </Group>
  )
}
