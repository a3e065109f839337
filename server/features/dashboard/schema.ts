import Type from 'typebox'

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

export const DailyFilter = Type.Object({
  days: Type.Integer({ minimum: 1, maximum: 90, default: 14, description: 'Number of days, ending today' }),
  time_zone: Type.String({
    maxLength: 64,
    default: 'UTC',
    description: 'Time zone in which days start, such as `Europe/Berlin`',
  }),
})
export type DailyFilter = Type.Static<typeof DailyFilter>

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
