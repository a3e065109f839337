import Type from 'typebox'
import { newMessageId } from '../../simulator/wamid.ts'
import { windowKey } from '../../simulator/windows.ts'
import type { Database, TenantTx } from '../platform/database.ts'
import { Id } from '../platform/schemas.ts'
import { demoData } from './demo-data.ts'
import { seedAgent } from './seed-agent.ts'
import { seedCalls } from './seed-calls.ts'
import { seedCampaign } from './seed-campaign.ts'

const Seeded = Type.Object({ seeded: Type.Boolean() })
const Owner = Type.Object({ user_id: Id })
const Channel = Type.Object({
  id: Id,
  phone_number: Type.String(),
  number_id: Type.String(),
  account_id: Type.String(),
})

/** Fills an organization's test mode once; returns false when it already has contacts. */
export function seedOrganization(database: Database, organizationId: string, now = new Date()): Promise<boolean> {
  return database.inTenant({ organizationId, livemode: false }, async (tx) => {
    // Two concurrent starts: the second waits, then finds the contacts of the first.
    await tx.run`select pg_advisory_xact_lock(hashtextextended(${`demo data ${organizationId}`}, 0))`
    const { seeded } = await tx.one(Seeded)`select exists (select from contacts) as seeded`
    if (seeded) return false
    const { contacts, activities, tasks, tickets, messages, deliveries } = demoData(now)
    // The channel that test mode has from the start, as the simulator knows it.
    const channel = await tx.one(Channel)`
      select id, phone_number, coalesce(chat ->> 'phone_number_id', id::text) as number_id,
        coalesce(chat ->> 'business_account_id', organization_id::text) as account_id
      from channels order by id limit 1`
    const owner = await tx.maybe(Owner)`select user_id from members order by created_at, user_id limit 1`
    const memberId = owner?.user_id ?? null
    await seedAgent(tx, channel.id)
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
      insert into tickets (id, contact_id, channel_id, status, assignee_id, unread_count, message_count, last_message_at,
        last_activity_at, waiting_since, rating, rated_at, created_at, updated_at)
      select id, contact_id, ${channel.id}, status, case when is_handed_off then ${memberId}::uuid end, unread_count,
        message_count, last_message_at, last_message_at, case when unread_count > 0 then last_message_at end, rating, case when rating is not null then last_message_at end,
        created_at, last_message_at
      from jsonb_to_recordset(${JSON.stringify(tickets)}::jsonb) as demo (id uuid, contact_id uuid, status text,
        unread_count integer, message_count integer, last_message_at timestamptz, is_handed_off boolean, rating text,
        created_at timestamptz)`
    // The simulator takes replies and reactions to messages with ids of its own.
    const withPlatformIds = messages.map((message) => ({
      ...message,
      chat_message_id: newMessageId(message.direction, channel.number_id, Date.parse(message.created_at)),
    }))
    await tx.run`
      insert into messages (id, ticket_id, contact_id, channel_id, chat_message_id, direction, message_type, body,
        status, actor_type, actor_id, accepted_at, created_at, updated_at)
      select id, ticket_id, contact_id, ${channel.id}, chat_message_id, direction, 'text', body,
        case direction when 'inbound' then 'delivered' else 'read' end, actor_type,
        case actor_type when 'user' then ${memberId}::uuid end, case direction when 'outbound' then created_at end, created_at, created_at
      from jsonb_to_recordset(${JSON.stringify(withPlatformIds)}::jsonb) as demo (id uuid, ticket_id uuid,
        contact_id uuid, chat_message_id text, direction text, body text, actor_type text, created_at timestamptz)`
    await tx.run`
      insert into chat_windows (contact_id, channel_id, last_inbound_at)
      select contact_id, channel_id, max(created_at) from messages where direction = 'inbound' group by 1, 2`
    await seedReports(tx)
    await seedCalls(tx, channel, contacts, now)
    const templates = await seedCampaign(tx, channel, { deliveries, memberId, now })
    const personOf = new Map(contacts.map(({ id, phone_number }) => [id, phone_number.slice(1)]))
    const received = messages.flatMap(({ direction, contact_id, created_at }) => {
      const key = windowKey(`${organizationId}/${channel.number_id}`, personOf.get(contact_id) as string)
      return direction === 'inbound' ? [{ key, created_at }] : []
    })
    // The same on the platform's side, which tenants have no access to: without the windows it refuses every reply, and
    // without the templates the next synchronization would delete ours.
    const account = `${organizationId}/${channel.account_id}`
    const system = database.forSystem()
    await system.run`
      insert into simulator_records (kind, id, account, data, expires_at)
      select 'window', key, ${account}, '{}', max(created_at) + interval '24 hours'
      from jsonb_to_recordset(${JSON.stringify(received)}::jsonb) as demo (key text, created_at timestamptz)
      group by key on conflict do nothing`
    await system.run`
      insert into simulator_records (kind, id, account, data)
      select 'template', template ->> 'id', ${account}, template || jsonb_build_object('account', ${account}::text)
      from jsonb_array_elements(${JSON.stringify(templates)}::jsonb) template
      union all
      select 'template name', concat_ws(' ', ${account}::text, template ->> 'name', template ->> 'language'), ${account},
        jsonb_build_object('template', template ->> 'id')
      from jsonb_array_elements(${JSON.stringify(templates)}::jsonb) template`
    return true
  })
}

/** What reports would have read from the events of these conversations. */
async function seedReports(tx: TenantTx): Promise<void> {
  await tx.run`
    insert into reported_conversations (ticket_id, started_at, is_reopened, contact_id, channel_id, first_inbound_at,
      first_reply_at, first_member_reply_at, agent_replies, member_replies, is_handed_off, assignee_id, team_id, ticket_tags, replier_id,
      ended_at, rating, rated_at)
    select t.id, t.created_at, false, t.contact_id, t.channel_id, m.first_inbound_at, m.first_reply_at,
      m.first_member_reply_at, m.agent_replies, m.member_replies, m.member_replies > 0, t.assignee_id, t.team_id, t.tags,
      case when m.member_replies > 0 then t.assignee_id end,
      case when t.status = 'closed' then t.last_activity_at end, t.rating, t.rated_at
    from tickets t cross join lateral (
      select min(created_at) filter (where direction = 'inbound') as first_inbound_at,
        min(created_at) filter (where direction = 'outbound') as first_reply_at,
        min(created_at) filter (where direction = 'outbound' and actor_type = 'user') as first_member_reply_at,
        count(*) filter (where direction = 'outbound' and actor_type = 'ai') as agent_replies,
        count(*) filter (where direction = 'outbound' and actor_type = 'user') as member_replies
      from messages where ticket_id = t.id) m`
  await tx.run`
    insert into reported_messages (quarter, channel_id, sender, n)
    select date_bin('15 minutes', created_at, '2000-01-01T00:00:00Z'::timestamptz), channel_id,
      case when direction = 'inbound' then 'contact' when actor_type = 'ai' then 'agent' else 'member' end, count(*)
    from messages group by 1, 2, 3`
}
