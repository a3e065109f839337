import type { PersonalTable } from '../../platform/personal-data.ts'
import { sql } from '../../platform/sql.ts'
import { followMovedMessages } from './follow-moved-messages.ts'

export const replyData: PersonalTable[] = [
  {
    table: 'agent_answers',
    rows: ({ id }) => sql`contact_id = ${id}`,
    export: { exempt: 'ids of messages' },
    erase: 'delete',
    kept: 'for an hour',
    merge: 'move',
  },
  {
    table: 'messages_to_answer',
    rows: ({ id }) => sql`message_id = any(array(select id from messages where contact_id = ${id}))`,
    export: { exempt: 'ids of messages' },
    erase: 'delete',
    kept: 'until an agent has answered',
    merge: followMovedMessages,
  },
  { table: 'agent_sessions', exempt: 'trials of agents by members' },
]
