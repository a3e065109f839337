import { Box, Code, Group, Text } from '@mantine/core'
import { Copy } from './copy.tsx'
import classes from './snippet.module.css'

/** A request or response body, pretty-printed if it is JSON. */
export function JsonBody({ label, body }: { label: string; body: unknown }) {
  const text = typeof body === 'string' ? prettyPrinted(body) : JSON.stringify(body, null, 2)
  return (
    <Box miw={0}>
      <Group justify="space-between" mb={2}>
        <Text size="xs" c="dimmed">
          {label}
        </Text>
        <Copy value={text} what={label} />
      </Group>
      <Code block className={classes.code} mah={360} tabIndex={0} role="region" aria-label={label}>
        {text || '(empty)'}
      </Code>
    </Box>
  )
}

function prettyPrinted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
