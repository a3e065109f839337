import Type, { type Static } from 'typebox'
import { Id, Nullable, OneOf } from '../../platform/schemas.ts'

const intervals = ['day', 'week', 'month'] as const
export type ReportInterval = (typeof intervals)[number]

const LocalDate = Type.String({ format: 'date', examples: ['2026-11-01'] })

export const PeriodFilter = Type.Object({
  from: Type.Optional({ ...LocalDate, description: 'First day; by default 27 days before the last one' }),
  until: Type.Optional({
    ...LocalDate,
    description: 'Last day, included; today by default. At most 1,827 days (five years)',
  }),
  time_zone: Type.String({
    maxLength: 64,
    default: 'UTC',
    description: 'Time zone in which days start, such as `Europe/Berlin`',
  }),
  interval: OneOf(intervals, { default: 'day', description: 'What one entry of `series` covers' }),
})
export type PeriodFilter = Static<typeof PeriodFilter>

const Days = Type.Object({ from: LocalDate, until: LocalDate })

export const periodMembers = {
  period: { ...Days, description: 'First and last day' },
  previous_period: { ...Days, description: 'As many days, right before' },
  time_zone: Type.String({ examples: ['Europe/Berlin'] }),
  interval: OneOf(intervals),
}

export const ConversationReportFilter = Type.Object({
  ...PeriodFilter.properties,
  channel_id: Type.Optional({ ...Id, description: 'Only conversations on this channel' }),
  member_id: Type.Optional({ ...Id, description: 'Only conversations of this member' }),
  team_id: Type.Optional({ ...Id, description: 'Only conversations of this team' }),
  ticket_tag: Type.Optional(Type.String({ maxLength: 200, description: 'Only tickets that have this tag' })),
  tag: Type.Optional(
    Type.String({ maxLength: 200, description: 'Only conversations with contacts that have this tag' }),
  ),
})
export type ConversationReportFilter = Static<typeof ConversationReportFilter>

const count = (description: string) => Type.Integer({ description, examples: [12] })
const seconds = (description: string) => Nullable(Type.Integer({ description, examples: [240] }))

const conversationFigures = {
  opened: count('Conversations that started: tickets opened and reopened'),
  reopened: count('Of these, reopened ones'),
  closed: count('Conversations that ended'),
  first_reply_median_seconds: seconds(
    'From the first message of the contact to the first reply, by an agent or a member; half of the replies were faster. Conversations that started in the period',
  ),
  first_reply_p90_seconds: seconds('Nine of ten first replies were faster'),
  member_reply_median_seconds: seconds('The same up to the first reply by a member'),
  resolution_median_seconds: seconds('From start to end. Conversations that ended in the period'),
  resolution_p90_seconds: seconds('Nine of ten conversations were shorter'),
  answered_by_ai: count('Ended conversations in which an agent replied'),
  contained: count('Of these, ended without a person: no member replied and the agent did not hand off'),
  handed_off: count('Ended conversations in which the AI was turned off'),
  rated_good: count('Conversations that were rated good in the period'),
  rated_okay: count('Conversations that were rated okay'),
  rated_bad: count('Conversations that were rated bad'),
}

const messageFigures = {
  messages_received: Nullable(count('Messages from contacts; null with any filter but `channel_id`')),
  messages_sent: Nullable(count('Messages by members, agents and campaigns; null with any filter but `channel_id`')),
}

export const ConversationFigures = Type.Object(conversationFigures, { title: 'ConversationFigures' })

const ConversationTotals = Type.Object(
  {
    ...conversationFigures,
    backlog: count('Open conversations at the end of the period'),
    ...messageFigures,
  },
  { title: 'ConversationTotals' },
)

const ConversationsOfInterval = Type.Object(
  {
    date: { ...LocalDate, description: 'First day of the interval' },
    opened: conversationFigures.opened,
    closed: conversationFigures.closed,
    backlog: count('Open conversations at the end of the interval'),
    first_reply_median_seconds: conversationFigures.first_reply_median_seconds,
    resolution_median_seconds: conversationFigures.resolution_median_seconds,
    ...messageFigures,
  },
  { title: 'ConversationsOfInterval' },
)

