import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, Anchor, Button, Group, Indicator, Popover, ScrollArea, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBell, IconSettings } from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router'
import { api } from '../../data/api.ts'
import { useRefresh } from '../../data/use-records.ts'
import { Moment } from '../../ui/moment.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { showFault } from '../../ui/undo.tsx'
import { titleOf } from './notification-text.ts'
import classes from './notifications.module.css'
import { useNotificationList } from './use-notifications.ts'

/** The bell in the top bar, with the member's notifications. */
export function NotificationCenter({ unread }: { unread: number }) {
  const [opened, { toggle, close }] = useDisclosure()
  const words = unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'
  return (
    <Popover
      opened={opened}
      onChange={(open) => !open && close()}
      position="bottom-end"
      width={360}
      shadow="md"
      trapFocus
    >
      <Indicator label={unread > 99 ? '99+' : unread} size={16} offset={5} disabled={unread === 0} color="red.8">
        <Popover.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={words} onClick={toggle}>
            <IconBell size={18} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p={0} maw="calc(100vw - 16px)">
        {opened && <List unread={unread} close={close} />}
      </Popover.Dropdown>
    </Popover>
  )
}

function List({ unread, close }: { unread: number; close(): void }) {
  const refresh = useRefresh('notifications')
  const navigate = useNavigate()
  const list = useNotificationList(true)
  const readAll = () => api.notifications.read({}).then(refresh, showFault)
  const open = ({ ticket_id }: types.Notification) => {
    close()
    void navigate(`/inbox/${ticket_id}`)
    // All about this ticket: a newer one may have replaced it meanwhile.
    api.notifications.read({ ticket_id }).then(refresh, showFault)
  }
  return (
    <section aria-label="Notifications">
      <Group justify="space-between" p="sm" className={classes.head}>
        <Text fw={600}>Notifications</Text>
        <Group gap={4}>
          <Button size="compact-xs" variant="subtle" disabled={unread === 0} onClick={() => void readAll()}>
            Mark all as read
          </Button>
          <ActionIcon
            component={Link}
            to="/settings/notifications"
            onClick={close}
            variant="subtle"
            color="gray"
            aria-label="Notification settings"
          >
            <IconSettings size={16} />
          </ActionIcon>
        </Group>
      </Group>
      <ScrollArea.Autosize mah="min(440px, calc(100vh - 160px))">
        {list.error && list.rows.length === 0 ? (
          <ErrorState error={list.error} retry={list.refetch} />
        ) : list.rows.length === 0 && !list.isLoading ? (
          <EmptyState title="No notifications" isNarrow>
            Assignments, messages in your conversations and mentions appear here.
          </EmptyState>
        ) : (
          <ul className={classes.list}>
            {list.rows.map((each) => (
              <li key={each.id}>
                <UnstyledButton
                  className={classes.entry}
                  data-unread={each.read_at === null || undefined}
                  onClick={() => open(each)}
                >
                  <Text size="sm" fw={each.read_at === null ? 600 : undefined} dir="auto">
                    {titleOf(each)}
                    {each.read_at === null && <span className="sr-only">, unread</span>}
                  </Text>
                  <Text size="xs" c="dimmed" lineClamp={2} dir="auto">
                    {each.preview}
                  </Text>
                  <Text size="xs" c="dimmed">
                    <Moment at={each.created_at} />
                  </Text>
                </UnstyledButton>
              </li>
            ))}
          </ul>
        )}
        {list.hasNextPage && <MoreButton list={list} />}
      </ScrollArea.Autosize>
      {'Notification' in window && Notification.permission === 'default' && (
        <Text size="xs" c="dimmed" p="sm">
          <Anchor component={Link} to="/settings/notifications" onClick={close} size="xs">
            Turn on notifications on this device
          </Anchor>
        </Text>
      )}
    </section>
  )
}
