import type { api as types } from '@frontdesk/sdk'

export type Role = types.Member['role']

export const roles: { value: Role; label: string; words: string }[] = [
  { value: 'owner', label: 'Owner', words: 'Everything, and decides who else is an owner' },
  { value: 'admin', label: 'Admin', words: 'Everything, also keys, webhooks, channels and people, but not owners' },
  {
    value: 'member',
    label: 'Member',
    words: 'The daily work: inbox, contacts, tasks, campaigns, agents. No keys, webhooks, channels or people',
  },
]

export const nameOfRole = (role: Role) => roles.find(({ value }) => value === role)?.label ?? role
