import type { api as types } from '@frontdesk/sdk'
import { useCallback } from 'react'
import { api } from '../../data/api.ts'
import { useMe } from '../../data/session.tsx'
import { useRecord } from '../../data/use-records.ts'

const callName = ({ name, email }: Pick<types.Member, 'name' | 'email'>) => name || email

/** Choices for a select or a menu. */
export const memberChoices = (members: types.Member[]) =>
  members.map((member) => ({ value: member.id, label: callName(member) }))

const none: types.Member[] = []

/** All members of the organization, by name. They are loaded page by page. */
export function useMembers() {
  const me = useMe().user
  const { data: members = none } = useRecord(['members', 'all'], async (signal) => {
    const all: types.Member[] = []
    for await (const each of api.members.list({ limit: 100 }, { signal })) all.push(each)
    return all.sort((one, other) => callName(one).localeCompare(callName(other)))
  })
  const myId = me?.id
  /** The signed-in member is 'you' within a sentence and 'You' alone. */
  const nameOf = useCallback(
    (id: string | null, you: 'you' | 'You' = 'you'): string | undefined => {
      if (!id) return undefined
      if (id === myId) return you
      const member = members.find((each) => each.id === id)
      return member && callName(member)
    },
    [members, myId],
  )
  return { me, members, nameOf }
}
