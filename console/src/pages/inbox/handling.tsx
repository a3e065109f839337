import { Anchor, Button } from '@mantine/core'
import { IconRobot, IconUser } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { useSession } from '../../data/session.tsx'
import { useRecord } from '../../data/use-records.ts'
import classes from './inbox.module.css'
import { complain, patchTicket, type Ticket } from './tickets.ts'

/** Hands the contact over, to the AI or to a person: shown at once, taken back when it fails. */
export function useHandoff() {
  const queries = useQueryClient()
  const { mode } = useSession()
  return useCallback(
    async ({ id, contact_id, ai_handling }: Ticket): Promise<void> => {
      patchTicket(queries, mode, id, { ai_handling: !ai_handling })
      try {
        await api.contacts.handOff(contact_id, { to: ai_handling ? 'human' : 'ai' })
      } catch (error) {
        patchTicket(queries, mode, id, { ai_handling })
        complain('The conversation was not handed over', error)
      } finally {
        for (const noun of ['tickets', 'contacts', 'activities'])
          void queries.invalidateQueries({ queryKey: [mode, noun] })
      }
    },
    [queries, mode],
  )
}

/** The agent that answers on the channel of a ticket; undefined while that is not known, null when there is none. */
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

/** Who answers: there must never be a doubt about it. */
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
  return (
    <div className={classes.handling} data-ai={(isAi && agent) || undefined} role="status">
      {isAi ? <IconRobot size={18} /> : <IconUser size={18} />}
      <span className={classes.handlingWords}>
        {!isAi && (
          <>
            <strong>A person answers.</strong> The AI stays silent.
          </>
        )}
        {isAi && agent && (
          <>
            <strong>The AI answers</strong> as {agent.name}. Writing here takes over.
          </>
        )}
        {isAi && agent === null && (
          <>
            <strong>Nobody answers yet.</strong> This is left to the AI, but no active agent is on this channel.{' '}
            <Anchor component={Link} to="/settings/channels" inherit underline="always">
              Choose one
            </Anchor>
          </>
        )}
        {isAi && agent === undefined && <strong>Left to the AI.</strong>}
      </span>
      <Button size="compact-sm" variant="default" onClick={() => void change()} loading={isWorking}>
        {isAi ? 'Take over' : 'Hand to the AI'}
      </Button>
    </div>
  )
}
