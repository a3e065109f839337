import { Card, Code, Group, SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Copy } from './copy.tsx'

/** The properties of a record. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <Card withBorder>
      <SimpleGrid component="dl" cols={{ base: 2, sm: 3, lg: 4 }} spacing="md" m={0}>
        {children}
      </SimpleGrid>
    </Card>
  )
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
      <Text component="dt" size="xs" c="dimmed">
        {label}
      </Text>
      <Text component="dd" size="sm" m={0}>
        {children}
      </Text>
    </div>
  )
}

/** An ID on one line, with a copy button. */
export function ShownId({ id }: { id: string }) {
  return (
    <Group gap={4} wrap="nowrap" miw={0}>
      <Code style={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>{id}</Code>
      <Copy value={id} what="ID" />
    </Group>
  )
}
