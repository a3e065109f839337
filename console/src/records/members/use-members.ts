import type { api as types } from '@frontdesk/sdk'
import { api } from '../../data/api.ts'
import { useMe } from '../../data/session.tsx'
import { useRecord } from '../../data/use-records.ts'

const callName = ({ name, email }: Pick<types.Member, 'name' | 'email'>) => name || email

/** Choices for a select or a menu. */
export const memberChoices = (members: types.Member[]) =>
  members.map((member) => ({ value: member.id, label: callName(member) }))

/** The members of the organization. */
export function useMembers() {
  const me = useMe().user
  const { data } = useRecord(['members'], (signal) => api.members.list({ limit: 100 }, { signal }))
  const members = data?.data ?? []
  return {
    me,
    members,
    /** The signed-in member is 'you' within a sentence and 'You' alone. */
    nameOf(id: string | null, you: 'you' | 'You' = 'you'): string | undefined {
      if (!id) return undefined
      if (id === me?.id) return you
      const member = members.find((each) => each.id === id)
      return member && callName(member)
    },
  }
}
