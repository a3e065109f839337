import { growth, idAt } from './growth-harness.ts'
import { type Line, report } from './harness.ts'

/** Benchmark 3 for the call lists. */

const agent = '01890000-0000-7000-8000-000000000000'

const insertCalls = `
  insert into calls (organization_id, livemode, id, medium, direction, status, telephony_status, call_id, agent_id,
    from_number, to_number, deadline_at, ended_at)
  select $1::uuid, false, ${idAt('n')}, 'phone', (array['inbound', 'outbound'])[1 + n % 2],
    (array['completed', 'busy', 'no-answer', 'failed'])[1 + n % 4], 'completed', 'CA' || md5($1::text || n::text), $3,
    '+14155550199', '+1628' || (1000000 + n), now(), now()
  from generate_series(1, $2::integer) n`

const { title, many, compare, within, close } = await growth({
  tables: ['calls'],
  async rows(query, { id, names }, count) {
    await query(insertCalls, [id, count, agent])
    names.call = (
      await query('select call_id from calls where organization_id = $1 order by id limit 1', [id])
    ).rows[0].call_id
  },
  counts: [
    `insert into call_counts select organization_id, livemode, status, direction, agent_id, 0, count(*)
     from calls group by 1, 2, 3, 4, 5`,
  ],
})

const lines: Line[] = []
for (const path of [
  'calls',
  'calls?status=busy',
  'call-logs',
  'call-logs?direction=inbound',
  'call-logs?direction=inbound&status=completed',
  `calls?agent_id=${agent}`,
])
  lines.push(await compare(path))
for (const [what, search] of [
  ['one number', '16281771230'],
  ['part of 10,000 numbers', '1628177'],
  ['the beginning of every number', '1628'],
  ['the own number, which every call has', '4155550199'],
  ['a carrier’s id', many.names.call],
  ['a number with a slip', '16282771230'],
  ['the same without the country code', '6282771230'],
  ['a digit missing, without the country code', '628771230'],
  ['a slip in the own number, which every call has', '4155550189'],
  ['the same with the country code', '14155550189'],
  ['a slip in the own number, failed calls only', '4155550189&status=failed'],
  ['a number that no call comes near', '447700900123'],
])
  lines.push(await within(`search in calls: ${what}`, `call-logs?search=${search}`, 250))
lines.push(await within('calls at offset 100,000', 'call-logs?page=1001&page_size=100', 30))
report(`3 · growth of calls: ${title}`, lines)
await close()
