import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { Pool } from 'undici'
import { newId } from '../server/platform/ids.ts'
import '../server/platform/postgres-types.ts'

/**
 * The floor of `campaign.ts`, in a process of its own: waits for a request, then sends everything as fast as possible
 * and returns how many seconds that took.
 */

export interface Floor {
  organizationId: string
  token: string
  simulator: string
  template: { name: string; text: string }
  campaigns: { id: string; channelId: string; tag: string }[]
}

const order: Floor = JSON.parse(process.env.BENCH_FLOOR as string)
const { organizationId, token, simulator, template, campaigns } = order
const database = new pg.Pool({
  ...JSON.parse(process.env.BENCH_CONNECTION as string),
  max: 10,
  options: '-c timezone=UTC',
})
const platform = new Pool(simulator, { connections: 256, pipelining: 1 })
const channelOf = new Map(campaigns.map(({ id, channelId }) => [id, channelId]))
const ids = campaigns.map(({ id }) => id)
const textOf = (name: string) => template.text.replace('{{1}}', name)

async function freeze() {
  await Promise.all(
    campaigns.map(async ({ id, channelId, tag }) => {
      await database.query(
        `insert into campaigns (organization_id, livemode, id, name, status, channel_id, audience_type, audience_tags,
           created_by_type) values ($1, false, $2, 'Floor', 'paused', $3, 'tags', array[$4], 'user')`,
        [organizationId, id, channelId, tag],
      )
      await database.query(
        `insert into deliveries (organization_id, livemode, id, campaign_id, contact_id, phone_number, variables)
         select c.organization_id, c.livemode, new_id(), $2, c.id, c.phone_number, jsonb_build_object('1', c.name)
         from contact_tags t join contacts c on c.organization_id = t.organization_id and c.livemode = t.livemode
           and c.id = t.contact_id
         where t.organization_id = $1 and not t.livemode and t.tag = $3`,
        [organizationId, id, tag],
      )
    }),
  )
}

const claim = {
  name: 'claim',
  text: `update deliveries set status = 'sending', updated_at = now()
    where organization_id = $1 and not livemode and id = any(array(
      select picked.id from unnest($2::uuid[]) campaign (id) cross join lateral (
        select d.id from deliveries d where d.organization_id = $1 and not d.livemode and d.campaign_id = campaign.id
          and d.status = 'pending' order by d.id limit 50 for update skip locked) picked))
    returning id, campaign_id, contact_id, phone_number, variables`,
}
const record = {
  name: 'record',
  text: `with result as (
      select * from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::uuid[], $8::uuid[], $9::uuid[])
        r (id, contact_id, channel_id, chat_message_id, body, message_id, activity_id, event_id)
    ), moved as (
      update deliveries d set status = 'sent', accepted_at = now(), chat_message_id = result.chat_message_id,
        message_id = result.message_id, updated_at = now()
      from result where d.organization_id = $1 and not d.livemode and d.id = result.id
    ), message as (
      insert into messages (organization_id, livemode, id, contact_id, channel_id, chat_message_id, direction,
        message_type, body, status, actor_type, accepted_at)
      select $1, false, message_id, contact_id, channel_id, chat_message_id, 'outbound', 'text', body, 'sent', 'user', now()
      from result returning *
    ), activity as (
      insert into activities (organization_id, livemode, id, contact_id, type, actor_type, payload)
      select $1, false, activity_id, contact_id, 'message_outbound', 'user',
        jsonb_build_object('message_id', message_id, 'preview', body) from result
    ), touched as (
      update contacts c set last_activity_at = now(), activity_counts = activity_counts || jsonb_build_object(
        'message_outbound', coalesce((activity_counts ->> 'message_outbound')::int, 0) + 1)
      from result where c.organization_id = $1 and not c.livemode and c.id = result.contact_id
    )
    insert into events (organization_id, livemode, id, type, data)
    select $1, false, result.event_id, 'message.sent', jsonb_build_object('object', to_jsonb(message))
    from result join message on message.id = result.message_id`,
}

interface Row {
  id: string
  campaign_id: string
  contact_id: string
  phone_number: string
  variables: Record<string, string>
}
async function send(row: Row) {
  const name = row.variables['1'] as string
  const channelId = channelOf.get(row.campaign_id) as string
  const { statusCode, body } = await platform.request({
    method: 'POST',
    path: `/v19.0/${channelId}/messages`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: row.phone_number,
      biz_opaque_callback_data: row.id,
      type: 'template',
      template: {
        name: template.name,
        language: { code: 'en_US' },
        components: [{ type: 'body', parameters: [{ type: 'text', text: name }] }],
      },
    }),
  })
  const answer = (await body.json()) as { messages: { id: string }[] }
  if (statusCode !== 200) throw new Error(`${statusCode} ${JSON.stringify(answer)}`)
  return { row, channelId, chatMessageId: answer.messages[0]?.id as string, text: textOf(name) }
}
async function work() {
  for (;;) {
    const { rows } = await database.query<Row>({ ...claim, values: [organizationId, ids] })
    if (rows.length === 0) return
    const sent = await Promise.all(rows.map(send))
    await database.query({
      ...record,
      values: [
        organizationId,
        sent.map(({ row }) => row.id),
        sent.map(({ row }) => row.contact_id),
        sent.map(({ channelId }) => channelId),
        sent.map(({ chatMessageId }) => chatMessageId),
        sent.map(({ text }) => text),
        sent.map(newId),
        sent.map(newId),
        sent.map(newId),
      ],
    })
  }
}

const server = createServer(async (_request, response) => {
  const began = performance.now()
  await freeze()
  // Three loops, so that one batch can be at the platform while another is at the database.
  await Promise.all([work(), work(), work()])
  response.end(JSON.stringify({ seconds: (performance.now() - began) / 1000 }))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
console.log(`listening http://127.0.0.1:${(server.address() as AddressInfo).port}`)
process.once('SIGTERM', () => process.exit())
