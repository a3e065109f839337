import Type, { type Static } from 'typebox'
import { Id, IdOf, Instant } from '../../platform/schemas.ts'
import { Call, Direction, Status } from './schema.ts'

export const CallLogFilter = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 2 ** 24, default: 1 }),
  page_size: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  direction: Type.Optional(Direction),
  status: Type.Optional(Status),
  agent_id: Type.Optional(Id),
  started_after: Type.Optional({ ...Instant, description: 'Started at or after this time' }),
  started_before: Type.Optional({ ...Instant, description: 'Started before this time' }),
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Part of a number, in any punctuation, or of `call_id`. If no call matches: numbers with one digit wrong, missing, added or swapped, with or without the country code; otherwise similar ones',
    }),
  ),
})
export type CallLogFilter = Static<typeof CallLogFilter>
export const CallLogPage = Type.Object({
  total: Type.Integer({ examples: [1] }),
  page: Type.Integer({ examples: [1] }),
  page_size: Type.Integer({ examples: [20] }),
  items: Type.Array(Call),
})
export const CallLogPath = Type.Object({ call_log_id: IdOf('call log entry') })
