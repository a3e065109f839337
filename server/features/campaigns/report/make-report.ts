import type { TenantSql } from '../../../platform/database.ts'
import { invalid, notFound } from '../../../platform/errors.ts'
import { linkLabelsOf } from '../../templates/content/parts.ts'
import { chartOf } from './chart.ts'
import { adviceOn } from './failure-advice.ts'
import { amount, clockOf, duration, isolated, listed, number, share, shortened } from './figures.ts'
import { previewOf } from './message-preview.ts'
import { findReportFacts } from './queries.ts'
import type { FailureRow, FunnelStep, Report } from './report.ts'
import type { CampaignReport, Failure, ReportFacts } from './schema.ts'
import { statusOf } from './status-words.ts'

/** More reasons than this do not fit on the pages. */
const mostFailures = 40

/** A campaign's report as of now, in words and figures of one time zone. */
export const makeReport = async (sql: TenantSql, campaignId: string, timezone: string): Promise<Report> =>
  toReport(await readFacts(sql, campaignId, timezone), timezone)

/** The same for programs, which get the counts from the campaign itself. */
export async function makePlainReport(sql: TenantSql, campaignId: string, timezone: string): Promise<CampaignReport> {
  const facts = await readFacts(sql, campaignId, timezone)
  return {
    as_of: facts.as_of,
    template_name: facts.template_name,
    template_language: facts.template_language,
    template_category: facts.template_category,
    template_components: facts.template_components,
    example: facts.example,
    first_sent_at: facts.first_sent_at,
    last_sent_at: facts.last_sent_at,
    step_seconds: facts.step_seconds,
    stretches: facts.stretches,
    failures: facts.failures.map(({ status, code, words, count }) => {
      const { meaning, advice } = adviceOn(code)
      return { status, code, words, count, explanation: meaning, what_to_do: advice }
    }),
    reply_rate: facts.sent_count === 0 ? null : facts.replied_count / facts.sent_count,
    buttons: facts.buttons,
    links: linksOf(facts),
    links_at: facts.link_clicks_at,
    links_error: facts.link_clicks_error,
  }
}

async function readFacts(sql: TenantSql, campaignId: string, timezone: string): Promise<ReportFacts> {
  refuseUnknownZone(timezone)
  const facts = await findReportFacts(sql, campaignId, timezone, mostFailures).catch((error) => {
    // PostgreSQL has its own list of time zones.
    throw (error as { code?: string }).code === '22023' ? unknownZone() : error
  })
  if (!facts) throw notFound('Campaign')
  return facts
}

const unknownZone = () => invalid(['query', 'timezone'], 'Not a time zone: use an IANA name such as Europe/Berlin')

function refuseUnknownZone(timezone: string): void {
  try {
    // JavaScript and PostgreSQL read offsets with opposite signs.
    if (!/^[a-z][\w+\-/]*$/i.test(timezone)) throw new RangeError()
    new Intl.DateTimeFormat('en', { timeZone: timezone })
  } catch {
    throw unknownZone()
  }
}

function toReport(facts: ReportFacts, timezone: string): Report {
  const clock = clockOf(timezone)
  const listedFailures = facts.failures.reduce((total, { count }) => total + count, 0)
  const allFailures = facts.failed_count + facts.skipped_count + facts.unknown_count
  const preview = facts.template_components
    ? previewOf(facts.template_components, { example: facts.example, given: facts.template_variables })
    : null
  return {
    id: facts.id,
    name: facts.name,
    organization: facts.organization_name,
    isTest: !facts.livemode,
    status: statusOf(facts, clock),
    asOf: clock(facts.as_of),
    timezone,
    facts: factsOf(facts, clock),
    preview,
    previewNote: preview?.isExample ? 'As one of the recipients sees it' : 'As recipients see it',
    funnel: funnelOf(facts),
    remainder: remainderOf(facts),
    buttons: buttonsOf(facts),
    links: linksText(facts),
    chart: chartOf(facts),
    failures: facts.failures.map((failure) => failureRow(failure, facts.total_contacts_count)),
    otherFailures: allFailures - listedFailures,
  }
}

function factsOf(facts: ReportFacts, clock: (instant: string) => string): Report['facts'] {
  const { template_name, template_language, template_category, first_sent_at, last_sent_at, sent_count } = facts
  const rows: [label: string, value: string | null][] = [
    ['Audience', audienceOf(facts)],
    ['Channel', [facts.channel_name, facts.channel_number].filter(Boolean).map(isolated).join(' · ')],
    [
      'Template',
      template_name ? [template_name, template_language, template_category?.toLowerCase()].join(' · ') : 'None',
    ],
    ['Scheduled', facts.scheduled_at && clock(facts.scheduled_at)],
    ['Local times', sendingTimesOf(facts)],
    ['Started', facts.started_at && clock(facts.started_at)],
    ['Finished', facts.completed_at && clock(facts.completed_at)],
  ]
  if (first_sent_at && last_sent_at) {
    const seconds = (Date.parse(last_sent_at) - Date.parse(first_sent_at)) / 1000
    if (sent_count > 1) rows.push(['Sending took', duration(seconds)])
  }
  return rows.flatMap(([label, value]) => (value ? [{ label, value }] : []))
}

