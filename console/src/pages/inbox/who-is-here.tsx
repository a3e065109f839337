import { IconEye, IconPencil } from '@tabler/icons-react'
import { useMembers } from '../../records/members/use-members.ts'
import classes from './inbox.module.css'
import type { Other } from './use-presence.ts'

const list = new Intl.ListFormat('en')

/** Says who else is viewing the conversation or replying in it. */
export function WhoIsHere({ others }: { others: Other[] }) {
  const { nameOf } = useMembers()
  if (others.length === 0) return null
  const typing = others.filter(({ isTyping }) => isTyping)
  const shown = typing.length > 0 ? typing : others
  const names = shown.map(({ memberId }) => nameOf(memberId) ?? 'A colleague')
  const verb = names.length === 1 ? 'is' : 'are'
  return (
    <p className={classes.whoIsHere} data-typing={typing.length > 0 || undefined} role="status">
      {typing.length > 0 ? <IconPencil size={14} /> : <IconEye size={14} />}
      <span>
        {list.format(names)} {verb} {typing.length > 0 ? 'replying' : 'viewing this conversation'}
      </span>
    </p>
  )
}
