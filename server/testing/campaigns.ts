import assert from 'node:assert/strict'
import Type from 'typebox'
import type { Delivery } from '../features/campaigns/deliveries/schema.ts'
import type { Campaign } from '../features/campaigns/schema.ts'
import type { TenantScope } from '../platform/database.ts'
import { ok, type TestApp, type TestOrganization } from './app.ts'
import { until } from './process.ts'

/** An organization that is ready to send: a channel and an approved template. */
export interface Campaigner extends TestOrganization {
  scope: TenantScope
  channelId: string
  templateId: string
  /** Creates contacts whose numbers end in these four digits, or this many to whom messages are delivered. */
  contacts(numbers: number | string[], members?: object): Promise<string[]>
  /** Inserts many contacts with this tag. Messages to them are delivered and read unless `ending` says otherwise. */
  crowd(count: number, tag: string, ending?: string): Promise<void>
  /** Creates an approved template, by default with one variable. */
  template(members?: object): Promise<string>
  /** Creates a campaign for these contacts, by default with `templateId`; null sends to all contacts. */
  send(contactIds: string[] | null, members?: object): Promise<Campaign>
  see(campaignId: string): Promise<Campaign>
  /** Waits until the campaign meets the condition. */
  until(campaignId: string, condition: (campaign: Campaign) => boolean): Promise<Campaign>
  deliveries(campaignId: string, query?: string): Promise<Delivery[]>
}

let numbers = 0

export async function campaigner(
  app: TestApp,
  { category = 'MARKETING', messagesPerSecond = 1000, text = 'Hello {{1}}, we are open today.' } = {},
): Promise<Campaigner> {
  const org = await app.organization()
  const scope = { organizationId: org.id, livemode: false }
  const channel = (await org.call('GET', 'channels')).body.data[0]
  if (messagesPerSecond !== channel.messages_per_second)
    await org.call('PATCH', `channels/${channel.id}`, { messages_per_second: messagesPerSecond })
  const own: Campaigner = {
    ...org,
    scope,
    channelId: channel.id,
    templateId: '',
    async contacts(wanted, members = {}) {
      const endings = typeof wanted === 'number' ? Array.from({ length: wanted }, () => '0100') : wanted
      const ids: string[] = []
      for (const ending of endings) {
        const phone_number = `+1${200_000 + (++numbers % 700_000)}${ending}`
        const answer = ok(
          await org.call('POST', 'contacts', { phone_number, name: `Person ${numbers}`, ...members }),
          201,
        )
        ids.push(answer.id)
      }
      return ids
    },
    async crowd(count, tag, ending = '2000') {
      const first = numbers
      numbers += count
      await app.database.inTenant(
        scope,
        (tx) => tx.run`
          insert into contacts (id, phone_number, name, tags)
          select new_id(), '+44' || (7000000 + ${first}::integer + n) || ${ending}::text, 'Person ' || n, array[${tag}::text]
          from generate_series(1, ${count}::integer) n`,
      )
    },
    async template(members = {}) {
      const created = ok(
        await org.call('POST', 'templates', {
          channel_id: channel.id,
          name: `template_${++numbers}`,
          language: 'en_US',
          category,
          components: [{ type: 'BODY', text }],
          ...members,
        }),
        201,
      )
      await until(async () => {
        const { body } = await org.call('GET', `templates/${created.id}`)
        assert.notEqual(body.status, 'REJECTED', JSON.stringify(body))
        return body.status === 'APPROVED' && body.platform_status === 'APPROVED'
      })
      return created.id
    },
    async send(contactIds, members = {}) {
      return ok(
        await org.call('POST', 'campaigns', {
          name: 'News',
          chat_phone_number_id: channel.id,
          message_template_id: own.templateId,
          ...(contactIds && { audience_type: 'manual', audience_contact_ids: contactIds }),
          ...members,
        }),
        201,
      )
    },
    async see(campaignId) {
      return ok(await org.call('GET', `campaigns/${campaignId}`))
    },
    async until(campaignId, condition) {
      let campaign: Campaign | undefined
      await until(async () => {
        campaign = await own.see(campaignId)
        return condition(campaign)
      })
      return campaign as Campaign
    },
    async deliveries(campaignId, query = '') {
      const answer = ok(await org.call('GET', `campaigns/${campaignId}/deliveries?limit=100${query}`))
      return answer.data
    },
  }
  own.templateId = await own.template()
  return own
}

