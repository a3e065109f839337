import { Box, Group, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'

/** A page's head: its name, and what can be done here. */
export function Page({
  title,
  head,
  actions,
  children,
}: {
  title: string
  /** In place of the title, where it is more than a word. */
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
