import { Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'

export function PanelSection({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section>
      <Group justify="space-between" mb={6} mih={22}>
        <Title order={2} fz="sm">
          {title}
        </Title>
        {action}
      </Group>
      {children}
    </section>
  )
}
