import { Button } from '@mantine/core'
import { IconHandStop } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { useMe, useSession } from '../../data/session.tsx'
import classes from './inbox.module.css'
import { complain, patchTicket, type Ticket } from './tickets.ts'

/** Assigns an unassigned conversation to the viewer. Of several members who take it at once, one gets it. */
export function TakeButton({ ticket: { id } }: { ticket: Ticket }) {
  const queries = useQueryClient()
  const { mode } = useSession()
  const isMember = Boolean(useMe().user)
  const [isWorking, setWorking] = useState(false)
  const take = async () => {
    setWorking(true)
    try {
      const { assignee_id } = await api.inbox.takeTicket(id)
      patchTicket(queries, mode, id, { assignee_id })
    } catch (error) {
      complain('Could not take the conversation', error)
    } finally {
      setWorking(false)
      void queries.invalidateQueries({ queryKey: [mode, 'tickets'] })
    }
  }
  if (!isMember) return null
  return (
    <Button
      size="xs"
      variant="light"
      className={classes.headButton}
      leftSection={<IconHandStop size={14} />}
      loading={isWorking}
      onClick={() => void take()}
      aria-label="Take"
    >
      <span>Take</span>
    </Button>
  )
}
