import type { api as types } from '@frontdesk/sdk'
import { Badge, Group, Table, Text, Tooltip } from '@mantine/core'
import { IconBrowser, IconPhoneIncoming, IconPhoneOutgoing } from '@tabler/icons-react'
import { Link } from 'react-router'
import { clock, money, otherSide, reasonOf, statusOf, whoOf } from '../../records/calls/call-words.ts'
import { Moment } from '../../ui/moment.tsx'
import { Status } from '../../ui/status.tsx'
import classes from './calls.module.css'
import { Running } from './running.tsx'

export function CallRow({
  call,
  agentName,
  onOpen,
}: {
  call: types.Call
  agentName: string | undefined
  onOpen(): void
}) {
  const isLive = call.status === 'in-progress'
  const [tone, word] = statusOf(call)
  return (
    <Table.Tr onClick={onOpen} style={{ cursor: 'pointer' }} data-live={isLive || undefined} className={classes.row}>
      <Table.Td maw={260}>
        <Group gap="xs" wrap="nowrap">
          <Way call={call} />
          <div style={{ minWidth: 0 }}>
            <Link to={`/calls/${call.id}`} className={classes.who} onClick={(event) => event.stopPropagation()}>
              <bdi>{whoOf(call)}</bdi>
            </Link>
            {call.contact_name && (
              <Text size="xs" c="dimmed">
                {otherSide(call)}
              </Text>
            )}
            <Text size="xs" c="dimmed" hiddenFrom="sm" component="div">
              <Moment at={call.started_at} />
              {call.duration_seconds > 0 && ` · ${clock(call.duration_seconds)}`}
            </Text>
          </div>
        </Group>
      </Table.Td>
      <Table.Td maw={180} visibleFrom="sm">
        <Text size="sm" truncate>
          {agentName ?? (call.agent_id ? '' : 'Deleted')}
        </Text>
      </Table.Td>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          <Status tone={tone}>{word}</Status>
          {isLive && (
            <Badge size="xs" color="red.9" variant="filled">
              Live
            </Badge>
          )}
        </Group>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm" c="dimmed" lineClamp={1}>
          {reasonOf(call) || '–'}
        </Text>
      </Table.Td>
      <Table.Td ta="right" visibleFrom="sm">
        {isLive ? <Running call={call} /> : call.duration_seconds ? clock(call.duration_seconds) : '–'}
      </Table.Td>
      <Table.Td ta="right" visibleFrom="sm">
        {call.cost_breakdown ? money(call.cost) : '–'}
      </Table.Td>
      <Table.Td visibleFrom="sm" style={{ whiteSpace: 'nowrap' }}>
        <Moment at={call.started_at} />
      </Table.Td>
    </Table.Tr>
  )
}

export function Way({ call: { medium, direction } }: { call: Pick<types.Call, 'medium' | 'direction'> }) {
  const [Icon, label] =
    medium === 'web'
      ? ([IconBrowser, 'From a browser'] as const)
      : direction === 'outbound'
        ? ([IconPhoneOutgoing, 'Made by us'] as const)
        : ([IconPhoneIncoming, 'Received'] as const)
  return (
    <Tooltip label={label}>
      <Icon size={18} stroke={1.6} role="img" aria-label={label} style={{ flex: 'none' }} />
    </Tooltip>
  )
}