/** In the recipients' time zones. */
function sendingTimesOf({ sending_times }: ReportFacts): string | null {
  if (!sending_times) return null
  const { local_time, quiet_hours, schedule_id } = sending_times
  const at = local_time ? `At ${local_time}` : 'At any time'
  const quiet = quiet_hours ? `, but not from ${quiet_hours.from} to ${quiet_hours.until}` : ''
  return `${at}${quiet}${schedule_id ? ', within business hours' : ''}`
}

const mostTags = 5
const mostTagCharacters = 24

function audienceOf({ audience_type, audience_tags, chosen_contacts_count }: ReportFacts): string {
  if (audience_type === 'all') return 'All contacts'
  if (audience_type === 'manual') return `${amount(chosen_contacts_count, 'contact')} chosen one by one`
  return `Contacts tagged ${listed(
    (audience_tags ?? []).map((tag) => `“${isolated(shortened(tag, mostTagCharacters))}”`),
    mostTags,
  )}`
}

function funnelOf(facts: ReportFacts): FunnelStep[] {
  const all = facts.total_contacts_count
  const steps: [label: string, count: number][] = [
    ['Recipients', all],
    ['Sent', facts.sent_count],
    ['Delivered', facts.delivered_count],
    ['Read', facts.read_count],
    ['Replied', facts.replied_count],
  ]
  return steps.map(([label, count], i) => {
    // People who switched read receipts off reply too, so replies are no share of those who read.
    const [before = '', previous = 0] = steps[label === 'Replied' ? 1 : i - 1] ?? []
    return {
      label,
      count,
      part: all === 0 ? 0 : count / all,
      share: i === 0 ? '' : share(count, all),
      ofPrevious: i < 2 || previous === 0 ? '' : `${share(count, previous)} of ${before.toLowerCase()}`,
    }
  })
}

/** `Tapped: “Yes” 12 · “No” 3`; empty if no button was tapped. */
const buttonsOf = ({ buttons }: ReportFacts): string =>
  buttons.length === 0
    ? ''
    : `Tapped: ${buttons.map(({ label, count }) => `“${isolated(shortened(label, 30))}” ${number(count)}`).join(' · ')}`

/** The links of the message with their clicks; none before the platform has reported any. */
function linksOf({ link_clicks, link_clicks_at, template_components }: ReportFacts): CampaignReport['links'] {
  if (link_clicks_at === null) return []
  const links = new Map(
    linkLabelsOf(template_components ?? []).map((label) => [label, { label, clicks: 0, people: 0 }]),
  )
  for (const [label, { clicks, people }] of Object.values(link_clicks).flatMap(Object.entries)) {
    const before = links.get(label) ?? { clicks: 0, people: 0 }
    links.set(label, { label, clicks: before.clicks + clicks, people: before.people + people })
  }
  return [...links.values()]
}

/** `Clicked: “Shop now” 12`; empty if no link was clicked. */
function linksText(facts: ReportFacts): string {
  const clicked = linksOf(facts).filter(({ clicks }) => clicks > 0)
  if (clicked.length === 0) return ''
  return `Clicked: ${clicked.map(({ label, clicks }) => `“${isolated(shortened(label, 30))}” ${number(clicks)}`).join(' · ')}`
}

const isOver = ({ status }: ReportFacts) => status === 'cancelled' || status === 'failed'

function remainderOf(facts: ReportFacts): string {
  const { total_contacts_count, skipped_count, failed_count, unknown_count, pending_count, sending_count } = facts
  if (total_contacts_count === 0)
    return facts.frozen_at ? 'The audience was empty.' : 'Recipients are counted when sending starts.'
  const parts = [
    [skipped_count, 'skipped'],
    [failed_count, 'failed'],
    [unknown_count, 'with unknown outcome'],
    [pending_count + sending_count, isOver(facts) ? 'never sent' : 'still to be sent'],
  ] as const
  const said = parts.filter(([count]) => count > 0).map(([count, what]) => `${number(count)} ${what}`)
  return said.length === 0 ? 'No recipient was skipped, and no message failed.' : `Besides: ${said.join(' · ')}`
}

const kinds: Record<string, string> = { failed: 'Failed', skipped: 'Skipped', unknown: 'Unknown' }

function failureRow({ status, code, words, count }: Failure, all: number): FailureRow {
  const { meaning, advice } = adviceOn(code)
  const isOurs = /^[a-z_]+$/.test(code)
  return {
    count: number(count),
    share: share(count, all),
    kind: kinds[status] ?? status,
    meaning,
    code: isOurs ? '' : `Code ${code}`,
    words: words === null || words === code ? '' : isolated(words),
    advice,
  }
}
