import type { api as types } from '@frontdesk/sdk'
import { api } from '../../app/api.ts'
import { useMe } from '../../app/session.tsx'
import { useRecord } from '../../parts/use-records.ts'

const nameOf = ({ name, email }: { name: string; email: string }) => name || email

export const memberChoices = (members: types.Member[]) =>
  members.map((member) => ({ value: member.id, label: nameOf(member) }))

/** The people of the organization, and how they are called here. */
export function useMembers() {
  const me = useMe().user
  const { data } = useRecord(['members'], (signal) => api.members.list({ limit: 100 }, { signal }))
  const members = data?.data ?? []
  return {
    me,
    members,
    nameOfMember(id: string | null): string | undefined {
      if (!id) return undefined
      if (id === me?.id) return 'You'
      const member = members.find((each) => each.id === id)
      return member && nameOf(member)
    },
  }
}
