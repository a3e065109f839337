import Type from 'typebox'

export const RetentionSettings = Type.Object(
  {
    AUDIT_RETENTION_DAYS: Type.Integer({
      minimum: 30,
      maximum: 36_500,
      default: 730,
      description: 'Days that entries of the audit log are kept; they are deleted up to a tenth of that time later.',
    }),
    EVENT_RETENTION_DAYS: Type.Integer({
      minimum: 1,
      default: 30,
      description:
        'Days that events can be listed; they are deleted up to a tenth of that time, and at least a day, later. An organization’s own retention is exact.',
    }),
    RECORDING_RETENTION_DAYS: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Days that call recordings are kept. If unset, they are kept as long as their calls.',
      }),
    ),
  },
  { title: 'Retention' },
)
