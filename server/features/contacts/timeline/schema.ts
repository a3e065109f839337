import Type, { type Static } from 'typebox'
import { OffsetQuery } from '../../../platform/http/pagination.ts'
import { FreeObject, Id, Instant, Nullable, OneOf } from '../../../platform/schemas.ts'

export const activityTypes = [
  'contact_created',
  'note_added',
  'meeting_scheduled',
  'call_logged',
  'stage_changed',
  'lead_score_changed',
  'handoff_to_human',
  'handoff_to_ai',
  'task_created',
  'task_completed',
  'message_inbound',
  'message_outbound',
] as const
export type ActivityType = (typeof activityTypes)[number]

export const Activity = Type.Object(
  {
    id: Id,
    organization_id: Id,
    contact_id: Id,
    type: OneOf(activityTypes),
    actor_type: OneOf(['user', 'ai', 'system'] as const),
    actor_id: Nullable(Id),
    payload: FreeObject({ examples: [{ note: 'Asked for an offer' }] }),
    livemode: Type.Boolean(),
    created_at: Instant,
  },
  { title: 'Activity' },
)
export type Activity = Static<typeof Activity>

export const NewActivity = Type.Object(
  {
    type: OneOf(activityTypes, { default: 'note_added' }),
    note: Type.Optional(Type.String({ maxLength: 65_536, examples: ['Asked for an offer'] })),
    payload: Type.Optional(FreeObject()),
  },
  { title: 'NewActivity' },
)
export type NewActivity = Static<typeof NewActivity>

const typeFilter = Type.Array(Type.String({ maxLength: 400 }), {
  description: 'One or more activity types, repeated or comma-separated',
})
export const ActivityFilter = Type.Object({
  ...OffsetQuery,
  type: Type.Optional(typeFilter),
  activity_types: Type.Optional(typeFilter),
})

export const ActivityPage = Type.Object({
  activities: Type.Array(Activity),
  total: Type.Integer({ description: 'Number of activities that match the filter' }),
  limit: Type.Integer(),
  offset: Type.Integer(),
  has_more: Type.Boolean(),
})
