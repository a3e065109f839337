import {
  ActionIcon,
  AppShell,
  Box,
  Burger,
  Button,
  Group,
  NavLink as NavItem,
  ScrollArea,
  Text,
  Tooltip,
} from '@mantine/core'
import { useDisclosure, useHotkeys, useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { spotlight } from '@mantine/spotlight'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconSearch } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { Link, Navigate, Outlet, useLocation } from 'react-router'
import { api } from '../data/api.ts'
import { useLiveUpdates } from '../data/live.ts'
import { may, useMe, useSession } from '../data/session.tsx'
import { useRecord } from '../data/use-records.ts'
import { ImportWatch } from '../records/contacts/watched-imports.tsx'
import { TaskFormProvider } from '../records/tasks/task-form.tsx'
import { UnsavedQuestion } from '../ui/unsaved.tsx'
import { useCampaignNews } from './campaign-notifications.ts'
import classes from './frame.module.css'
import { NotificationCenter } from './notifications/notification-center.tsx'
import { useAlerts } from './notifications/use-alerts.ts'
import { useMayBeNotified, useUnreadNotifications } from './notifications/use-notifications.ts'
import { usePushRenewal } from './notifications/use-push-renewal.ts'
import { useReadOpenTicket } from './notifications/use-read-open-ticket.ts'
import { useUnreadMark } from './notifications/use-unread-mark.ts'
import { OfflineBanner } from './offline-banner.tsx'
import { allPlacesOf, placesOf } from './places.ts'
import { RemoveSkeleton } from './remove-skeleton.tsx'
import { AccountMenu, ModeSwitch, OrganizationMenu } from './top-bar.tsx'

/** Loaded when the search is first opened. */
const SearchEverything = lazy(async () => ({
  default: (await import('./search-everything.tsx')).SearchEverything,
}))

const searchKeys = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'

const isAt = (path: string, at: string) => (path === '/' ? at === '/' : at === path || at.startsWith(`${path}/`))

