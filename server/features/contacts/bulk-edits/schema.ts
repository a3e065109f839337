import Type, { type Static } from 'typebox'
import { FreeObject, Id, IdOf, Instant, OneOf } from '../../../platform/schemas.ts'
import { ExportFilter } from '../lists/schema.ts'
import { ContactChanges } from '../schema.ts'

const tags = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  minItems: 1,
  maxItems: 50,
  examples: [['vip']],
})

const BulkChanges = Type.Object({
  add_tags: Type.Optional(tags),
  remove_tags: Type.Optional(tags),
  stage: ContactChanges.properties.stage,
  ai_handling: ContactChanges.properties.ai_handling,
  delete: Type.Optional(Type.Boolean({ description: 'Deletes the contacts. Cannot be undone', examples: [false] })),
})
export type BulkChanges = Static<typeof BulkChanges>

export const NewBulkEdit = Type.Object(
  {
    filter: Type.Object(ExportFilter.properties, {
      description: 'As for listing contacts. An empty filter means all contacts',
    }),
    ...BulkChanges.properties,
  },
  { title: 'NewBulkEdit', examples: [{ filter: { tag: 'fair' }, add_tags: ['newsletter'] }] },
)
export type NewBulkEdit = Static<typeof NewBulkEdit>

export const BulkEdit = Type.Object(
  {
    id: Id,
    organization_id: Id,
    filter: FreeObject({ examples: [{ tag: 'fair' }] }),
    changes: FreeObject({ examples: [{ add_tags: ['newsletter'] }] }),
    state: OneOf(['running', 'completed', 'cancelled'] as const, { examples: ['running'] }),
    total: Type.Integer({ description: 'Contacts that matched when it started', examples: [10_000] }),
    processed: Type.Integer({ description: 'Contacts that are done', examples: [2_500] }),
    livemode: Type.Boolean(),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'BulkEdit' },
)
export type BulkEdit = Static<typeof BulkEdit>

/** As events show it. The filter can name a person, and events outlive an erasure of their search words. */
export const EndedBulkEdit = Type.Omit(BulkEdit, ['filter'], { title: 'EndedBulkEdit' })

export const BulkEditPath = Type.Object({ bulk_edit_id: IdOf('bulk edit') })
