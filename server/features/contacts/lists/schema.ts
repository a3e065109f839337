import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../../platform/http/pagination.ts'
import { OneOf } from '../../../platform/schemas.ts'
import { handledBy, ListedContact, StageInput, sourceTypes } from '../schema.ts'

const filters = {
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Part of a name (case and accents are ignored) or of a phone number',
    }),
  ),
  tag: Type.Optional(Type.String({ maxLength: 100 })),
  stage: Type.Optional(StageInput),
  ai_handling: Type.Optional(Type.Boolean()),
  handled_by: Type.Optional(handledBy),
  opted_out: Type.Optional(Type.Boolean()),
  source_type: Type.Optional(OneOf(sourceTypes, { description: 'Only contacts that came from an ad, or from a post' })),
  source_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Only contacts that came from this ad or post' }),
  ),
}
/** A column of the list; `-` sorts descending. */
const contactSorts = [
  ...(['name', '-name', 'phone_number', '-phone_number', 'stage', '-stage'] as const),
  ...(['last_activity_at', '-last_activity_at', 'created_at', '-created_at'] as const),
] as const

export const ContactFilter = Type.Object({
  ...CursorQuery,
  ...filters,
  include: Type.Optional(
    OneOf(['handled_by'] as const, { description: 'A field that is not part of lists by default' }),
  ),
  sort: Type.Optional(
    OneOf(contactSorts, {
      description:
        'Newest first (`-created_at`) by default. Stages are sorted from new to lost, phone numbers by their digits. Cannot be combined with `search`',
    }),
  ),
})
export type ContactFilter = Static<typeof ContactFilter>

export const ExportFilter = Type.Object(filters)
export type ExportFilter = Static<typeof ExportFilter>

export const ContactPage = CursorPage(ListedContact)

export const TagFilter = Type.Object({
  search: Type.Optional(Type.String({ maxLength: 100, description: 'Part of the tag' })),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Maximum number of records to return' }),
})
export type TagFilter = Static<typeof TagFilter>

export const TagCount = Type.Object({
  tag: Type.String({ examples: ['vip'] }),
  contacts: Type.Integer({ minimum: 1, description: 'Number of contacts with this tag' }),
})
export const TagCounts = Type.Object({ tags: Type.Array(TagCount) }, { title: 'ContactTags' })
