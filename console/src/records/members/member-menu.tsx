import { Menu } from '@mantine/core'
import { memberChoices, useMembers } from './use-members.ts'

/** What a menu of members needs on its dropdown: many of them scroll. Typing the first letters of a name moves to it. */
export const memberDropdown = { mah: 360, style: { overflowY: 'auto' } } as const

/** Menu items that choose a member; the signed-in one comes first. */
export function MemberItems({ chosen, onChoose }: { chosen?: string | null; onChoose(id: string): void }) {
  const { members, me } = useMembers()
  return (
    <>
      {me && (
        <Menu.Item onClick={() => onChoose(me.id)} disabled={chosen === me.id}>
          Me
        </Menu.Item>
      )}
      {memberChoices(members.filter(({ id }) => id !== me?.id)).map(({ value, label }) => (
        <Menu.Item key={value} onClick={() => onChoose(value)} disabled={chosen === value}>
          {label}
        </Menu.Item>
      ))}
    </>
  )
}
