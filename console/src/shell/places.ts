import type { api as types } from '@frontdesk/sdk'
import {
  IconBook2,
  IconChartBar,
  IconCheckbox,
  IconCode,
  IconHome,
  IconInbox,
  IconMessage2,
  IconPhone,
  IconRobot,
  IconServer,
  IconSettings,
  IconSpeakerphone,
  IconUsers,
} from '@tabler/icons-react'
import { may } from '../data/session.tsx'

interface Place {
  path: string
  label: string
  icon: typeof IconHome
  /** Permissions of which a member needs one to see this page. */
  scopes?: types.Me['scopes']
  isForOperators?: boolean
}

/** The menu, grouped by work. */
const groups: { group: string; places: Place[] }[] = [
  { group: 'Overview', places: [{ path: '/', label: 'Dashboard', icon: IconHome, scopes: ['contacts:read'] }] },
  {
    group: 'Conversations',
    places: [
      { path: '/inbox', label: 'Inbox', icon: IconInbox, scopes: ['inbox:read'] },
      { path: '/contacts', label: 'Contacts', icon: IconUsers, scopes: ['contacts:read'] },
      { path: '/tasks', label: 'Tasks', icon: IconCheckbox, scopes: ['contacts:read'] },
    ],
  },
  {
    group: 'Outreach',
    places: [
      {
        path: '/campaigns',
        label: 'Campaigns',
        icon: IconSpeakerphone,
        scopes: ['campaigns:manage', 'campaigns:read'],
      },
      { path: '/templates', label: 'Templates', icon: IconMessage2, scopes: ['campaigns:manage', 'campaigns:read'] },
    ],
  },
  {
    group: 'Automation',
    places: [
      { path: '/agents', label: 'Agents', icon: IconRobot, scopes: ['agents:read'] },
      { path: '/calls', label: 'Calls', icon: IconPhone, scopes: ['calls:read'] },
      { path: '/knowledge', label: 'Knowledge', icon: IconBook2, scopes: ['knowledge:read'] },
    ],
  },
  {
    group: 'Workspace',
    places: [
      {
        path: '/reports',
        label: 'Reports',
        icon: IconChartBar,
        scopes: ['inbox:read', 'calls:read', 'campaigns:manage', 'campaigns:read'],
      },
      { path: '/developers', label: 'Developers', icon: IconCode },
      { path: '/settings', label: 'Settings', icon: IconSettings },
      { path: '/installation', label: 'Installation', icon: IconServer, isForOperators: true },
    ],
  },
]

const allPlaces = groups.flatMap((group) => group.places)

const isFor =
  (me: types.Me) =>
  ({ scopes, isForOperators }: Place) =>
    (!scopes || may(me, ...scopes)) && (!isForOperators || me.is_operator)

/** The menu of this member: groups without a page are left out. */
export const placesOf = (me: types.Me) =>
  groups
    .map(({ group, places }) => ({ group, places: places.filter(isFor(me)) }))
    .filter(({ places }) => places.length > 0)

export const allPlacesOf = (me: types.Me) => allPlaces.filter(isFor(me))
