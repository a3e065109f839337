import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../platform/http/pagination.ts'
import { Id, Instant, Nullable, OneOf } from '../../platform/schemas.ts'

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

const masking = {
  card_numbers: Type.Boolean({ description: 'Hides card numbers up to their last four digits' }),
  patterns: Type.Array(
    Type.String({
      minLength: 4,
      maxLength: 64,
      // At least four places that vary: anything shorter would hide ordinary words.
      pattern: '^[^#@]*([#@][^#@]*){4,}$',
      examples: ['AB-######'],
    }),
    {
      maxItems: 20,
      description:
        'Numbers of your own: `#` is a digit, `@` a letter, everything else itself. Case does not matter; spaces and hyphens may be missing or added',
    },
  ),
}

export const PrivacySettings = Type.Object(
  {
    masking: Type.Object(masking, {
      title: 'Masking',
      description:
        'Numbers that are masked in call transcripts before they are stored, in both modes. Earlier transcripts do not change',
    }),
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
  {
    masking: Type.Optional(Type.Partial(Type.Object(masking), { title: 'MaskingChanges' })),
    retention: Type.Optional(Type.Partial(Type.Object(retention), { title: 'RetentionChanges' })),
  },
  { title: 'PrivacyChanges' },
)
export type PrivacyChanges = Static<typeof PrivacyChanges>

export const Erasure = Type.Object(
  {
    id: Id,
    organization_id: Id,
    contact_id: Id,
    state: OneOf(['queued', 'running', 'completed'] as const, {
      description: '`completed`: all rows and files are deleted',
    }),
    error: Nullable(
      Type.String({ description: 'Why the template waits. Frontdesk retries automatically', examples: [null] }),
    ),
    requested_by_type: OneOf(['user', 'ai', 'system'] as const),
    requested_by_id: Nullable(Id),
    counts: Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: { type: 'integer' },
      description: 'Rows that were deleted or blanked, by table',
      examples: [{ messages: 12, calls: 1 }],
    }),
    files_count: Type.Integer({ description: 'Deleted files', examples: [2] }),
    address_digests: Type.Array(Type.String(), {
      description:
        'Keyed SHA-256 of each number and platform id of the person, in hexadecimal. Only this installation can compute them',
    }),
    erased_at: Nullable(Instant),
    completed_at: Nullable(Instant),
    livemode: Type.Boolean(),
    created_at: Instant,
  },
  { title: 'Erasure', description: 'Proof that everything about a contact was erased. It holds no personal data.' },
)
export type Erasure = Static<typeof Erasure>

export const ErasureFilter = Type.Object(CursorQuery)
export type ErasureFilter = Static<typeof ErasureFilter>
export const ErasurePage = CursorPage(Erasure)

export const PersonExport = Type.Object(
  {
    id: Id,
    organization_id: Id,
    contact_id: Id,
    state: OneOf(['queued', 'running', 'completed'] as const),
    error: Nullable(
      Type.String({ description: 'Why the template waits. Frontdesk retries automatically', examples: [null] }),
    ),
    requested_by_type: OneOf(['user', 'ai', 'system'] as const),
    requested_by_id: Nullable(Id),
    size_bytes: Nullable(Type.Integer({ examples: [48213] })),
    download_url: Nullable(
      Type.String({
        description: 'Path of the ZIP, once it is complete. The request needs full access',
        examples: ['/api/v1/privacy/exports/01976f3e-6f0a-7c44-9a51-0d3f5a1b2c3d/download'],
      }),
    ),
    expires_at: { ...Instant, description: 'When the export is deleted: a week after it is complete' },
    completed_at: Nullable(Instant),
    livemode: Type.Boolean(),
    created_at: Instant,
  },
  { title: 'PersonExport' },
)
export type PersonExport = Static<typeof PersonExport>

/** The payload of the event. */
export const ErasedContact = Type.Object({ id: Id, erasure_id: Id, erased_at: Instant }, { title: 'ErasedContact' })
