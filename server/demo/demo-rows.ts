import type { Contact } from '../features/contacts/schema.ts'
import type { ActivityType } from '../features/contacts/timeline/schema.ts'
import { idAt } from '../platform/ids.ts'

/** The rows of the demo organization. */

export type Stage = Contact['stage']

export interface DemoActivity {
  id: string
  contact_id: string
  type: ActivityType
  actor_type: 'user' | 'ai' | 'system'
  payload: Record<string, unknown>
  created_at: string
}

export interface DemoContact {
  id: string
  phone_number: string
  name: string
  tags: string[]
  notes: string
  custom_fields: Record<string, string>
  stage: Stage
  ai_handling: boolean
  opted_out_at: string | null
  last_activity_at: string
  activity_counts: Record<string, number>
  created_at: string
  updated_at: string
}

interface DemoTask {
  id: string
  contact_id: string
  title: string
  description: string
  due_at: string | null
  status: 'pending' | 'completed' | 'cancelled'
  completed_at: string | null
  created_at: string
  updated_at: string
}

interface DemoMessage {
  id: string
  ticket_id: string
  contact_id: string
  direction: 'inbound' | 'outbound'
  body: string
  actor_type: 'user' | 'ai' | 'system'
  created_at: string
}

/** A message of the campaign. */
export interface DemoDelivery {
  id: string
  message_id: string
  contact_id: string
  phone_number: string
  first_name: string
  body: string
  status: 'read' | 'delivered' | 'failed'
  sent_at: string
}

/** A conversation; the last messages of an unanswered one are unread. */
interface DemoTicket {
  id: string
  contact_id: string
  status: 'open' | 'closed'
  unread_count: number
  message_count: number
  last_message_at: string
  /** Whether a member replied. */
  is_handed_off: boolean
  rating: 'good' | 'okay' | 'bad' | null
  created_at: string
}

export interface DemoData {
  contacts: DemoContact[]
  activities: DemoActivity[]
  tasks: DemoTask[]
  tickets: DemoTicket[]
  messages: DemoMessage[]
  deliveries: DemoDelivery[]
}

export const activityOf = (
  contact_id: string,
  at: Date,
  type: ActivityType,
  actor_type: DemoActivity['actor_type'],
  payload: DemoActivity['payload'],
): DemoActivity => ({ id: idAt(at), contact_id, type, actor_type, payload, created_at: at.toISOString() })
