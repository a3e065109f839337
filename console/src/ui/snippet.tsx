import { Box, Code, Group, Text } from '@mantine/core'
import { Copy } from './copy.tsx'
import classes from './snippet.module.css'

/** Something to put into a terminal or a program, with a button that copies it whole. */
export function Snippet({ label, code }: { label: string; code: string }) {
  return (
    <Box>
      <Group justify="space-between" mb={2}>
        <Text size="xs" c="dimmed">
          {label}
        </Text>
        <Copy value={code} what={label} />
      </Group>
      {/* Long lines scroll in their own box, by keyboard too. */}
      <Code block className={classes.code} tabIndex={0} role="region" aria-label={label}>
        {code}
      </Code>
    </Box>
  )
}
