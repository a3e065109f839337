import { Button, Code, Group, Popover, Text } from '@mantine/core'
import { IconTerminal2 } from '@tabler/icons-react'
import { Copy } from './copy.tsx'

/** "Open in API": the request behind what is on screen. */
export function ApiRequest({ method, path }: { method: string; path: string }) {
  const request = method === 'GET' ? '' : `-X ${method} `
  const line = `curl ${request}'${location.origin}/api/v1${path}' \\\n  -H "Authorization: Bearer $FRONTDESK_KEY"`
  return (
    <Popover width={460} position="bottom-end" withArrow shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="subtle" color="gray" size="xs" leftSection={<IconTerminal2 size={14} />}>
          Open in API
        </Button>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 24px)">
        <Group justify="space-between">
          <Text size="xs" c="dimmed">
            The request that made this page
          </Text>
          <Copy value={line} what="curl" />
        </Group>
        <Code block tabIndex={0}>
          {line}
        </Code>
      </Popover.Dropdown>
    </Popover>
  )
}
