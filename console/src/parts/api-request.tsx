import { ActionIcon, Code, Group, Popover, Text, Tooltip } from '@mantine/core'
import { IconApi } from '@tabler/icons-react'
import { Copy } from './copy.tsx'

/** The request that made this page, ready to paste into a shell. */
export function ApiRequest({ method = 'GET', path }: { method?: string; path: string }) {
  const line = `curl ${method === 'GET' ? '' : `-X ${method} `}${location.origin}/api/v1${path} \\\n  -H "Authorization: Bearer $FRONTDESK_KEY"`
  return (
    <Popover position="bottom-end" withArrow width={420} shadow="md">
      <Popover.Target>
        <Tooltip label="Open in API">
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Open in API">
            <IconApi size={20} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown>
        <Group justify="space-between" mb="xs" wrap="nowrap">
          <Text size="sm">The request that made this page</Text>
          <Copy value={line} what="the curl line" />
        </Group>
        <Code block tabIndex={0}>
          {line}
        </Code>
      </Popover.Dropdown>
    </Popover>
  )
}
