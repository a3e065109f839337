import { Alert, Anchor, Button, Center, Code, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { isRouteErrorResponse, Link, useRouteError } from 'react-router'
import { errorText } from './error-text.ts'
import classes from './list.module.css'

/** An empty list or page: what belongs here, and the first step. */
export function EmptyState({
  title,
  children,
  action,
  isNarrow = false,
}: {
  title: string
  children?: ReactNode
  action?: ReactNode
  isNarrow?: boolean
}) {
  return (
    <Center py={isNarrow ? 'xl' : 64} px="md">
      <Stack align="center" gap="xs" maw={420}>
        {isNarrow ? (
          <Text fw={600}>{title}</Text>
        ) : (
          <Title order={2} ta="center">
            {title}
          </Title>
        )}
        <Text c="dimmed" ta="center" component="div" size={isNarrow ? 'sm' : 'md'}>
          {children}
        </Text>
        {action}
      </Stack>
    </Center>
  )
}

/** An error with a retry button. */
export function ErrorState({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <Alert color="red" variant="light" title="Could not load this" m="md" role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{errorText(error)}</Text>
        {retry && (
          <Button size="xs" variant="default" leftSection={<IconRefresh size={14} />} onClick={retry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

export function RowSkeletons({ columns, rows = 8 }: { columns: number; rows?: number }) {
  return Array.from({ length: rows }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
    <Table.Tr key={row} aria-hidden className={classes.skeletons}>
      {Array.from({ length: columns }, (_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <Table.Td key={column}>
          <Skeleton height={14} width={`${50 + ((row * 7 + column * 13) % 40)}%`} />
        </Table.Td>
      ))}
    </Table.Tr>
  ))
}

export function MissingPage() {
  return (
    <EmptyState
      title="Page not found"
      action={
        <Anchor component={Link} to="/">
          Go to the dashboard
        </Anchor>
      }
    />
  )
}

/** Shown when a page throws. The rest of the console stays usable. */
export function CrashPage() {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 404) return <MissingPage />
  // After an update the chunks of this tab's version are gone.
  const isOutdated = error instanceof TypeError && /import|fetch/i.test(error.message)
  return (
    <EmptyState
      title={isOutdated ? 'New version available' : 'Something went wrong'}
      action={
        <Group>
          <Button onClick={() => location.reload()}>Reload</Button>
        </Group>
      }
    >
      {isOutdated ? 'Frontdesk was updated while this page was open.' : <Code>{errorText(error)}</Code>}
    </EmptyState>
  )
}
