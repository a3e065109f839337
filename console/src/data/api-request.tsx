import { Anchor, Button, Popover, Stack, Text } from '@mantine/core'
import { IconTerminal2 } from '@tabler/icons-react'
import { Link } from 'react-router'
import { Snippet } from '../ui/snippet.tsx'
import { type ApiCall, curlOf, docsAddressOf, sdkOf } from './request-lines.ts'
import { useSession } from './session.tsx'

/** "Open in API": the request behind what is on screen, as curl and as TypeScript. */
export function ApiRequest({ method, path, body }: ApiCall) {
  const { mode } = useSession()
  const call = { method: method.toUpperCase(), path: path.replace(/^\/api\/v1(?=\/)/, ''), body }
  const sdk = sdkOf(call)
  return (
    <Popover width={460} position="bottom-end" withArrow shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="subtle" color="gray" size="xs" px={{ base: 8, sm: 14 }} aria-label="Open in API">
          <IconTerminal2 size={14} aria-hidden />
          {/* Phones show the icon only. */}
          <Text span inherit ml={8} visibleFrom="sm">
            Open in API
          </Text>
        </Button>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 24px)" aria-label="API request">
        <Stack gap="sm">
          <Snippet label="curl" code={curlOf(call, location.origin)} />
          {sdk && <Snippet label="TypeScript" code={sdk} />}
          <Text size="xs" c="dimmed">
            Needs a {mode} key of this organization:{' '}
            <Anchor component={Link} to="/developers/keys" underline="always" inherit>
              create one
            </Anchor>
            .{' '}
            <Anchor href={docsAddressOf(call)} target="_blank" rel="noreferrer" underline="always" inherit>
              Show in the API reference
            </Anchor>
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
