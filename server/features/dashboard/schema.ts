import Type from 'typebox'
import { Contact } from '../contacts/schema.ts'

const count = (description: string) => Type.Integer({ description })

export const Dashboard = Type.Object(
  {
    contacts: Type.Object({
      total: count('All contacts'),
      new: count('Contacts in this stage'),
      engaged: count('Contacts in this stage'),
      qualified: count('Contacts in this stage'),
      customers: count('Contacts in the stage `customer`'),
      lost: count('Contacts in this stage'),
    }),
    handling: Type.Object({
      ai: count('Contacts handled by the AI'),
      human: count('Contacts handled by people'),
    }),
    tasks: Type.Object({
      pending: count('Pending tasks'),
      overdue: count('Pending tasks past their due date'),
    }),
  },
  { title: 'Dashboard' },
)

const lastDays = (usual: number, most: number) =>
  Type.Object({
    days: Type.Integer({ minimum: 1, maximum: most, default: usual, description: 'Number of days, ending today' }),
    time_zone: Type.String({
      maxLength: 64,
      default: 'UTC',
      description: 'Time zone in which days start, such as `Europe/Berlin`',
    }),
  })

export const DailyFilter = lastDays(14, 90)
export type DailyFilter = Type.Static<typeof DailyFilter>

export const SourceFilter = lastDays(30, 365)
export type SourceFilter = Type.Static<typeof SourceFilter>

export const Day = Type.Object(
  {
    date: Type.String({
      format: 'date',
      examples: ['2026-11-15'],
      description: 'The day, in the requested time zone',
    }),
    messages: count('Chat messages, inbound and outbound'),
    calls: count('Calls: inbound, outbound and browser'),
  },
  { title: 'Day' },
)

export const Daily = Type.Object({ data: Type.Array(Day) }, { title: 'Daily' })

const { source_type, source_id, source_headline, source_url } = Contact.properties

export const Source = Type.Object(
  { source_type, source_id, source_headline, source_url, contacts: count('Contacts that came from it in these days') },
  { title: 'ContactSource' },
)

export const Sources = Type.Object(
  {
    total: count('Contacts that came from ads and posts in these days'),
    data: Type.Array(Source, { description: 'Ads and posts, those with most contacts first; at most 100' }),
  },
  { title: 'ContactSources' },
)
