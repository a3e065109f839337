import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../../../testing/app.ts'
import { newChannel, newCustomer, startChatApp } from '../../../testing/conversations.ts'
import { person } from '../../../testing/people.ts'
import { until } from '../../../testing/process.ts'

const { app, platform, newOrganization } = await startChatApp()

interface Listed {
  id: string
  name: string
  handled_by: string
}

test('a contact is handled by AI only while an agent answers its conversation', async () => {
  const org = await newOrganization()
  const { call } = org
  const { contactId: waiting } = await org.receives({ from: newCustomer(), body: 'Hello' })
  const added = async (name: string, ai_handling: boolean): Promise<string> =>
    ok(await call('POST', 'contacts', { phone_number: newCustomer(), name, tags: ['vip'], ai_handling }), 201).id
  const [quiet, mine] = [await added('Quiet', true), await added('Mine', false)]
  ok(await call('PATCH', `contacts/${waiting}`, { name: 'Waiting', tags: ['vip'] }))
  const clerk = await person(app, org.id, 'member')
  // A member who sees no conversation sees the same.
  ok(await call('PUT', `members/${clerk.id}/access`, { channel_ids: [], team_ids: [] }))

  const check = async (expected: Record<string, string[]>) => {
    for (const as of [call, clerk.call]) {
      const all: Listed[] = ok(await as('GET', 'contacts?include=handled_by')).data
      for (const by of ['ai', 'person', 'no_one']) {
        const wanted = [...(expected[by] ?? [])].sort()
        const names = all.filter(({ handled_by }) => handled_by === by).map(({ id }) => id)
        assert.deepEqual(names.sort(), wanted, by)
        for (const others of ['', '&tag=vip', '&sort=name', '&tag=vip&sort=-name', '&stage=new', '&search=%2B']) {
          const page = ok(await as('GET', `contacts?handled_by=${by}&include=handled_by${others}`))
          for (const { handled_by } of page.data) assert.equal(handled_by, by, others)
          assert.deepEqual(page.data.map(({ id }: Listed) => id).sort(), wanted, by + others)
          assert.equal(page.total_count, wanted.length, by + others)
        }
        const csv = (await as('GET', `contacts/export?handled_by=${by}`)).text
        assert.equal(csv.trim().split('\n').length - 1, wanted.length)
        for (const id of wanted) assert.equal(ok(await as('GET', `contacts/${id}`)).handled_by, by)
      }
      for (const query of ['handled_by=person&ai_handling=true', 'handled_by=ai&ai_handling=false'])
        assert.equal(ok(await as('GET', `contacts?${query}`)).total_count, 0)
    }
  }

  await check({ no_one: [waiting, quiet], person: [mine] })

  const agent_config = { call_settings: { rules: [], fallback: 'One moment.' } }
  const agent = ok(await call('POST', 'agents', { name: 'Desk', agent_type: 'static', agent_config }), 201)
  const answers = async (channelId: string) => ok(await call('PATCH', `channels/${channelId}`, { agent_id: agent.id }))
  await answers(await newChannel(org, '+14155550777', platform.token))
  // Contacts who write to the other channel are answered. The one who waits in this one is not.
  await check({ no_one: [waiting], ai: [quiet], person: [mine] })
  await answers(org.channelId)
  await check({ ai: [waiting, quiet], person: [mine] })
  ok(await call('PATCH', `agents/${agent.id}`, { is_active: 'inactive' }))
  await check({ no_one: [waiting, quiet], person: [mine] })
  ok(await call('PATCH', `agents/${agent.id}`, { is_active: 'active' }))
  await check({ ai: [waiting, quiet], person: [mine] })

  const closed = ok(await call('POST', 'schedules', { name: 'Never', time_zone: 'UTC', weekly_hours: {} }), 201)
  const business_hours = { schedule_id: closed.id, replies: 'open' }
  ok(await call('PATCH', `agents/${agent.id}`, { agent_config: { business_hours } }))
  await check({ no_one: [waiting, quiet], person: [mine] })

  const edit = ok(
    await call('POST', 'contact-bulk-edits', { filter: { handled_by: 'no_one' }, ai_handling: false }),
    202,
  )
  assert.equal(edit.total, 2)
  await until(async () => ok(await call('GET', `contact-bulk-edits/${edit.id}`)).state === 'completed')
  await check({ person: [waiting, quiet, mine] })
  assert.equal((await call('GET', 'contacts?handled_by=nobody')).status, 422)
  assert.equal((await call('GET', 'contacts?include=everything')).status, 422)
  for (const contact of ok(await call('GET', 'contacts')).data) assert.ok(!('handled_by' in contact))
})
