import {
  IconBook2,
  IconCheckbox,
  IconCode,
  IconHome,
  IconInbox,
  IconMessage2,
  IconPhone,
  IconRobot,
  IconSettings,
  IconSpeakerphone,
  IconUsers,
} from '@tabler/icons-react'

interface Place {
  path: string
  label: string
  icon: typeof IconHome
}

/** The menu, grouped by work. */
export const places: { group: string; places: Place[] }[] = [
  { group: 'Overview', places: [{ path: '/', label: 'Dashboard', icon: IconHome }] },
  {
    group: 'Conversations',
    places: [
      { path: '/inbox', label: 'Inbox', icon: IconInbox },
      { path: '/contacts', label: 'Contacts', icon: IconUsers },
      { path: '/tasks', label: 'Tasks', icon: IconCheckbox },
    ],
  },
  {
    group: 'Outreach',
    places: [
      { path: '/campaigns', label: 'Campaigns', icon: IconSpeakerphone },
      { path: '/templates', label: 'Templates', icon: IconMessage2 },
    ],
  },
  {
    group: 'Automation',
    places: [
      { path: '/agents', label: 'Agents', icon: IconRobot },
      { path: '/calls', label: 'Calls', icon: IconPhone },
      { path: '/knowledge', label: 'Knowledge', icon: IconBook2 },
    ],
  },
  {
    group: 'Workspace',
    places: [
      { path: '/developers', label: 'Developers', icon: IconCode },
      { path: '/settings', label: 'Settings', icon: IconSettings },
    ],
  },
]

export const allPlaces = places.flatMap((group) => group.places)
