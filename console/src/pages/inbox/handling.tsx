import { Anchor, Button } from '@mantine/core'
import { IconRobot, IconUser } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { useSession } from '../../data/session.tsx'
import { useRecord } from '../../data/use-records.ts'
import { releaseTo } from '../../records/messages/outbox.ts'
import classes from './inbox.module.css'
import { complain, patchTicket, patchTicketOptimistically, type Ticket } from './tickets.ts'

/** Hands the contact off to AI or to a person. The change shows at once and is reverted if it fails. */
export function useHandoff() {
  const queries = useQueryClient()
  const { mode } = useSession()
  return useCallback(
    async ({ id, contact_id, ai_handling, answered_by }: Ticket): Promise<void> => {
      const { contacts } = api
      // A reply that is sent after the hand-off would take over again.
      await releaseTo(contact_id)
      patchTicketOptimistically(queries, mode, id, {
        ai_handling: !ai_handling,
        answered_by: ai_handling ? 'person' : 'ai',
      })
      try {
        await contacts.handOff(contact_id, { to: ai_handling ? 'human' : 'ai' })
      } catch (error) {
        patchTicket(queries, mode, id, { ai_handling, answered_by })
        complain('Could not hand off the conversation', error)
      } finally {
        for (const noun of ['tickets', 'contacts', 'activities'])
          void queries.invalidateQueries({ queryKey: [mode, noun] })
      }
    },
    [queries, mode],
  )
}

/** The agent of the ticket's channel; undefined while loading, null if there is none. */
function useAgentOf(ticket: Ticket) {
  const channels = useRecord(['channels'], (signal) => api.channels.list({ limit: 100 }, { signal }))
  const known = channels.data?.data
  const channel = known?.find(({ id }) => id === ticket.chat_phone_number_id) ?? known?.at(-1)
  const agentId = channel?.agent_id
  const agent = useRecord(['agents', agentId ?? ''], (signal) => api.agents.get(agentId ?? '', { signal }), {
    enabled: Boolean(agentId),
  })
  if (!known || (agentId && !agent.data)) return undefined
  return agentId && agent.data?.is_active === 'active' ? agent.data : null
}

/** Shows who replies in this conversation. */
export function Handling({ ticket }: { ticket: Ticket }) {
  const agent = useAgentOf(ticket)
  const handOff = useHandoff()
  const [isWorking, setWorking] = useState(false)
  const change = async () => {
    setWorking(true)
    await handOff(ticket)
    setWorking(false)
  }
  const { ai_handling: isAi } = ticket
  // Outside its business hours an agent does not reply.
  const isReplying = isAi && agent && ticket.answered_by === 'ai'
  return (
    <div className={classes.handling} data-ai={isReplying ? true : undefined} role="status">
      {isAi ? <IconRobot size={18} /> : <IconUser size={18} />}
      <span className={classes.handlingWords}>
        {!isAi && (
          <>
            <strong>Handled by a person.</strong> AI replies are off.
          </>
        )}
        {isAi &&
          agent &&
          (isReplying ? (
            <>
              <strong>AI is replying</strong> as {agent.name}. Send a message to take over.
            </>
          ) : (
            <>
              <strong>No one is answering this conversation.</strong> {agent.name} does not reply now, because of its
              business hours.
            </>
          ))}
        {isAi && agent === null && (
          <>
            <strong>No one is answering this conversation.</strong> It is handed off to AI, but the channel has no
            active agent.{' '}
            <Anchor component={Link} to="/settings/channels" inherit underline="always">
              Choose an agent
            </Anchor>
          </>
        )}
        {isAi && agent === undefined && (
          <strong>{ticket.answered_by === 'ai' ? 'AI is replying.' : 'No one is answering this conversation.'}</strong>
        )}
      </span>
      <Button size="compact-sm" variant="default" onClick={() => void change()} loading={isWorking}>
        {isAi ? 'Take over' : 'Hand off to AI'}
      </Button>
    </div>
  )
}
