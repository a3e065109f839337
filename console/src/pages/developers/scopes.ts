import type { api as types } from '@frontdesk/sdk'

export type Scope = types.NewKey['scopes'][number]

/** What each scope opens, in words, grouped by what it is about. */
export const scopeGroups: { label: string; scopes: [Scope, string][] }[] = [
  {
    label: 'Contacts and tasks',
    scopes: [
      ['contacts:read', 'See contacts, timelines, tasks, colleagues and the dashboard'],
      ['contacts:write', 'Create, change, import and delete contacts, notes and tasks'],
    ],
  },
  {
    label: 'Inbox',
    scopes: [
      ['inbox:read', 'Read conversations and their files'],
      ['inbox:write', 'Answer customers, close and reopen conversations'],
    ],
  },
  {
    label: 'Campaigns',
    scopes: [['campaigns:manage', 'Create and send campaigns, manage templates, see channels']],
  },
  {
    label: 'Agents',
    scopes: [
      ['agents:read', 'See agents and how they are set up'],
      ['agents:write', 'Create, change and delete agents'],
    ],
  },
  {
    label: 'Calls',
    scopes: [
      ['calls:read', 'See calls, hear recordings, read transcripts'],
      ['calls:dispatch', 'Make calls; in live mode they cost money'],
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
    scopes: [['webhooks:admin', 'Manage webhooks. They receive only events that the key’s other scopes may read']],
  },
]

export const fullAccessWords = 'Everything, also keys, channels and the settings of the organization'

/** Short enough for a row: "Full access", "Contacts and tasks, Inbox". */
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
