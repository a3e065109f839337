import Type, { type Static } from 'typebox'
import { Count, Id, Instant } from '../../../platform/schemas.ts'

export const SyncChoice = Type.Object(
  { channel_id: Type.Optional({ ...Id, description: 'Only the business account of this channel' }) },
  { title: 'SyncChoice', default: {} },
)

export const SyncReport = Type.Object(
  {
    added: Count('Found at the platform and stored'),
    updated: Count('Updated from the platform'),
    removed: Count('Deleted because the platform no longer has them'),
    unchanged: Count('Already up to date'),
    synced_at: Instant,
    failures: Type.Array(
      Type.Object({
        channel_id: Id,
        business_account_id: Type.String(),
        detail: Type.String(),
        upstream: Type.Object({
          code: Type.Unsafe<string | number | null>({ type: ['string', 'integer', 'null'] }),
          message: Type.String(),
        }),
      }),
      { description: 'Business accounts that could not be read while others could', examples: [[]] },
    ),
  },
  { title: 'SyncReport' },
)
export type SyncReport = Static<typeof SyncReport>
