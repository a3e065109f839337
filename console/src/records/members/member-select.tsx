import { Select, type SelectProps } from '@mantine/core'
import { memberChoices, useMembers } from './use-members.ts'

/** Picks a member. The signed-in member comes first. */
export function MemberSelect(props: Omit<SelectProps, 'data'>) {
  const { members, me } = useMembers()
  const choices = memberChoices(members)
    .map(({ value, label }) => ({ value, label: value === me?.id ? `${label} (you)` : label }))
    .sort((one, other) => Number(other.value === me?.id) - Number(one.value === me?.id))
  return <Select searchable={members.length > 8} {...props} data={choices} />
}
