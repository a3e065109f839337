import {
  ActionIcon,
  AppShell,
  Box,
  Burger,
  Button,
  Group,
  Menu,
  NavLink as NavItem,
  ScrollArea,
  SegmentedControl,
  Text,
  Tooltip,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure, useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { spotlight } from '@mantine/spotlight'
import {
  IconChevronDown,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconLogout,
  IconMoon,
  IconSearch,
  IconUser,
} from '@tabler/icons-react'
import { Link, Outlet, useLocation } from 'react-router'
import { useCampaignNews } from './campaign-news.ts'
import classes from './frame.module.css'
import { ImportWatch } from './import-watch.tsx'
import { useLiveUpdates } from './live.ts'
import { TaskFormProvider } from './new-task.tsx'
import { allPlaces, places } from './places.ts'
import { SearchEverything } from './search-everything.tsx'
import { useMe, useSession } from './session.tsx'

const isAt = (path: string, at: string) => (path === '/' ? at === '/' : at === path || at.startsWith(`${path}/`))

/** What stands around every page: the rail, the top bar, and the band that says when nothing is real. */
export function Frame() {
  const { mode } = useSession()
  const [opened, { toggle, close }] = useDisclosure()
  const [folded, setFolded] = useLocalStorage({ key: 'rail-folded', defaultValue: false })
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const { pathname } = useLocation()
  useLiveUpdates()
  useCampaignNews()
  return (
    <TaskFormProvider>
      <AppShell
        header={{ height: mode === 'test' ? 72 : 48 }}
        navbar={{ width: folded ? 60 : 208, breakpoint: 'sm', collapsed: { mobile: !opened } }}
        footer={{ height: isPhone ? 56 : 0 }}
        padding={0}
      >
        <a href="#content" className={classes.skip}>
          Skip to content
        </a>
        <AppShell.Header>
          <Group h={48} px="md" gap="xs" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            <Link to="/" className={classes.brand} aria-label="Frontdesk, to the dashboard">
              <img src="/favicon.svg" alt="" width={20} />
              <Text fw={700} visibleFrom="sm">
                Frontdesk
              </Text>
            </Link>
            <OrganizationMenu />
            <Box flex={1} />
            <Button
              variant="default"
              size="xs"
              leftSection={<IconSearch size={14} />}
              rightSection={<kbd className={classes.kbd}>⌘K</kbd>}
              onClick={() => spotlight.open()}
              visibleFrom="sm"
            >
              Search
            </Button>
            <ActionIcon variant="default" hiddenFrom="sm" onClick={() => spotlight.open()} aria-label="Search">
              <IconSearch size={16} />
            </ActionIcon>
            <ModeSwitch />
            <AccountMenu />
          </Group>
          {mode === 'test' && (
            <div className={classes.band} role="status">
              Test mode: nothing leaves this machine
            </div>
          )}
        </AppShell.Header>

        <AppShell.Navbar component="nav" aria-label="Main">
          <ScrollArea flex={1} p="xs">
            {places.map(({ group, places }) => (
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
                      aria-label={label}
                      aria-current={isAt(path, pathname) ? 'page' : undefined}
                      active={isAt(path, pathname)}
                      leftSection={<Icon size={18} stroke={1.6} />}
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
              aria-label={folded ? 'Unfold the menu' : 'Fold the menu'}
            >
              {folded ? <IconLayoutSidebarLeftExpand size={18} /> : <IconLayoutSidebarLeftCollapse size={18} />}
            </ActionIcon>
          </Box>
        </AppShell.Navbar>

        <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
          <Outlet key={mode} />
        </AppShell.Main>

        {isPhone && (
          <AppShell.Footer component="nav" aria-label="Shortcuts">
            <Group grow gap={0} h="100%">
              {['/inbox', '/contacts', '/tasks', '/campaigns'].map((path) => {
                const place = allPlaces.find((each) => each.path === path)
                if (!place) return null
                const Icon = place.icon
                return (
                  <Link key={path} to={path} className={classes.tab} data-active={isAt(path, pathname) || undefined}>
                    <Icon size={20} stroke={1.6} />
                    <span>{place.label}</span>
                  </Link>
                )
              })}
            </Group>
          </AppShell.Footer>
        )}
        <SearchEverything />
        <ImportWatch />
      </AppShell>
    </TaskFormProvider>
  )
}

function OrganizationMenu() {
  const { organization, organizations } = useMe()
  const { chooseOrganization } = useSession()
  if (organizations.length < 2)
    return (
      <Text size="sm" c="dimmed" truncate>
        {organization.name}
      </Text>
    )
  return (
    <Menu>
      <Menu.Target>
        <Button variant="subtle" color="gray" size="compact-sm" rightSection={<IconChevronDown size={14} />}>
          {organization.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Your organizations</Menu.Label>
        {organizations.map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => chooseOrganization(id)} fw={id === organization.id ? 600 : undefined}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function ModeSwitch() {
  const { mode, chooseMode } = useSession()
  return (
    <SegmentedControl
      size="xs"
      aria-label="Mode"
      value={mode}
      onChange={(value) => chooseMode(value === 'live' ? 'live' : 'test')}
      data={[
        { value: 'test', label: 'Test' },
        { value: 'live', label: 'Live' },
      ]}
    />
  )
}

function AccountMenu() {
  const { leave } = useSession()
  const { user } = useMe()
  const { setColorScheme } = useMantineColorScheme()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Your account">
          <IconUser size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user?.name || user?.email}</Menu.Label>
        <Menu.Item component={Link} to="/settings/account" leftSection={<IconUser size={14} />}>
          Your account
        </Menu.Item>
        <Menu.Sub>
          <Menu.Sub.Target>
            <Menu.Sub.Item leftSection={<IconMoon size={14} />}>Appearance</Menu.Sub.Item>
          </Menu.Sub.Target>
          <Menu.Sub.Dropdown>
            <Menu.Item onClick={() => setColorScheme('light')}>Light</Menu.Item>
            <Menu.Item onClick={() => setColorScheme('dark')}>Dark</Menu.Item>
            <Menu.Item onClick={() => setColorScheme('auto')}>As the system</Menu.Item>
          </Menu.Sub.Dropdown>
        </Menu.Sub>
        <Menu.Divider />
        <Menu.Item onClick={() => void leave()} leftSection={<IconLogout size={14} />}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
