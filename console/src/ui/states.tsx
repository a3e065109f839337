import { Alert, Anchor, Button, Center, Code, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { isRouteErrorResponse, Link, useRouteError } from 'react-router'
import { errorText } from './error-text.ts'
import classes from './list.module.css'

/** Nothing is here yet: what this is, and the first step. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Center py={64} px="md">
      <Stack align="center" gap="xs" maw={420}>
        <Title order={2} ta="center">
          {title}
        </Title>
        <Text c="dimmed" ta="center" component="div">
          {children}
        </Text>
        {action}
      </Stack>
    </Center>
  )
}

/** The filters leave nothing over. */
export function NothingMatches({ title, children, clear }: { title: string; children?: ReactNode; clear(): void }) {
  return (
    <EmptyState
      title={title}
      action={
        <Button variant="default" onClick={clear}>
          Clear the filters
        </Button>
      }
    >
      {children ?? 'Nothing here fits what you are looking for.'}
    </EmptyState>
  )
}

/** What went wrong and a way to try again. */
export function ErrorState({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <Alert color="red" variant="light" title="This could not be loaded" m="md" role="alert">
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
    // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
    <Table.Tr key={row} aria-hidden className={classes.skeletons}>
      {Array.from({ length: columns }, (_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
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

/** A fault of ours: the page says so and stays usable. */
export function CrashPage() {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 404) return <MissingPage />
  // A new version was installed while this tab was open: its parts have other names now.
  const isOutdated = error instanceof TypeError && /import|fetch/i.test(error.message)
  return (
    <EmptyState
      title={isOutdated ? 'There is a new version' : 'Something went wrong on this page'}
      action={
        <Group>
          <Button onClick={() => location.reload()}>Load it again</Button>
        </Group>
      }
    >
      {isOutdated ? 'Frontdesk was updated while this page was open.' : <Code>{errorText(error)}</Code>}
    </EmptyState>
  )
}
