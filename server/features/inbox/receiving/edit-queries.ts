import Type, { type Static } from 'typebox'
import type { TenantTx } from '../../../platform/database.ts'
import { Id, Instant, Nullable } from '../../../platform/schemas.ts'

const Version = Type.Object({ id: Nullable(Type.String()), at: Type.String(), body: Nullable(Type.String()) })
export type Version = Static<typeof Version>

const Editable = Type.Object({
  id: Id,
  contact_id: Id,
  direction: Type.String(),
  body: Type.String(),
  created_at: Instant,
  versions: Nullable(Type.Array(Version)),
  edited_at: Nullable(Instant),
  revoked_at: Nullable(Instant),
})
export type Editable = Static<typeof Editable>

export const lockEditable = (tx: TenantTx, ids: string[]) =>
  tx.all(Editable)`
    select id, contact_id, direction, body, created_at, edits -> 'versions' as versions, edited_at, revoked_at
    from messages where id = any(${ids}::uuid[]) order by id for no key update`

const Candidate = Type.Object({ position: Type.Integer(), id: Id })

/**
 * Candidates for an edit that names no message: messages of the contact on that channel that the platform still allowed
 * to be changed at that time. Two rows are enough to know that the edit is ambiguous.
 */
export const findCandidates = (
  tx: TenantTx,
  rows: { position: number; contactId: string; channelId: string; at: string; withinSeconds: number }[],
) =>
  tx.all(Candidate)`
    select given.position, m.id
    from unnest(${rows.map(({ position }) => position)}::integer[], ${rows.map(({ contactId }) => contactId)}::uuid[],
        ${rows.map(({ channelId }) => channelId)}::uuid[], ${rows.map(({ at }) => at)}::timestamptz[],
        ${rows.map(({ withinSeconds }) => withinSeconds)}::integer[])
        given (position, contact_id, channel_id, at, within_seconds)
      cross join lateral (
        select id from messages where contact_id = given.contact_id and channel_id = given.channel_id
          and direction = 'inbound' and revoked_at is null
          and created_at between given.at - given.within_seconds * interval '1 second' and given.at + interval '1 second'
        order by created_at desc, id desc limit 2
      ) m`

export interface EditedRow {
  id: string
  body: string
  editedAt: string | null
  revokedAt: string | null
  edits: { versions: Version[]; history: { body: string; written_at: string }[]; text_missing: boolean } | null
}

/** `applied_at` is taken while the contact is locked: an answer written later was composed from the edited text. */
export const updateEdited = (tx: TenantTx, rows: EditedRow[]) =>
  tx.run`
    update messages set body = r.body, edited_at = r.edited_at, revoked_at = r.revoked_at, updated_at = now(),
      edits = r.edits || jsonb_build_object('applied_at', clock_timestamp())
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ body }) => body)}::text[],
      ${rows.map(({ editedAt }) => editedAt)}::timestamptz[], ${rows.map(({ revokedAt }) => revokedAt)}::timestamptz[],
      ${rows.map(({ edits }) => edits && JSON.stringify(edits))}::jsonb[]) r (id, body, edited_at, revoked_at, edits)
    where messages.id = r.id`
