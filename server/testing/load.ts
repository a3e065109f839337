import pg from 'pg'
import type { Campaign } from '../features/campaigns/schema.ts'
import { bodyFrom } from './call-service.ts'
import { until } from './process.ts'
import type { TestSimulator } from './simulator.ts'
import { startWriters, storedNumbers } from './writers.ts'

const messagesPerSecond = 150

interface Service {
  url: string
  key: string
  /** As its owner. */
  databaseUrl: string
  simulator: TestSimulator
}

interface Seen {
  /** Acknowledged writes that are not stored. */
  lost: number
  /** Messages of the campaign, and how many of them the platform got more than once. */
  sent: number
  unknown: number
  repeated: number
  /** All of it in one line, with the longest time without an acknowledged write. */
  summary: string
}

/** A campaign is sent and clients create contacts, until `finish` waits for the campaign and compares. */
export async function startLoad(service: Service, recipients: number) {
  const { url, key } = service
  const campaign = await startCampaign(service, recipients)
  const writers = startWriters(url, key)
  await writers.more(200)
  return {
    writers,
    async finish(): Promise<Seen> {
      await writers.stop()
      await until(async () => (await campaign.see()).status === 'completed')
      const stored = await storedNumbers(url, key)
      const lost = [...writers.acknowledged].filter((number) => !stored.has(number)).length
      const { sent_count: sent, unknown_count: unknown } = await campaign.see()
      const repeated = await campaign.repeated()
      const summary =
        `${writers.acknowledged.size} writes acknowledged, ${lost} of them lost; no answer for ` +
        `${writers.longestGap().toFixed(1)} s; answers ${JSON.stringify(writers.answers)}; campaign: ${sent} sent, ` +
        `${unknown} unknown, ${repeated} repeated`
      return { lost, sent, unknown, repeated, summary }
    },
  }
}

async function startCampaign({ url, key, databaseUrl, simulator }: Service, recipients: number) {
  const call = bodyFrom(url, key)
  const { organization } = await call('GET', 'me')
  const { data: channels } = await call('GET', 'channels')
  const channel_id = channels[0].id
  await call('PATCH', `channels/${channel_id}`, { messages_per_second: messagesPerSecond })
  const template = await call('POST', 'templates', {
    channel_id,
    name: 'news',
    language: 'en_US',
    category: 'MARKETING',
    components: [{ type: 'BODY', text: 'We are open today.' }],
  })
  await until(async () => (await call('GET', `templates/${template.id}`)).status === 'APPROVED')
  const owner = new pg.Client(databaseUrl)
  await owner.connect()
  await owner.query(
    `insert into contacts (id, organization_id, livemode, phone_number, name, tags)
     select new_id(), $1, false, '+44' || (7000000 + n) || '2000', 'Person ' || n, array['crowd']
     from generate_series(1, $2::integer) n`,
    [organization.id, recipients],
  )
  await owner.end()
  const campaign = await call('POST', 'campaigns', {
    name: 'News',
    chat_phone_number_id: channel_id,
    message_template_id: template.id,
    audience_type: 'tags',
    audience_tags: ['crowd'],
  })
  const see = (): Promise<Campaign> => call('GET', `campaigns/${campaign.id}`)
  await until(async () => (await see()).sent_count > 100)
  return {
    see,
    repeated: async (): Promise<number> =>
      (await simulator.control('GET', `ledger?phone_number_id=${channel_id}&limit=100000`)).body.repeated,
  }
}
