import { api } from '../app/api.ts'
import { useMe } from '../app/session.tsx'
import { useRecord } from './use-records.ts'

/** The people of the organization, for places that name them. */
export function useMembers() {
  const { user } = useMe()
  const { data } = useRecord(['members'], (signal) => api.members.list({ limit: 100 }, { signal }))
  const members = data?.data ?? []
  return {
    members,
    nameOf(id: string | null): string | undefined {
      if (id === null) return undefined
      if (id === user?.id) return 'you'
      const member = members.find((each) => each.id === id)
      return member && (member.name || member.email)
    },
  }
}
