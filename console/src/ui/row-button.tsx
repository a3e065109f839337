import { ActionIcon, Tooltip } from '@mantine/core'
import type { IconX } from '@tabler/icons-react'

/** An icon button for a row, with its label as tooltip. */
export function RowButton({
  label,
  icon: Icon,
  disabled = false,
  isBesideInput,
  onClick,
}: {
  label: string
  icon: typeof IconX
  disabled?: boolean
  /** The height of the field beside it. */
  isBesideInput?: boolean
  onClick(): void
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        disabled={disabled}
        {...(isBesideInput && { size: 'input-sm' })}
        {...(disabled && { bg: 'transparent' })}
        onClick={onClick}
      >
        <Icon size={16} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  )
}
