import { Card, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { useApiForm } from '../../data/use-api-form.ts'
import type { AgentValues } from './agent-values.ts'

export type AgentForm = ReturnType<typeof useApiForm<AgentValues>>

export function AgentSection({
  id,
  title,
  text,
  action,
  children,
}: {
  id: string
  title: string
  text?: ReactNode
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <Card withBorder component="section" id={id} aria-labelledby={`${id}-title`} style={{ scrollMarginTop: 140 }}>
      <Title order={2} id={`${id}-title`}>
        {title}
      </Title>
      {text && (
        <Text size="sm" c="dimmed" mt={2} component="div">
          {text}
        </Text>
      )}
      <Stack gap="sm" mt="sm">
        {children}
      </Stack>
      {action}
    </Card>
  )
}
