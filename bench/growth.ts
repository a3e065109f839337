import { growth, idAt } from './growth-harness.ts'
import { type Line, report } from './harness.ts'

/**
 * Benchmark 3: every list of the CRM and the dashboard, in an organization with a thousand rows of each kind and in one
 * with a million, while others have ten million. The floor is the same request in the small organization.
 */

const insertContacts = `
  with added as (
    insert into contacts (organization_id, livemode, id, phone_number, name, tags, notes, custom_fields, stage, ai_handling,
      opted_out_at, last_activity_at, activity_counts)
    select $1::uuid, false, ${idAt('n')}, '+1415' || (10000000 + n),
      case when n % 10 = 0 then 'Pérsön námé ' else 'Person name ' end || n,
      case when n % 5 = 0 then array['vip'] else array['newsletter'] end, 'Met at the fair', '{"plan": "gold"}',
      (array['new', 'engaged', 'qualified', 'customer', 'lost'])[1 + n % 5], n % 3 > 0,
      case when n % 50 = 0 then now() end, now(),
      case when n = 1 then jsonb_build_object('note_added', $2::integer / 2, 'call_logged', $2::integer - $2::integer / 2) else '{}' end
    from generate_series(1, $2::integer) n returning id)
  select id from added order by id limit 1`

const insertTags = `
  insert into contact_tags (organization_id, livemode, tag, contact_id)
  select organization_id, livemode, tag, id from contacts, unnest(tags) tag where organization_id = $1`

const insertActivities = `
  insert into activities (organization_id, livemode, id, contact_id, type, actor_type, payload)
  select $1::uuid, false, ${idAt('n')}, $3::uuid, case when n <= $2::integer / 2 then 'note_added' else 'call_logged' end, 'user',
    '{"note": "Asked for an offer"}'
  from generate_series(1, $2::integer) n`

const insertTasks = `
  insert into tasks (organization_id, livemode, id, contact_id, title, due_at, status, created_by_type)
  select $1::uuid, false, ${idAt('n')}, $3::uuid, 'Call back', now() + (n % 60 - 30) * interval '1 day' + n % 1440 * interval '1 minute',
    (array['pending', 'completed', 'cancelled'])[1 + n % 3], 'user'
  from generate_series(1, $2::integer) n`

const insertEvents = `
  insert into events (organization_id, livemode, id, type, data)
  select $1::uuid, false, ${idAt('n')}, case when n % 2 = 0 then 'contact.created' else 'contact.updated' end,
    '{"object": {"id": "x", "name": "Person"}}'
  from generate_series(1, $2::integer) n`

const countStatements = [
  `insert into contact_counts select organization_id, livemode, stage, ai_handling, opted_out_at is not null, 0, count(*)
   from contacts group by 1, 2, 3, 4, 5`,
  `insert into contact_tag_counts select organization_id, livemode, tag, 0, count(*) from contact_tags group by 1, 2, 3`,
  `insert into task_counts select organization_id, livemode, status, 0, count(*) from tasks group by 1, 2, 3`,
  `insert into pending_task_counts select organization_id, livemode, grain, date_trunc(grain, due_at, 'UTC'), 0, count(*)
   from tasks, unnest(array['month', 'day', 'hour']) grain where status = 'pending' and due_at is not null group by 1, 2, 3, 4`,
  `insert into event_counts select organization_id, livemode, type, 0, count(*) from events group by 1, 2, 3`,
]

const { title, many, compare, within, close } = await growth({
  tables: ['contacts', 'contact_tags', 'activities', 'tasks', 'events'],
  async rows(query, { id, names }, count) {
    names.contact = (await query(insertContacts, [id, count])).rows[0].id
    await query(insertTags, [id])
    await query(insertActivities, [id, count, names.contact])
    await query(insertTasks, [id, count, names.contact])
    await query(insertEvents, [id, count])
  },
  counts: countStatements,
})
const lines: Line[] = []

for (const path of [
  'contacts',
  'contacts?stage=qualified',
  'contacts?ai_handling=false',
  'contacts?opted_out=true',
  'contacts?tag=vip',
  'crm/tasks',
  'crm/tasks?status=completed',
  'crm/tasks?overdue=true',
  'events',
  'events?type=contact.created',
  'crm/dashboard',
])
  lines.push(await compare(path))
lines.push(await compare('timeline', ({ names }) => `contacts/${names.contact}/activities`))
lines.push(await compare('timeline of one type', ({ names }) => `contacts/${names.contact}/activities?type=note_added`))
for (const [what, search] of [
  ['a rare name', 'name 77123'],
  ['a rare name, without its accents', 'name 77120'],
  ['a rare name, with its accents', 'Námé 77120'],
  ['a common word', 'person'],
  ['part of a number', '555 0771'],
  ['nothing', 'zzzz'],
])
  lines.push(await within(`search: ${what}`, `contacts?search=${encodeURIComponent(search as string)}`, 250))
lines.push(await within('timeline at offset 100,000', `contacts/${many.names.contact}/activities?offset=100000`, 30))
report(`3 · growth: ${title}`, lines)
await close()
