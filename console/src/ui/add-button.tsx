import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

/** Creates a record: opens its form, or the page with it. */
export function NewButton({ to, onClick, children }: { to?: string; onClick?(): void; children: ReactNode }) {
  const icon = <IconPlus size={16} />
  return to ? (
    <Button component={Link} to={to} leftSection={icon}>
      {children}
    </Button>
  ) : (
    <Button leftSection={icon} onClick={onClick}>
      {children}
    </Button>
  )
}

/** Adds an item to a list in a form. */
export function AddButton({
  isSmall = false,
  disabled = false,
  onClick,
  children,
}: {
  isSmall?: boolean
  disabled?: boolean
  onClick(): void
  children: ReactNode
}) {
  return (
    <Button
      variant={isSmall ? 'subtle' : 'default'}
      size={isSmall ? 'compact-xs' : 'xs'}
      leftSection={<IconPlus size={isSmall ? 12 : 14} />}
      style={{ alignSelf: 'flex-start' }}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </Button>
  )
}
