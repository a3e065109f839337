import Type, { type Static } from 'typebox'
import { Nullable } from '../../platform/schemas.ts'

/** What an organization can limit the age of. */
export const retentionKinds = {
  messages: 'Messages with their files and timeline entries, and the recipients of ended campaigns',
  media: 'Files of messages; the messages stay',
  transcripts: 'What was said in calls: transcripts, summaries, analyses; the call logs stay',
  recordings: 'Recordings of calls; the call logs stay',
  call_logs: 'Call logs with everything that belongs to them',
  events: 'Events and the delivery log of webhooks',
} as const
export type RetentionKind = keyof typeof retentionKinds

const days = (kind: RetentionKind) =>
  Nullable(Type.Integer({ minimum: 1, maximum: 36_500, description: `Days. ${retentionKinds[kind]}`, examples: [365] }))

const retention = {
  messages: days('messages'),
  media: days('media'),
  transcripts: days('transcripts'),
  recordings: days('recordings'),
  call_logs: days('call_logs'),
  events: days('events'),
}

export const PrivacySettings = Type.Object(
  {
    retention: Type.Object(retention, {
      title: 'Retention',
      description:
        'How long records are kept, in both modes. Null: until they are deleted, or for as long as the operator of this service has set (`limits` of the organization)',
    }),
  },
  { title: 'PrivacySettings' },
)
export type PrivacySettings = Static<typeof PrivacySettings>

export const PrivacyChanges = Type.Object(
  { retention: Type.Optional(Type.Partial(Type.Object(retention), { title: 'RetentionChanges' })) },
  { title: 'PrivacyChanges' },
)
export type PrivacyChanges = Static<typeof PrivacyChanges>
