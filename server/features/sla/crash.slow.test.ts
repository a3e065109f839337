import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../../testing/app.ts'
import { newCustomer, startChatApp } from '../../testing/conversations.ts'
import { person } from '../../testing/people.ts'
import { environmentOf, startProcess, temporaryFolder, until } from '../../testing/process.ts'
import type { Event } from '../events/schema.ts'

/** The test's own node runs no workers: a process that the test kills announces and assigns first, and then another node. */
const { app, platform, newOrganization } = await startChatApp({ settings: { ROLE: 'api' } })

const startDoomed = async () =>
  startProcess(await temporaryFolder(), {
    ROLE: 'worker',
    ...environmentOf(app),
    GRAPH_API_BASE_URL: platform.url,
  })

const tickets = 40

test('when a worker is killed, each missed target is announced once and each ticket assigned once', async () => {
  const { id, call, channelId, receives } = await newOrganization()
  const member_ids = [(await person(app, id, 'member')).id, (await person(app, id, 'member')).id]
  const team = ok(await call('POST', 'teams', { name: 'Support', assignment: 'round_robin', member_ids }), 201)
  ok(await call('PUT', `assignment-rules/${channelId}`, { team_id: team.id }))
  ok(await call('POST', 'sla-policies', { name: 'Standard', first_reply_minutes: 30 }), 201)
  const breaches = async (): Promise<string[]> =>
    ok(await call('GET', 'events?type=ticket.sla_breached&limit=100')).data.map(
      ({ data }: Event) => (data.object as { id: string }).id,
    )
  const doomed = await startDoomed()
  // A subscription receives events only from its first poll on.
  await until(async () => {
    const { rows } = await app.database.pools.system.query(
      `select from event_subscriptions where name in ('sla', 'assignment')`,
    )
    return rows.length === 2
  })
  const at = new Date(Date.now() - 3_600_000).toISOString()
  const ids: string[] = []
  for (let i = 0; i < tickets; i++) ids.push((await receives({ from: newCustomer(), at })).ticketId)
  await until(async () => (await breaches()).length >= tickets / 2)
  await doomed.stop('SIGKILL')
  const next = await app.node({ ROLE: 'worker' })
  await until(async () => new Set(await breaches()).size === tickets)
  const assigned = async () => {
    const { inboxes } = ok(await call('GET', 'inbox/tickets?limit=100'))
    return inboxes.filter(({ assignee_id }: { assignee_id: string | null }) => assignee_id !== null).length
  }
  await until(async () => (await assigned()) === tickets)
  await next.close()
  assert.deepEqual((await breaches()).sort(), [...ids].sort())
  for (const ticketId of ids) {
    const { data } = ok(await call('GET', `inbox/tickets/${ticketId}/assignments`))
    assert.deepEqual(
      data.map(({ reason }: { reason: string }) => reason),
      ['automatic', 'routed'],
    )
  }
  const { data } = ok(await call('GET', 'availability'))
  const shares = data.filter(({ id }: { id: string }) => member_ids.includes(id))
  assert.deepEqual(
    shares.map(({ open_tickets }: { open_tickets: number }) => open_tickets),
    [tickets / 2, tickets / 2],
  )
})
