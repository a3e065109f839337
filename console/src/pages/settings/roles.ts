import type { api as types } from '@frontdesk/sdk'
import { api } from '../../data/api.ts'
import { may } from '../../data/session.tsx'
import { useRecord } from '../../data/use-records.ts'
import { type Scope, summaryOf } from '../../records/scopes/scopes.ts'

const builtIn: { value: string; label: string; words: string }[] = [
  { value: 'owner', label: 'Owner', words: 'Everything, including managing owners' },
  { value: 'admin', label: 'Admin', words: 'Everything except managing owners' },
  {
    value: 'supervisor',
    label: 'Supervisor',
    words: 'Everything members can do, plus managing members below admin and viewing the audit log',
  },
  {
    value: 'member',
    label: 'Member',
    words: 'Inbox, contacts, tasks, campaigns and agents. No keys, webhooks, channels or members',
  },
  { value: 'read_only', label: 'Read-only', words: 'Can view everything members work with, but change nothing' },
]

interface RoleChoice {
  value: string
  label: string
  words: string
  scopes: Scope[]
  custom?: types.CustomRole
}

/** The built-in roles and those of the organization. */
export function useRoles() {
  const { data, error, refetch } = useRecord(['roles'], (signal) => api.roles.list({ signal }))
  const roles: RoleChoice[] = [
    ...builtIn.map((role) => ({
      ...role,
      scopes: data?.built_in.find((each) => each.role === role.value)?.scopes ?? [],
    })),
    ...(data?.data ?? []).map((custom) => ({
      value: custom.id,
      label: custom.name,
      words: summaryOf(custom.scopes),
      scopes: custom.scopes,
      custom,
    })),
  ]
  return {
    roles,
    isLoaded: data !== undefined,
    error,
    refetch,
    nameOf: (role: string) => roles.find(({ value }) => value === role)?.label ?? (data ? role : ''),
    /** Members give, and take away, at most what they have themselves. */
    canGive: (me: types.Me, role: string) => {
      const scopes = roles.find(({ value }) => value === role)?.scopes ?? []
      return (
        may(me, 'members:manage') &&
        (role !== 'owner' || me.user?.role === 'owner') &&
        scopes.every((scope) => may(me, scope))
      )
    },
  }
}
