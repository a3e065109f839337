import type { api as types } from '@frontdesk/sdk'

export type Scope = types.NewKey['scopes'][number]

/** All scopes with descriptions, grouped by noun. */
export const scopeGroups: { label: string; scopes: [Scope, string][] }[] = [
  {
    label: 'Contacts and tasks',
    scopes: [
      ['contacts:read', 'View contacts, timelines, tasks, members and the dashboard'],
      ['contacts:write', 'Create, edit, import and delete contacts, notes and tasks'],
    ],
  },
  {
    label: 'Inbox',
    scopes: [
      ['inbox:read', 'Read conversations and their files'],
      ['inbox:write', 'Reply to customers, close and reopen conversations'],
    ],
  },
  {
    label: 'Campaigns',
    scopes: [
      ['campaigns:read', 'View campaigns, reports, templates and channels'],
      ['campaigns:manage', 'Create and send campaigns, manage templates, view channels'],
    ],
  },
  {
    label: 'Agents',
    scopes: [
      ['agents:read', 'View agents and their settings'],
      ['agents:write', 'Create, edit and delete agents'],
    ],
  },
  {
    label: 'Calls',
    scopes: [
      ['calls:read', 'View calls, recordings and transcripts'],
      ['calls:listen', 'Listen to calls while they run'],
      ['calls:dispatch', 'Make calls. Live calls cost money'],
    ],
  },
  {
    label: 'Knowledge',
    scopes: [
      ['knowledge:read', 'List, download and search documents'],
      ['knowledge:write', 'Upload and delete documents'],
    ],
  },
  {
    label: 'Webhooks',
    scopes: [['webhooks:admin', 'Manage webhooks. They receive only events that the other permissions allow reading']],
  },
  {
    label: 'Administration',
    scopes: [
      ['members:manage', 'Invite, change and remove members and roles, up to these permissions'],
      ['audit:read', 'View and export the audit log'],
    ],
  },
]

export const fullAccessText = 'Everything, including keys, channels and organization settings'

/** A short summary for a row: "Full access", "Contacts and tasks, Inbox". */
export function summaryOf(scopes: Scope[]): string {
  if (scopes.includes('full_access')) return 'Full access'
  const groups = scopeGroups.filter((group) => group.scopes.some(([scope]) => scopes.includes(scope)))
  return groups
    .map((group) => {
      const held = group.scopes.filter(([scope]) => scopes.includes(scope))
      const isPart = held.length < group.scopes.length
      return isPart && held[0]?.[0].endsWith(':read') ? `${group.label} (read)` : group.label
    })
    .join(', ')
}
