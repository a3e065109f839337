import { growth, idAt } from './growth-harness.ts'
import { type Line, report } from './harness.ts'

/** Benchmark 3 for the lists of the inbox, templates and campaigns. */

const insertChannel = `
  insert into channels (organization_id, livemode, id, phone_number, display_name)
  values ($1, false, ${idAt('0')}, '+14155550199', 'Bench') returning id`

const insertContacts = `
  insert into contacts (organization_id, livemode, id, phone_number, name, last_activity_at)
  select $1::uuid, false, ${idAt('n')}, '+1415' || (10000000 + n), 'Person name ' || n, now()
  from generate_series(1, $2::integer) n`

const insertTickets = `
  insert into tickets (organization_id, livemode, id, contact_id, channel_id, status, unread_count, message_count,
    last_message_at, contact_text, last_activity_at)
  select $1::uuid, false, ${idAt('n')}, id, $2, case when n % 5 = 0 then 'open' else 'closed' end, (n % 10 = 0)::integer,
    1, now() - n * interval '1 second', search_text, now() - n * interval '1 second'
  from (select id, search_text, row_number() over (order by id) as n from contacts where organization_id = $1) c`

const insertMessages = `
  insert into messages (organization_id, livemode, id, ticket_id, contact_id, channel_id, chat_message_id, direction,
    message_type, body, status, actor_type, accepted_at)
  select $1::uuid, false, ${idAt('n')}, case when n % 2 = 0 then t.id else $3 end, t.contact_id, $2, 'wamid.' || n,
    case when n % 3 = 0 then 'outbound' else 'inbound' end, 'text', 'My parcel number ' || n || ' has not come yet',
    'delivered', 'system', now()
  from (select id, contact_id, row_number() over (order by id) as n from tickets where organization_id = $1) t`

const insertTemplates = `
  insert into templates (organization_id, livemode, id, channel_id, account_id, business_account_id, remote_template_id,
    name, language, category, status, components, registration, next_attempt_at)
  select $1::uuid, false, ${idAt('n')}, $3, 'a', 'b', n, 'season_offer_' || n, 'en_US',
    (array['MARKETING', 'UTILITY', 'AUTHENTICATION'])[1 + n % 3], (array['APPROVED', 'PENDING', 'REJECTED'])[1 + n % 3],
    '[{"type": "BODY", "text": "Hello"}]', 'registered', null
  from generate_series(1, $2::integer) n`

const insertCampaigns = `
  insert into campaigns (organization_id, livemode, id, name, status, channel_id, audience_type, frozen_at, completed_at,
    created_by_type)
  select $1::uuid, false, ${idAt('n')}, 'Campaign ' || n, (array['completed', 'cancelled', 'failed'])[1 + n % 3], $3, 'all',
    now(), now(), 'user'
  from generate_series(1, $2::integer) n`

const insertDeliveries = `
  insert into deliveries (organization_id, livemode, id, campaign_id, contact_id, phone_number, status, accepted_at,
    chat_message_id)
  select $1::uuid, false, ${idAt('n')}, $2, id, phone_number, (array['read', 'delivered', 'sent', 'failed'])[1 + n % 4],
    now(), 'wamid.' || n
  from (select id, phone_number, row_number() over (order by id) as n from contacts where organization_id = $1) c`

const unassigned = '00000000-0000-0000-0000-000000000000'
const counts = [
  `update tickets t set message_count = n from (
     select organization_id, ticket_id, count(*) as n from messages group by 1, 2) m
   where t.organization_id = m.organization_id and t.id = m.ticket_id and n > 1`,
  `insert into contact_counts select organization_id, livemode, stage, ai_handling, opted_out_at is not null, 0, count(*)
   from contacts group by 1, 2, 3, 4, 5`,
  `insert into ticket_counts select organization_id, livemode, status, unread_count > 0, '${unassigned}', 0, count(*)
   from tickets group by 1, 2, 3, 4`,
  `insert into template_counts select organization_id, livemode, status, category, 0, count(*) from templates group by 1, 2, 3, 4`,
  `insert into campaign_counts select organization_id, livemode, status, 0, count(*) from campaigns group by 1, 2, 3`,
  `insert into delivery_counts select organization_id, livemode, campaign_id, 0, 0, 0,
     count(*) filter (where status = 'sent'), count(*) filter (where status = 'delivered'),
     count(*) filter (where status = 'read'), count(*) filter (where status = 'failed'),
     count(*) filter (where status = 'failed'), 0, 0
   from deliveries group by 1, 2, 3`,
]

const { title, many, compare, within, close } = await growth({
  tables: ['contacts', 'tickets', 'messages', 'templates', 'campaigns', 'deliveries'],
  async rows(query, { id, names }, count) {
    const channel = (await query(insertChannel, [id])).rows[0].id
    await query(insertContacts, [id, count])
    await query(insertTickets, [id, channel])
    names.ticket = (
      await query('select id from tickets where organization_id = $1 order by id limit 1', [id])
    ).rows[0].id
    await query(insertMessages, [id, channel, names.ticket])
    await query(insertTemplates, [id, count, channel])
    await query(insertCampaigns, [id, count, channel])
    names.campaign = (
      await query('select id from campaigns where organization_id = $1 order by id limit 1', [id])
    ).rows[0].id
    await query(insertDeliveries, [id, names.campaign])
  },
  counts,
})

const lines: Line[] = []
for (const path of [
  'inbox/tickets',
  'inbox/tickets?status=open',
  'inbox/tickets?unread=true',
  'templates',
  'templates?status=APPROVED',
  'templates?category=UTILITY&status=PENDING',
  'campaigns',
  'campaigns?status=completed',
])
  lines.push(await compare(path))
lines.push(await compare('messages of a ticket', ({ names }) => `inbox/messages/${names.ticket}`))
lines.push(await compare('its latest', ({ names }) => `inbox/messages/${names.ticket}?order=desc`))
lines.push(await compare('deliveries', ({ names }) => `campaigns/${names.campaign}/deliveries`))
lines.push(await compare('those that failed', ({ names }) => `campaigns/${names.campaign}/deliveries?status=failed`))
for (const [what, path] of [
  ['tickets: a rare name', 'inbox/tickets?search=name 77123'],
  ['tickets: a common name', 'inbox/tickets?search=person'],
  ['tickets: a rare number in messages', 'inbox/tickets?search=number 54321'],
  ['tickets: a word of every message', 'inbox/tickets?search=parcel'],
  ['templates: a rare name', 'templates?search=offer_77123'],
  ['templates: a common word', 'templates?search=season'],
])
  lines.push(await within(`search in ${what}`, encodeURI(path as string), 250))
for (const [what, path] of [
  ['tickets', 'inbox/tickets?offset=100000'],
  ['messages', `inbox/messages/${many.names.ticket}?offset=100000`],
  ['templates', 'templates?limit=100&page=1001'],
])
  lines.push(await within(`${what} at offset 100,000`, path as string, 30))
report(`3 · growth of chat: ${title}`, lines)
await close()
