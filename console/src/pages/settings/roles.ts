import type { api as types } from '@frontdesk/sdk'

export type Role = types.Member['role']

export const roles: { value: Role; label: string; words: string }[] = [
  { value: 'owner', label: 'Owner', words: 'Everything, including managing owners' },
  { value: 'admin', label: 'Admin', words: 'Everything except managing owners' },
  {
    value: 'member',
    label: 'Member',
    words: 'Inbox, contacts, tasks, campaigns and agents. No keys, webhooks, channels or members',
  },
]

export const nameOfRole = (role: Role) => roles.find(({ value }) => value === role)?.label ?? role
