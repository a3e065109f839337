import { Select, type SelectProps } from '@mantine/core'
import { useMe } from '../app/session.tsx'
import { useMembers } from './use-members.ts'

/** Somebody of the organization; oneself first. */
export function MemberSelect(props: Omit<SelectProps, 'data'>) {
  const { user } = useMe()
  const { members } = useMembers()
  const sorted = [...members].sort((one, other) => Number(other.id === user?.id) - Number(one.id === user?.id))
  return (
    <Select
      searchable={members.length > 8}
      {...props}
      data={sorted.map(({ id, name, email }) => ({
        value: id,
        label: id === user?.id ? `${name || email} (you)` : name || email,
      }))}
    />
  )
}
