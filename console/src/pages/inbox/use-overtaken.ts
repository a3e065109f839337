import type { api as types } from '@frontdesk/sdk'
import { notifications } from '@mantine/notifications'
import { useRef } from 'react'
import { useMe } from '../../data/session.tsx'
import { useMembers } from '../../records/members/use-members.ts'

/** Away messages and requests for a rating answer nothing. */
const isReply = ({ direction, actor_type, payload }: types.Message) =>
  direction === 'outbound' && actor_type !== 'system' && !payload?.campaign_id

/**
 * Holds a reply back once if another member or the AI replied since the conversation was opened or since the member's
 * own last reply. Returns a function that says whether to hold it.
 */
export function useOvertaken(messages: types.Message[], isLoading: boolean): () => boolean {
  const own = useMe().user?.id
  const { nameOf } = useMembers()
  const known = useRef<string>(undefined)
  const last = messages.findLast(isReply)
  // Ids are in the order of time. What was there at the beginning is known.
  if (known.current === undefined && !isLoading) known.current = last?.id ?? ''
  return () => {
    if (!last || known.current === undefined || last.id <= known.current) return false
    known.current = last.id
    if (last.actor_type === 'user' && last.actor_id === own) return false
    const who = last.actor_type === 'ai' ? 'The AI' : (nameOf(last.actor_id) ?? 'A colleague')
    notifications.show({
      color: 'yellow',
      title: `${who} has replied in the meantime`,
      message: 'Read the reply, then send again if yours is still needed.',
    })
    return true
  }
}
