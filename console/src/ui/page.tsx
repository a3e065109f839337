import { Box, Group, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'

/** A page with its title and actions. */
export function Page({
  title,
  head,
  actions,
  children,
}: {
  title: string
  /** Replaces the heading. */
  head?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Frontdesk`
  }, [title])
  return (
    <Box p="md" maw={1400} mx="auto">
      <Group justify="space-between" mb="md" gap="sm">
        {head ?? <Title order={1}>{title}</Title>}
        <Group gap="xs">{actions}</Group>
      </Group>
      {children}
    </Box>
  )
}
