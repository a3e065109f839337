import { Group } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconTrash } from '@tabler/icons-react'
import { moved } from './moved.ts'
import { RowButton } from './row-button.tsx'

/** Moves an item of a list up and down, and removes it. */
export function ItemButtons<Item>({
  items,
  index,
  noun,
  isRemovable = true,
  onChange,
}: {
  items: Item[]
  index: number
  /** What an item is, such as "card": it is announced with its number. */
  noun: string
  isRemovable?: boolean
  onChange(items: Item[]): void
}) {
  const nth = `${noun} ${index + 1}`
  const move = (by: -1 | 1) => onChange(moved(items, index, by))
  return (
    <Group gap={2} wrap="nowrap">
      <RowButton label={`Move ${nth} up`} icon={IconChevronUp} disabled={index === 0} onClick={() => move(-1)} />
      <RowButton
        label={`Move ${nth} down`}
        icon={IconChevronDown}
        disabled={index === items.length - 1}
        onClick={() => move(1)}
      />
      <RowButton
        label={`Remove ${nth}`}
        icon={IconTrash}
        disabled={!isRemovable}
        onClick={() => onChange(items.toSpliced(index, 1))}
      />
    </Group>
  )
}
