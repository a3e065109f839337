import { Button, Text } from '@mantine/core'
import { IconBan } from '@tabler/icons-react'
import { api } from '../../data/api.ts'
import { may, useMe } from '../../data/session.tsx'
import { useRecord } from '../../data/use-records.ts'
import { showDone, showFault } from '../../ui/undo.tsx'
import classes from './inbox.module.css'
import type { Ticket } from './tickets.ts'

/** Whether the contact is blocked: the service then refuses every message to it. The contact panel loads the same record. */
export function useIsBlocked({ contact_id: id }: Ticket): boolean {
  const { data, isPlaceholderData } = useRecord(['contacts', id], (signal) => api.contacts.get(id, { signal }), {
    enabled: may(useMe(), 'contacts:read'),
  })
  return !isPlaceholderData && Boolean(data?.blocked_at)
}

/** Shown instead of the composer while the contact is blocked. */
export function BlockedNotice({ ticket: { contact_id: id }, hasDraft }: { ticket: Ticket; hasDraft: boolean }) {
  const mayUnblock = may(useMe(), 'contacts:write')
  const unblock = async () => {
    try {
      await api.contacts.update(id, { blocked: false })
      showDone('Contact unblocked', () => api.contacts.update(id, { blocked: true }))
    } catch (error) {
      showFault(error, 'Could not unblock the contact')
    }
  }
  return (
    <div className={classes.closedWindow}>
      <IconBan size={18} />
      <div>
        <Text size="sm" fw={600}>
          This contact is blocked
        </Text>
        <Text size="sm">
          You cannot send messages, and new messages from the contact are dropped.{hasDraft && ' Your draft is kept.'}
        </Text>
      </div>
      {mayUnblock && (
        <Button size="sm" onClick={() => void unblock()}>
          Unblock
        </Button>
      )}
    </div>
  )
}
