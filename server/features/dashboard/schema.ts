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
      ai: count('Contacts that the AI answers'),
      human: count('Contacts that people answer'),
    }),
    tasks: Type.Object({
      pending: count('Tasks still to be done'),
      overdue: count('Pending tasks that were due before now'),
    }),
  },
  { title: 'Dashboard' },
)

export const DailyFilter = Type.Object({
  days: Type.Integer({ minimum: 1, maximum: 90, default: 14, description: 'How many days, today the last of them' }),
  time_zone: Type.String({
    maxLength: 64,
    default: 'UTC',
    description: 'Where the days begin at midnight, such as `Europe/Berlin`',
  }),
})
export type DailyFilter = Type.Static<typeof DailyFilter>

export const Day = Type.Object(
  {
    date: Type.String({
      format: 'date',
      examples: ['2026-11-15'],
      description: 'The day, in the time zone that was asked for',
    }),
    messages: count('Chat messages, both ways'),
    calls: count('Calls, both ways and in the browser'),
  },
  { title: 'Day' },
)

export const Daily = Type.Object({ data: Type.Array(Day) }, { title: 'Daily' })
