import { ActionIcon, Button, Menu, SegmentedControl, Text, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconChevronDown, IconLogout, IconMoon, IconUser } from '@tabler/icons-react'
import { Link, useLocation, useNavigate } from 'react-router'
import { useMe, useSession } from '../data/session.tsx'
import { mayLeave } from '../ui/unsaved.tsx'
import classes from './frame.module.css'

/** Records exist in one mode and organization only: after a switch, the page of a record is left for its list. */
function useLeaveRecord() {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  return (cross: () => void) => {
    if (!mayLeave()) return
    cross()
    const list = pathname.replace(/\/[0-9a-f]{8}-[0-9a-f-]{27}(\/.*)?$/, '')
    if (list !== pathname) void navigate(list)
  }
}

export function OrganizationMenu() {
  const { organization, organizations } = useMe()
  const { chooseOrganization } = useSession()
  const leaveRecord = useLeaveRecord()
  if (organizations.length < 2)
    return (
      <Text size="sm" c="dimmed" truncate className={classes.organization}>
        {organization.name}
      </Text>
    )
  return (
    <Menu>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          rightSection={<IconChevronDown size={14} />}
          className={classes.organization}
        >
          {organization.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Your organizations</Menu.Label>
        {organizations.map(({ id, name }) => (
          <Menu.Item
            key={id}
            onClick={() => leaveRecord(() => chooseOrganization(id))}
            fw={id === organization.id ? 600 : undefined}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

export function ModeSwitch() {
  const { mode, chooseMode } = useSession()
  const leaveRecord = useLeaveRecord()
  return (
    <SegmentedControl
      size="xs"
      aria-label="Mode"
      value={mode}
      onChange={(value) => leaveRecord(() => chooseMode(value === 'live' ? 'live' : 'test'))}
      data={[
        { value: 'test', label: 'Test' },
        { value: 'live', label: 'Live' },
      ]}
    />
  )
}

const appearances = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['auto', 'System'],
] as const

export function AccountMenu() {
  const { leave } = useSession()
  const { user } = useMe()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
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
            {appearances.map(([scheme, label]) => (
              <Menu.Item
                key={scheme}
                onClick={() => setColorScheme(scheme)}
                rightSection={scheme === colorScheme && <IconCheck size={14} aria-label="chosen" />}
              >
                {label}
              </Menu.Item>
            ))}
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
