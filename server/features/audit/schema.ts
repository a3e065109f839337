import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../platform/http/pagination.ts'
import { FreeObject, Id, Instant, Nullable, OneOf } from '../../platform/schemas.ts'

export const AuditEntry = Type.Object(
  {
    id: Id,
    action: Type.String({
      description: 'What happened: the type of the object and a verb',
      examples: ['key.created'],
    }),
    actor_type: OneOf(['user', 'key', 'system'], {
      description: 'A person, an API key, or `system`: the service itself or an operator of the installation',
    }),
    actor_id: Nullable(Id),
    actor_name: Nullable(Type.String({ description: 'The name at that time', examples: ['Ada Lovelace'] })),
    object_type: Type.String({ examples: ['key'] }),
    object_id: Nullable(Id),
    object_name: Nullable(Type.String({ description: 'The name at that time', examples: ['CRM sync'] })),
    previous: Nullable(FreeObject({ description: 'The changed fields before. Secrets are shown as `[hidden]`' })),
    current: Nullable(FreeObject({ description: 'The changed fields after. Secrets are shown as `[hidden]`' })),
    ip_address: Nullable(Type.String({ examples: ['203.0.113.7'] })),
    request_id: Nullable(Type.String({ description: 'The `X-Request-Id` of the response' })),
    mode: Nullable(OneOf(['test', 'live'], { description: 'Null if it concerns both modes' })),
    created_at: Instant,
  },
  { title: 'AuditEntry' },
)
export type AuditEntry = Static<typeof AuditEntry>

const filters = {
  action: Type.Optional(
    Type.String({
      pattern: '^[a-z_]+\\.([a-z_]+|\\*)$',
      maxLength: 100,
      description: 'An action such as `key.created`, or `key.*` for all actions on one type of object',
    }),
  ),
  actor_id: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'Entries by this person or key',
      fillIn: 'the id of a person or a key',
    }),
  ),
  object_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'Entries about this object', fillIn: 'the id of any object' }),
  ),
  created_after: Type.Optional(Type.String({ format: 'date-time', description: 'Created after this time' })),
  created_before: Type.Optional(Type.String({ format: 'date-time', description: 'Created before this time' })),
}

export const AuditFilter = Type.Object({ ...CursorQuery, ...filters })
export type AuditFilter = Static<typeof AuditFilter>

export const AuditExportFilter = Type.Object(filters)
export type AuditExportFilter = Static<typeof AuditExportFilter>

export const AuditPage = CursorPage(AuditEntry)
