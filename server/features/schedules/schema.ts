import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../platform/http/pagination.ts'
import { Id, Instant, Nullable } from '../../platform/schemas.ts'

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

const Span = Type.Object(
  {
    from: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description: 'First minute', examples: ['09:00'] }),
    until: Type.String({
      pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$',
      description: 'First minute after it; on the next day if it is earlier than `from`',
      examples: ['17:00'],
    }),
  },
  { title: 'OpeningSpan' },
)
export type Span = Static<typeof Span>

const spans = Type.Array(Span, { maxItems: 10, default: [], description: 'None: closed', examples: [[]] })

const WeeklyHours = Type.Object(
  Object.fromEntries(weekdays.map((day) => [day, spans])) as Record<(typeof weekdays)[number], typeof spans>,
  { title: 'WeeklyHours', description: 'The spans of each weekday; a span belongs to the day on which it begins' },
)
export type WeeklyHours = Static<typeof WeeklyHours>

const Holiday = Type.Object(
  {
    date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-12-25'] }),
    name: Type.String({ maxLength: 100, default: '', examples: ['Christmas Day'] }),
    hours: { ...spans, description: 'The hours of that day, in place of those of the weekday. None: closed' },
  },
  { title: 'Holiday' },
)
export type Holiday = Static<typeof Holiday>

const name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: ['Office hours'] })
const timeZone = Type.String({ maxLength: 64, description: 'IANA name', examples: ['Europe/Berlin'] })
const holidays = Type.Array(Holiday, { maxItems: 366, default: [] })

export const Schedule = Type.Object(
  {
    id: Id,
    organization_id: Id,
    name,
    time_zone: timeZone,
    weekly_hours: WeeklyHours,
    holidays: Type.Array(Holiday),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Schedule' },
)
export type Schedule = Static<typeof Schedule>

const officeHours = [{ from: '09:00', until: '17:00' }]

export const NewSchedule = Type.Object(
  { name, time_zone: timeZone, weekly_hours: WeeklyHours, holidays },
  {
    title: 'NewSchedule',
    examples: [
      {
        name: 'Office hours',
        time_zone: 'Europe/Berlin',
        weekly_hours: {
          monday: officeHours,
          tuesday: officeHours,
          wednesday: officeHours,
          thursday: officeHours,
          friday: [
            { from: '09:00', until: '12:00' },
            { from: '13:00', until: '16:00' },
          ],
        },
        holidays: [{ date: '2026-12-25', name: 'Christmas Day' }],
      },
    ],
  },
)
export type NewSchedule = Static<typeof NewSchedule>

export const ScheduleChanges = Type.Object(
  {
    name: Type.Optional(name),
    time_zone: Type.Optional(timeZone),
    weekly_hours: Type.Optional(WeeklyHours),
    holidays: Type.Optional(Type.Array(Holiday, { maxItems: 366 })),
  },
  { title: 'ScheduleChanges', examples: [{ time_zone: 'Europe/London' }] },
)
export type ScheduleChanges = Static<typeof ScheduleChanges>

export const SchedulePath = Type.Object({ schedule_id: Id })
export const ScheduleFilter = Type.Object({ ...CursorQuery })
export type ScheduleFilter = Static<typeof ScheduleFilter>
export const SchedulePage = CursorPage(Schedule)

export const StateQuery = Type.Object({
  at: Type.Optional({ ...Instant, description: 'The time to ask about; now by default' }),
  minutes: Type.Integer({
    minimum: 0,
    maximum: 100_000,
    default: 0,
    description: 'Opening minutes to count from that time: `due_at` is when they have passed',
  }),
})
export type StateQuery = Static<typeof StateQuery>

export const ScheduleState = Type.Object(
  {
    at: Instant,
    is_open: Type.Boolean(),
    opens_at: Nullable({
      ...Instant,
      description: 'When it opens next, while it is closed. Also null if that is more than a year away',
    }),
    closes_at: Nullable({
      ...Instant,
      description: 'When it closes, while it is open. Also null if it stays open for a week',
    }),
    due_at: Nullable({
      ...Instant,
      description: 'When `minutes` of opening time have passed; null if that takes more than a year',
    }),
  },
  { title: 'ScheduleState' },
)
