import Type from 'typebox'
import type { Database } from '../platform/database.ts'
import { demoData } from './demo-data.ts'

const Seeded = Type.Object({ seeded: Type.Boolean() })

/** Fills an organization's test mode, once: answers false when it holds contacts already. */
export function seedOrganization(database: Database, organizationId: string, now = new Date()): Promise<boolean> {
  return database.inTenant({ organizationId, livemode: false }, async (tx) => {
    // Two starts at once: the second waits, then finds the contacts of the first.
    await tx.run`select pg_advisory_xact_lock(hashtextextended(${`demo data ${organizationId}`}, 0))`
    const { seeded } = await tx.one(Seeded)`select exists (select from contacts) as seeded`
    if (seeded) return false
    const { contacts, activities, tasks } = demoData(now)
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
    return true
  })
}
