import type { api as types } from '@frontdesk/sdk'
import { api } from '../../data/api.ts'
import { useMe } from '../../data/session.tsx'
import { useRecord } from '../../data/use-records.ts'

const callName = ({ name, email }: Pick<types.Member, 'name' | 'email'>) => name || email

/** For a field or a menu to choose from. */
export const memberChoices = (members: types.Member[]) =>
  members.map((member) => ({ value: member.id, label: callName(member) }))

/** The people of the organization, for places that name them. */
export function useMembers() {
  const me = useMe().user
  const { data } = useRecord(['members'], (signal) => api.members.list({ limit: 100 }, { signal }))
  const members = data?.data ?? []
  return {
    me,
    members,
    /** Within a sentence one is 'you'; where the name stands alone, 'You'. */
    nameOf(id: string | null, you: 'you' | 'You' = 'you'): string | undefined {
      if (!id) return undefined
      if (id === me?.id) return you
      const member = members.find((each) => each.id === id)
      return member && callName(member)
    },
  }
}
