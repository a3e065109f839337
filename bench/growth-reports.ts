import { packDays } from '../server/features/reports/conversations/pack-days.ts'
import { growth, idAt } from './growth-harness.ts'
import { type Line, report } from './harness.ts'

/** Benchmark 3 for the conversation report: a year of conversations, with five messages each. */

const insertChannel = `
  insert into channels (organization_id, livemode, id, phone_number, display_name)
  values ($1, false, ${idAt('0')}, '+14155550199', 'Bench') returning id`

const insertContacts = `
  insert into contacts (organization_id, livemode, id, phone_number, name, tags, last_activity_at)
  select $1::uuid, false, ${idAt('n')}, '+1415' || (10000000 + n), 'Person name ' || n,
    (array['{}', '{vip}', '{vip,newsletter}'])[1 + n % 3]::text[], now()
  from generate_series(1, $2::integer) n`

/** Ten members; one conversation in fifty is open. The year ends today. */
const insertConversations = `
  insert into reported_conversations (organization_id, livemode, ticket_id, started_at, is_reopened, contact_id, channel_id,
    assignee_id, team_id, ticket_tags, replier_id, first_inbound_at, first_reply_at, first_member_reply_at, agent_replies, member_replies,
    is_handed_off, ended_at)
  select $1::uuid, false, id, started_at, n % 20 = 0, id, $2, md5((n % 10)::text)::uuid,
    md5((n % 3)::text)::uuid, (array['{}', '{billing}', '{billing,urgent}'])[1 + n % 3]::text[], null, started_at,
    started_at + reply, case when n % 2 = 0 then started_at + 3 * reply end, n % 3, n % 2, n % 7 = 0,
    case when n % 50 > 0 then started_at + 20 * reply end
  from (
    select id, n, now() - n * interval '1 year' / max(n) over () as started_at,
      (10 + 1000 * random() ^ 3) * interval '1 second' as reply
    from (select id, row_number() over (order by id) as n from contacts where organization_id = $1) c) c`

const insertMessages = `
  insert into reported_messages (organization_id, livemode, quarter, channel_id, sender, n)
  select $1::uuid, false, quarter, $2, sender, $3::integer / 35040 / 3 + 1
  from generate_series(date_bin('15 minutes', now() - interval '1 year', '2000-01-01Z'), now(), '15 minutes') quarter,
    unnest(array['contact', 'member', 'agent']) sender`

const { within, close } = await growth({
  tables: ['contacts', 'reported_conversations', 'reported_messages'],
  async rows(query, { id }, count) {
    const channel = (await query(insertChannel, [id])).rows[0].id
    await query(insertContacts, [id, Math.round(count / 5)])
    await query(insertConversations, [id, channel])
    await query(insertMessages, [id, channel, count])
  },
  counts: [
    `insert into stale_report_days (organization_id, livemode, day)
     select distinct organization_id, livemode, (ended_at at time zone 'UTC')::date from reported_conversations
     where ended_at is not null`,
  ],
  finish: (database) => packDays(database, new AbortController().signal),
})
const lines: Line[] = []
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const days = `from=${daysAgo(364)}&until=${daysAgo(0)}`
const year = `${days}&interval=month`
for (const [what, query, goalMs] of [
  ['28 days', 'time_zone=Europe/Berlin', 100],
  ['28 days of one member', 'member_id=c4ca4238-a0b9-2382-0dcc-509a6f75849b', 100],
  ['a year', `${year}&time_zone=Europe/Berlin`, 500],
  ['a year by day', `${days}&time_zone=Europe/Berlin`, 500],
  ['a year of contacts with a tag', `${year}&tag=vip`, 500],
] as const)
  lines.push(await within(what, `reports/conversations?${query}`, goalMs))
report('3 · growth of reports: 200,000 conversations and 1,000,000 messages in a year', lines)
await close()
