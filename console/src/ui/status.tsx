import { Group, Text } from '@mantine/core'

const colors = {
  good: 'var(--mantine-color-green-6)',
  busy: 'var(--mantine-color-blue-6)',
  waiting: 'var(--mantine-color-gray-5)',
  warning: 'var(--mantine-color-yellow-6)',
  bad: 'var(--mantine-color-red-6)',
}
export type Tone = keyof typeof colors

/** A dot and a text, never colour alone. */
export function Status({ tone, children }: { tone: Tone; children: string }) {
  return (
    <Group gap={6} wrap="nowrap" component="span" style={{ display: 'inline-flex', verticalAlign: 'middle' }}>
      <span aria-hidden style={{ width: 8, height: 8, borderRadius: 4, background: colors[tone], flex: 'none' }} />
      <Text span size="sm" style={{ whiteSpace: 'nowrap' }}>
        {children}
      </Text>
    </Group>
  )
}
