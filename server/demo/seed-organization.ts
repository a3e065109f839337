import Type from 'typebox'
import type { Database } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import { demoData } from './demo-data.ts'

const Seeded = Type.Object({ seeded: Type.Boolean() })

/** The channel that test mode has from the start. */
const firstChannel = sql`(select id from channels order by id limit 1)`

/** Fills an organization's test mode once; returns false when it already has contacts. */
export function seedOrganization(database: Database, organizationId: string, now = new Date()): Promise<boolean> {
  return database.inTenant({ organizationId, livemode: false }, async (tx) => {
    // Two concurrent starts: the second waits, then finds the contacts of the first.
    await tx.run`select pg_advisory_xact_lock(hashtextextended(${`demo data ${organizationId}`}, 0))`
    const { seeded } = await tx.one(Seeded)`select exists (select from contacts) as seeded`
    if (seeded) return false
    const { contacts, activities, tasks, tickets, messages } = demoData(now)
    await tx.run`
      insert into contacts (id, phone_number, name, tags, notes, custom_fields, stage, ai_handling, opted_out_at,
        last_activity_at, activity_counts, created_at, updated_at)
      select id, phone_number, name, tags, notes, custom_fields, stage, ai_handling, opted_out_at,
        last_activity_at, activity_counts, created_at, updated_at
      from jsonb_to_recordset(${JSON.stringify(contacts)}::jsonb) as demo (id uuid, phone_number text, name text,
        tags text[], notes text, custom_fields jsonb, stage text, ai_handling boolean, opted_out_at timestamptz,
        last_activity_at timestamptz, activity_counts jsonb, created_at timestamptz, updated_at timestamptz)`
    await tx.run`
      insert into activities (id, contact_id, type, actor_type, payload, created_at)
      select id, contact_id, type, actor_type, payload, created_at
      from jsonb_to_recordset(${JSON.stringify(activities)}::jsonb) as demo
        (id uuid, contact_id uuid, type text, actor_type text, payload jsonb, created_at timestamptz)`
    await tx.run`
      insert into tasks (id, contact_id, title, description, due_at, status, created_by_type, completed_at,
        created_at, updated_at)
      select id, contact_id, title, description, due_at, status, 'user', completed_at, created_at, updated_at
      from jsonb_to_recordset(${JSON.stringify(tasks)}::jsonb) as demo (id uuid, contact_id uuid, title text,
        description text, due_at timestamptz, status text, completed_at timestamptz, created_at timestamptz,
        updated_at timestamptz)`
    await tx.run`
      insert into tickets (id, contact_id, channel_id, status, unread_count, message_count, last_message_at,
        last_activity_at, created_at, updated_at)
      select demo.id, contact_id, channel.id, status, unread_count, message_count, last_message_at, last_message_at,
        demo.created_at, last_message_at
      from jsonb_to_recordset(${JSON.stringify(tickets)}::jsonb) as demo (id uuid, contact_id uuid, status text,
        unread_count integer, message_count integer, last_message_at timestamptz, created_at timestamptz),
        ${firstChannel} channel`
    await tx.run`
      insert into messages (id, ticket_id, contact_id, channel_id, chat_message_id, direction, message_type, body,
        status, actor_type, accepted_at, created_at, updated_at)
      select demo.id, ticket_id, contact_id, channel.id, 'wamid.demo-' || demo.id, direction, 'text', body,
        case direction when 'inbound' then 'delivered' else 'read' end, actor_type,
        case direction when 'outbound' then demo.created_at end, demo.created_at, demo.created_at
      from jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) as demo (id uuid, ticket_id uuid, contact_id uuid,
        direction text, body text, actor_type text, created_at timestamptz), ${firstChannel} channel`
    await tx.run`
      insert into chat_windows (contact_id, channel_id, last_inbound_at)
      select contact_id, channel_id, max(created_at) from messages where direction = 'inbound' group by 1, 2`
    return true
  })
}
