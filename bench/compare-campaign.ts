import assert from 'node:assert/strict'
import type { caller } from './caller.ts'
import type { BenchDatabase } from './harness.ts'
import type { simulatorControls } from './simulator-controls.ts'

type Control = ReturnType<typeof simulatorControls>

/**
 * The final state of messages to numbers with these endings; one recipient in `oneIn` has each. All other recipients
 * read the message.
 */
export const finalStates = [
  { ending: '0101', oneIn: 150, status: 'sent', code: null },
  { ending: '0102', oneIn: 100, status: 'failed', code: '131026' },
  { ending: '0107', oneIn: 2_000, status: 'read', code: null },
] as const
const defaultState = { status: 'read', code: null }
const finalStateOf = (phoneNumber: string) =>
  finalStates.find(({ ending }) => phoneNumber.endsWith(ending)) ?? defaultState

interface LedgerEntry {
  to: string
  callback_data: string
  accepted: number
  ids: string[]
}

async function readLedger(control: Control, channelId: string): Promise<Map<string, LedgerEntry>> {
  const ledger = new Map<string, LedgerEntry>()
  const page = 20_000
  for (let offset = 0; ; offset += page) {
    const { entries } = await control('GET', `ledger?phone_number_id=${channelId}&offset=${offset}&limit=${page}`)
    for (const entry of entries as LedgerEntry[]) {
      assert.ok(!ledger.has(entry.callback_data), `${entry.callback_data} is in the ledger twice`)
      ledger.set(entry.callback_data, entry)
    }
    if (entries.length < page) return ledger
  }
}

/** Compares each delivery with the platform's ledger and with our messages, activities and counts. */
export async function compareCampaign(
  call: ReturnType<typeof caller>,
  campaignId: string,
  { database, control, recipients }: { database: BenchDatabase; control: Control; recipients: number },
) {
  const campaign = await call('GET', `campaigns/${campaignId}`)
  const ledger = await readLedger(control, campaign.chat_phone_number_id)
  const { rows } = await database.query(
    `select d.id, d.phone_number, d.status, d.code, d.chat_message_id,
       (select count(*) from messages m where m.organization_id = d.organization_id and m.livemode = d.livemode
         and m.contact_id = d.contact_id) as messages,
       (select count(*) from activities a where a.organization_id = d.organization_id and a.livemode = d.livemode
         and a.contact_id = d.contact_id and a.type = 'message_outbound') as activities
     from deliveries d where d.campaign_id = $1`,
    [campaignId],
  )
  const statuses: Record<string, number> = {}
  const people = new Set<string>()
  let [accepted, repeated, refused] = [0, 0, 0]
  for (const { id, phone_number, status, code, chat_message_id, messages, activities } of rows) {
    const described = JSON.stringify({ id, phone_number, status, code, chat_message_id, messages, activities })
    assert.ok(!people.has(phone_number), `two deliveries to one person: ${described}`)
    people.add(phone_number)
    statuses[status] = (statuses[status] ?? 0) + 1
    const entry = ledger.get(id)
    ledger.delete(id)
    if (!entry) {
      // The platform refused it, and the worker recorded that after its lease had expired and the campaign was over.
      const isRefused = status === 'failed' && code === '131000'
      assert.ok(
        (status === 'unknown' || isRefused) && messages === 0 && activities === 0,
        `not in the platform’s ledger: ${described}`,
      )
      if (isRefused) refused++
      continue
    }
    accepted += entry.accepted
    if (entry.accepted > 1) repeated++
    assert.ok(entry.accepted === 1, `sent ${entry.accepted} times: ${described}`)
    const expected = finalStateOf(phone_number)
    const agrees = `+${entry.to}` === phone_number && entry.ids[0] === chat_message_id
    const isRecorded = messages === 1 && activities === 1
    assert.ok(
      agrees && isRecorded && status === expected.status && code === expected.code,
      `expected ${expected.status}: ${described}`,
    )
  }
  assert.ok(ledger.size === 0, `${ledger.size} messages in the platform’s ledger have no delivery`)
  assert.ok(rows.length === recipients, `${rows.length} deliveries instead of ${recipients}`)
  const count = (...of: string[]) => of.reduce((sum, status) => sum + (statuses[status] ?? 0), 0)
  const counted = {
    total_contacts_count: recipients,
    sent_count: accepted,
    delivered_count: count('delivered', 'read'),
    read_count: count('read'),
    failed_count: count('failed'),
    unknown_count: count('unknown'),
    pending_count: 0,
    sending_count: 0,
  }
  for (const [name, n] of Object.entries(counted))
    assert.ok(campaign[name] === n, `${name} is ${campaign[name]}, but the rows give ${n}`)
  return { accepted, repeated, refused, unknown: count('unknown'), statuses }
}
