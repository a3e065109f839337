import { Anchor, Box, Group, Skeleton, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Copy } from './copy.tsx'
import { Page } from './page.tsx'

/** The page of a record, or another page below a list: back link, name, status, ID and actions. */
export function RecordPage({
  list,
  title,
  fallback = '',
  icon,
  status,
  id,
  details,
  actions,
  children,
}: {
  list: { to: string; label: string }
  /** The name of the record; a skeleton is shown while it loads. */
  title: string | undefined
  /** The title of the browser tab while the record loads. */
  fallback?: string
  icon?: ReactNode
  status?: ReactNode
  id?: string
  /** A line below the name. */
  details?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <Page
      title={title ?? fallback}
      head={
        <Box miw={0} maw="100%">
          <Anchor component={Link} to={list.to} size="sm">
            {list.label}
          </Anchor>
          <Group gap="sm">
            {icon}
            <Title order={1} style={{ overflowWrap: 'anywhere' }}>
              {title === undefined ? <Skeleton height={28} width={220} /> : <bdi>{title}</bdi>}
            </Title>
            {status}
          </Group>
          {(details || id) && (
            <Group gap={4}>
              <Text size="xs" c="dimmed" component="div">
                {details}
                {details && id && ' · '}
                {id}
              </Text>
              {id && <Copy value={id} what="ID" />}
            </Group>
          )}
        </Box>
      }
      actions={actions}
    >
      {children}
    </Page>
  )
}
