import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../../platform/http/pagination.ts'
import { Id, Instant } from '../../../platform/schemas.ts'

const name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: ['Delivery'] })
const description = Type.String({ maxLength: 1000, examples: ['Shipping times, prices and returns'] })

export const Collection = Type.Object(
  {
    id: Id,
    organization_id: Id,
    name,
    description,
    document_count: Type.Integer({ minimum: 0, description: 'Number of documents in it', examples: [3] }),
    livemode: Type.Boolean(),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Collection' },
)
export type Collection = Static<typeof Collection>

export const NewCollection = Type.Object(
  {
    name,
    description: { ...description, default: '' } as typeof description,
    document_ids: Type.Optional(
      Type.Array(Id, { maxItems: 1000, uniqueItems: true, description: 'Documents to put into it', examples: [[]] }),
    ),
  },
  { title: 'NewCollection', examples: [{ name: 'Delivery', description: 'Shipping times, prices and returns' }] },
)
export type NewCollection = Static<typeof NewCollection>

export const CollectionChanges = Type.Object(
  { name: Type.Optional(name), description: Type.Optional(description) },
  { title: 'CollectionChanges', minProperties: 1, examples: [{ name: 'Shipping' }] },
)
export type CollectionChanges = Static<typeof CollectionChanges>

export const CollectionPath = Type.Object({ collection_id: Id })
export const MembershipPath = Type.Object({ collection_id: Id, document_id: Id })

export const CollectionFilter = Type.Object({
  ...CursorQuery,
  search: Type.Optional(Type.String({ maxLength: 100, description: 'Part of the name or the description' })),
})
export type CollectionFilter = Static<typeof CollectionFilter>
export const CollectionPage = CursorPage(Collection)
