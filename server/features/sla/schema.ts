import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../platform/http/pagination.ts'
import { Id, Instant, Nullable, OneOf } from '../../platform/schemas.ts'
import { Ticket } from '../inbox/tickets/schema.ts'

const minutes = (description: string, example: number | null) =>
  Nullable(Type.Integer({ minimum: 1, maximum: 100_000, description, examples: [example] }))

const members = {
  name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: ['Standard'] }),
  team_id: Nullable({ ...Id, description: 'Tickets of this team; null for every ticket', examples: [null] }),
  priority: Nullable(
    OneOf(['low', 'normal', 'high', 'urgent'] as const, {
      description: 'Tickets of this priority; null for every ticket',
      examples: ['urgent'],
    }),
  ),
  schedule_id: Nullable({
    ...Id,
    description: 'Business hours in which minutes count; null counts around the clock',
    examples: [null],
  }),
  first_reply_minutes: minutes('From the contact’s first message to the first reply', 30),
  next_reply_minutes: minutes('From the first message that waits to the next reply', 60),
  resolution_minutes: minutes('From opening or reopening the ticket to closing it', 1440),
  warning_minutes: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    default: 15,
    description: 'How many opening minutes before the due time `ticket.sla_warning` is sent',
  }),
  counts_ai_replies: Type.Boolean({
    default: false,
    description: 'Whether an answer of the AI counts as a reply. Otherwise only a person’s does',
  }),
}

export const SlaPolicy = Type.Object(
  { id: Id, organization_id: Id, ...members, created_at: Instant, updated_at: Instant },
  { title: 'SlaPolicy' },
)
export type SlaPolicy = Static<typeof SlaPolicy>

const optional = {
  team_id: Type.Optional(members.team_id),
  priority: Type.Optional(members.priority),
  schedule_id: Type.Optional(members.schedule_id),
  first_reply_minutes: Type.Optional(members.first_reply_minutes),
  next_reply_minutes: Type.Optional(members.next_reply_minutes),
  resolution_minutes: Type.Optional(members.resolution_minutes),
}

export const NewSlaPolicy = Type.Object(
  { ...members, ...optional },
  { title: 'NewSlaPolicy', examples: [{ name: 'Standard', first_reply_minutes: 30, next_reply_minutes: 60 }] },
)
export type NewSlaPolicy = Static<typeof NewSlaPolicy>

const { default: _, ...warningMinutes } = members.warning_minutes as typeof members.warning_minutes & {
  default: number
}
const { default: __, ...countsAiReplies } = members.counts_ai_replies as typeof members.counts_ai_replies & {
  default: boolean
}

export const SlaPolicyChanges = Type.Object(
  {
    ...optional,
    name: Type.Optional(members.name),
    warning_minutes: Type.Optional(warningMinutes as typeof members.warning_minutes),
    counts_ai_replies: Type.Optional(countsAiReplies as typeof members.counts_ai_replies),
  },
  { title: 'SlaPolicyChanges', examples: [{ first_reply_minutes: 20 }] },
)
export type SlaPolicyChanges = Static<typeof SlaPolicyChanges>

export const SlaPolicyPath = Type.Object({ policy_id: Id })
export const SlaPolicyFilter = Type.Object({ ...CursorQuery })
export type SlaPolicyFilter = Static<typeof SlaPolicyFilter>
export const SlaPolicyPage = CursorPage(SlaPolicy)

/** The ticket with the target that is due soon or was missed. */
export const TicketWithTarget = Type.Object(
  {
    ...Ticket.properties,
    target: Type.Object(
      { kind: OneOf(['first_reply', 'next_reply', 'resolution'] as const), started_at: Instant, due_at: Instant },
      { title: 'SlaTarget' },
    ),
  },
  { title: 'TicketWithTarget' },
)
export type TicketWithTarget = Static<typeof TicketWithTarget>