const group = (id: object, what: string) =>
  Type.Array(
    Type.Object({
      id: Nullable(Type.String({ ...id, description: `Null for conversations without a ${what}` })),
      name: Type.String({ examples: ['Support'] }),
      ...conversationFigures,
      backlog: count('Open conversations at the end of the period'),
    }),
    { description: `Most conversations first; at most 100` },
  )

export const ConversationReport = Type.Object(
  {
    ...periodMembers,
    totals: ConversationTotals,
    previous: ConversationTotals,
    series: Type.Array(ConversationsOfInterval, { description: 'Oldest first' }),
    by_channel: group({ format: 'uuid' }, 'channel'),
    by_member: group({ format: 'uuid' }, 'member'),
    by_team: group({ format: 'uuid' }, 'team'),
    by_ticket_tag: group({}, 'tag'),
    by_tag: group({}, 'tag'),
    handoff_count: count('Hand-offs to people in the period, with any reason'),
    handoff_reasons: Type.Array(
      Type.Object({
        reason: Nullable(Type.String({ examples: ['Asked for a person'] })),
        count: count('Hand-offs with this reason'),
      }),
      {
        description:
          'Hand-offs to people in the period, the 20 most frequent reasons first. Null: a member took over without giving one',
      },
    ),
  },
  { title: 'ConversationReport' },
)
export type ConversationReport = Static<typeof ConversationReport>

export const ConversationExportFilter = Type.Object({
  ...ConversationReportFilter.properties,
  by: OneOf(['interval', 'channel', 'member', 'team', 'ticket_tag', 'tag', 'handoff_reason'] as const, {
    default: 'interval',
    description: 'What a row is',
  }),
})
export type ConversationExportFilter = Static<typeof ConversationExportFilter>

const callFigures = {
  calls: count('Calls that started'),
  inbound: count('Of these, inbound ones'),
  outbound: count('Of these, outbound ones'),
  completed: count('Calls that were answered and ended'),
  not_reached: count('Calls that were busy or not answered'),
  failed: count('Calls that failed'),
  handed_off: count('Calls handed off or transferred to a person'),
  talk_seconds: count('Duration of all calls together'),
}
const CallFigures = Type.Object(callFigures, { title: 'CallFigures' })

const callGroup = Type.Array(
  Type.Object({
    id: Nullable(Type.String({ format: 'uuid' })),
    name: Type.String({ examples: ['Receptionist'] }),
    ...callFigures,
  }),
)

export const CallReport = Type.Object(
  {
    ...periodMembers,
    totals: CallFigures,
    previous: CallFigures,
    series: Type.Array(Type.Object({ date: LocalDate, ...callFigures }), { description: 'Oldest first' }),
    by_channel: callGroup,
    by_agent: callGroup,
    ended_reasons: Type.Array(
      Type.Object({ reason: Type.String({ examples: ['caller_hung_up'] }), count: count('Calls that ended so') }),
      { description: 'Most frequent first' },
    ),
  },
  { title: 'CallReport' },
)
export type CallReport = Static<typeof CallReport>

const campaignFigures = {
  recipients: count('Contacts of the audience'),
  sent: count('Messages that the platform accepted'),
  delivered: count('Messages that were delivered'),
  read: count('Messages that were read'),
  replied: count('Recipients who replied'),
  failed: count('Messages that failed'),
  reply_rate: Nullable(
    Type.Number({
      description: '`replied` as a share of `sent`, from 0 to 1; null if nothing was sent',
      examples: [0.08],
    }),
  ),
}
const CampaignFigures = Type.Object(
  { campaigns: count('Campaigns that started'), ...campaignFigures },
  { title: 'CampaignFigures' },
)

export const CampaignsReport = Type.Object(
  {
    ...periodMembers,
    totals: CampaignFigures,
    previous: CampaignFigures,
    campaigns: Type.Array(
      Type.Object({
        id: Id,
        name: Type.String({ examples: ['Spring sale'] }),
        started_at: Type.String({ format: 'date-time', examples: ['2026-11-15T09:00:00.000Z'] }),
        ...campaignFigures,
      }),
      { description: 'Newest first; at most 200' },
    ),
  },
  { title: 'CampaignsReport' },
)
export type CampaignsReport = Static<typeof CampaignsReport>
