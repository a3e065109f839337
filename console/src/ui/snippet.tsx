import { Box, Code, Group, Text } from '@mantine/core'
import { Copy } from './copy.tsx'
import classes from './snippet.module.css'

/** Code with a copy button. */
export function Snippet({ label, code }: { label: string; code: string }) {
  return (
    <Box>
      <Group justify="space-between" mb={2}>
        <Text size="xs" c="dimmed">
          {label}
        </Text>
        <Copy value={code} what={label} />
      </Group>
      {/* Long lines scroll within the box, by keyboard too. */}
      <Code block className={classes.code} tabIndex={0} role="region" aria-label={label}>
        {code}
      </Code>
    </Box>
  )
}
