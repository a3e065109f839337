import { Text } from '@mantine/core'

/** The title of a part of a section. */
export const Heading = ({ title, hint }: { title: string; hint: string }) => (
  <div>
    <Text size="sm" fw={600}>
      {title}
    </Text>
    <Text size="xs" c="dimmed">
      {hint}
    </Text>
  </div>
)