const Tally = Type.Object({ status: Type.String(), accepted: Type.Boolean(), n: Type.Integer() })

/** Counts the delivery rows; the result must equal the campaign's counts. */
export async function countRows(app: TestApp, scope: TenantScope, campaignId: string) {
  const rows = await app.database.forTenant(scope).all(Tally)`
    select status, accepted_at is not null as accepted, count(*)::integer as n from deliveries
    where campaign_id = ${campaignId} group by 1, 2`
  const sum = (fits: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(fits).reduce((total, { n }) => total + n, 0)
  const of = (...statuses: string[]) => sum(({ status }) => statuses.includes(status))
  return {
    total_contacts_count: sum(() => true),
    sent_count: sum(({ status, accepted }) => accepted && status !== 'skipped'),
    delivered_count: of('delivered', 'read'),
    read_count: of('read'),
    failed_count: of('failed'),
    skipped_count: of('skipped'),
    unknown_count: of('unknown'),
    pending_count: of('pending'),
    sending_count: of('sending'),
  }
}

export const countsOf = (campaign: Campaign) => {
  const {
    total_contacts_count,
    sent_count,
    delivered_count,
    read_count,
    failed_count,
    skipped_count,
    unknown_count,
    pending_count,
    sending_count,
  } = campaign
  return {
    total_contacts_count,
    sent_count,
    delivered_count,
    read_count,
    failed_count,
    skipped_count,
    unknown_count,
    pending_count,
    sending_count,
  }
}

/** Messages that the simulator accepted from this channel, from its own ledger. */
export async function ledgerOf(app: TestApp, channelId: string) {
  const { body } = await app.control('GET', `ledger?phone_number_id=${channelId}&limit=1000000`)
  return body as {
    accepted: number
    distinct: number
    repeated: number
    entries: { to: string; callback_data: string; accepted: number; ids: string[] }[]
  }
}

const Unapplied = Type.Object({ n: Type.Integer() })

/** Whether the simulator has posted every receipt and the service has applied them. */
export async function receiptsAreIn(app: TestApp): Promise<boolean> {
  const { scheduled, webhooks } = (await app.control('GET', 'pending')).body
  const { n } = await app.database.forSystem().one(Unapplied)`
    select ((select count(*) from incoming_hooks) + (select count(*) from early_updates))::integer as n`
  return scheduled + webhooks + n === 0
}

/**
 * Compares a campaign that has ended with the platform's ledger: each message was accepted once and read, or it is
 * unknown.
 */
export async function compareWithLedger(app: TestApp, own: Campaigner, campaignId: string): Promise<void> {
  const { entries } = await ledgerOf(app, own.channelId)
  const accepted = new Map(entries.map(({ callback_data, ids }) => [callback_data, ids]))
  for (let cursor = ''; ; ) {
    const { body } = await own.call('GET', `campaigns/${campaignId}/deliveries?limit=100${cursor}`)
    for (const { id, status, chat_message_id } of body.data as Delivery[]) {
      const ids = accepted.get(id)
      if (ids) assert.deepEqual([status, ids], ['read', [chat_message_id]], id)
      else assert.equal(status, 'unknown', `${id} is ${status}, and the platform never accepted it`)
    }
    if (!body.has_more) break
    cursor = `&starting_after=${body.next_cursor}`
  }
  assert.deepEqual(countsOf(await own.see(campaignId)), await countRows(app, own.scope, campaignId))
}
