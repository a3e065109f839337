import { deleteOldEvents } from '../../platform/events.ts'
import type { RetentionRule } from '../../platform/personal-data.ts'
import { inboxEvents } from './events.ts'
import { deleteOldMessages, detachOldMedia, lockContactsOfOldMessages } from './messages/retention-queries.ts'
import { expireNotes } from './notes/expire-notes.ts'
import { scheduledMessageEvents } from './scheduled/events.ts'
import { deleteOldScheduled } from './scheduled/queries.ts'

export const inboxRetention: RetentionRule[] = [
  {
    kind: 'messages',
    table: 'messages',
    async expire(tx, oldestKept, batchSize) {
      await lockContactsOfOldMessages(tx, oldestKept, batchSize)
      return deleteOldMessages(tx, oldestKept, batchSize)
    },
  },
  { kind: 'media', table: 'message_media', expire: detachOldMedia },
  { kind: 'messages', table: 'ticket_notes', expire: expireNotes },
  { kind: 'messages', table: 'scheduled_messages', expire: deleteOldScheduled },
  // Events quote messages.
  { kind: 'messages', table: 'events', expire: deleteOldEvents([...inboxEvents, ...scheduledMessageEvents]) },
]