/** The frame of every page: menu, top bar and the test-mode band. */
export function Frame() {
  const { mode } = useSession()
  const me = useMe()
  const { organization } = me
  // Members who cannot see the dashboard start on their first page.
  const home = allPlacesOf(me)[0]?.path ?? '/settings'
  const [opened, { toggle, close }] = useDisclosure()
  const [folded, setFolded] = useLocalStorage({ key: 'rail-folded', defaultValue: false })
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const { pathname } = useLocation()
  const unread = useUnread()
  const [hasSearch, loadSearch] = useDisclosure()
  const search = () => {
    loadSearch.open()
    spotlight.open()
  }
  useHotkeys([['mod + K', search]], [])
  useLiveUpdates()
  useCampaignNews()
  useAlerts()
  usePushRenewal()
  const unreadNotifications = useUnreadNotifications()
  const mayBeNotified = useMayBeNotified()
  useUnreadMark(unreadNotifications)
  useReadOpenTicket(unreadNotifications)
  return (
    <TaskFormProvider>
      <AppShell
        header={{ height: mode === 'test' ? 72 : 48 }}
        navbar={{ width: folded ? 60 : 208, breakpoint: 'sm', collapsed: { mobile: !opened } }}
        footer={{ height: isPhone ? 56 : 0 }}
        padding={0}
      >
        <button type="button" className={classes.skip} onClick={focusContent}>
          Skip to content
        </button>
        <AppShell.Header>
          <Group h={48} px="md" gap="xs" wrap="nowrap" className={classes.top}>
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            <Link to="/" className={classes.brand} aria-label="Frontdesk dashboard">
              <img src="/favicon.svg" alt="" width={20} />
              <Text fw={700} visibleFrom="sm">
                Frontdesk
              </Text>
            </Link>
            <OrganizationMenu />
            <div className={classes.spacer} />
            <Button
              variant="default"
              size="xs"
              leftSection={<IconSearch size={14} />}
              rightSection={<kbd className={classes.kbd}>{searchKeys}</kbd>}
              onClick={search}
              visibleFrom="sm"
            >
              Search
            </Button>
            <ActionIcon variant="default" hiddenFrom="sm" onClick={search} aria-label="Search">
              <IconSearch size={16} />
            </ActionIcon>
            <ModeSwitch />
            {mayBeNotified && <NotificationCenter unread={unreadNotifications} />}
            <AccountMenu />
          </Group>
          {mode === 'test' && (
            <div className={classes.band} role="status">
              Test mode: messages and calls stay on this machine
            </div>
          )}
        </AppShell.Header>

        <AppShell.Navbar component="nav" aria-label="Main">
          <ScrollArea flex={1} p="xs">
            {placesOf(me).map(({ group, places }) => (
              <Box key={group} mb="sm">
                {!folded && (
                  <Text size="xs" c="dimmed" px="xs" mb={2}>
                    {group}
                  </Text>
                )}
                {places.map(({ path, label, icon: Icon }) => (
                  <Tooltip key={path} label={label} position="right" disabled={!folded}>
                    <NavItem
                      component={Link}
                      to={path}
                      label={folded ? undefined : label}
                      aria-label={
                        folded ? (path === '/inbox' && unread > 0 ? `${label}, ${unread} unread` : label) : undefined
                      }
                      aria-current={isAt(path, pathname) ? 'page' : undefined}
                      active={isAt(path, pathname)}
                      leftSection={<Icon size={18} stroke={1.6} />}
                      rightSection={path === '/inbox' && !folded && <Unread count={unread} />}
                      onClick={close}
                      className={classes.item}
                    />
                  </Tooltip>
                ))}
              </Box>
            ))}
          </ScrollArea>
          <Box p="xs" visibleFrom="sm">
            <ActionIcon
              variant="subtle"
              color="gray"
              onClick={() => setFolded(!folded)}
              aria-label={folded ? 'Expand menu' : 'Collapse menu'}
            >
              {folded ? <IconLayoutSidebarLeftExpand size={18} /> : <IconLayoutSidebarLeftCollapse size={18} />}
            </ActionIcon>
          </Box>
        </AppShell.Navbar>

        <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
          <OfflineBanner />
          {pathname === '/' && home !== '/' ? (
            <Navigate to={home} replace />
          ) : (
            <Outlet key={`${mode} ${organization.id}`} />
          )}
        </AppShell.Main>

        {isPhone && (
          <AppShell.Footer component="nav" aria-label="Shortcuts">
            <Group grow gap={0} h="100%">
              {['/inbox', '/contacts', '/tasks', '/campaigns'].map((path) => {
                const place = allPlacesOf(me).find((each) => each.path === path)
                if (!place) return null
                const Icon = place.icon
                return (
                  <Link key={path} to={path} className={classes.tab} data-active={isAt(path, pathname) || undefined}>
                    <Icon size={20} stroke={1.6} />
                    <span>
                      {place.label} {path === '/inbox' && <Unread count={unread} />}
                    </span>
                  </Link>
                )
              })}
            </Group>
          </AppShell.Footer>
        )}
        {hasSearch && (
          <Suspense>
            <SearchEverything />
          </Suspense>
        )}
        <ImportWatch />
        <RemoveSkeleton />
        <UnsavedQuestion />
      </AppShell>
    </TaskFormProvider>
  )
}

/** Not a link to the fragment: its history entry would be unknown to the router, which then cannot block leaving it. */
const focusContent = () => document.getElementById('content')?.focus()

/** Number of open conversations with unread messages. */
function useUnread(): number {
  const enabled = may(useMe(), 'inbox:read')
  const ask = (signal: AbortSignal) => api.inbox.listTickets({ status: 'open', unread: true, limit: 1 }, { signal })
  return useRecord(['tickets', 'unread'], ask, { enabled }).data?.total ?? 0
}

function Unread({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span className={classes.unread}>
      {count > 99 ? '99+' : count}
      <span className="sr-only"> unread</span>
    </span>
  )
}
