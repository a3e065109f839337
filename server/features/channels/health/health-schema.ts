import Type, { type Static } from 'typebox'
import { Instant, Nullable, OneOf } from '../../../platform/schemas.ts'

const word = (description: string, example: string) => Nullable(Type.String({ description, examples: [example] }))

const accountStatuses = ['active', 'disable_scheduled', 'disabled'] as const

const known = {
  quality_rating: word('How recipients rate the number’s messages: `GREEN`, `YELLOW`, `RED` or `UNKNOWN`', 'GREEN'),
  messaging_limit_tier: word('The messaging limit in the platform’s words', 'TIER_2K'),
  throughput_level: word('`STANDARD` or `HIGH`', 'STANDARD'),
  name_status: word('Review of the display name, such as `APPROVED`, `PENDING_REVIEW` or `DECLINED`', 'APPROVED'),
  number_status: word('Status of the number, such as `CONNECTED`, `FLAGGED`, `RESTRICTED` or `BANNED`', 'CONNECTED'),
  messaging_status: word('Whether messages can be sent: `AVAILABLE`, `LIMITED` or `BLOCKED`', 'AVAILABLE'),
  messaging_problems: Type.Array(Type.String(), {
    description: 'Why messages are limited or blocked, in the platform’s words',
    examples: [[]],
  }),
  account_review_status: word('Review of the business account: `APPROVED`, `PENDING` or `REJECTED`', 'APPROVED'),
  account_violation: Nullable(
    Type.Object(
      {
        type: Type.String({ description: 'The platform’s word', examples: ['SPAM'] }),
        at: Instant,
      },
      { title: 'AccountViolation', description: 'The last policy violation that the platform reported' },
    ),
  ),
  account_status: OneOf(accountStatuses, { description: 'State of the business account', examples: ['active'] }),
  restrictions: Type.Array(
    Type.Object(
      {
        type: Type.String({ description: 'The platform’s word', examples: ['RESTRICTED_BIZ_INITIATED_MESSAGING'] }),
        until: Nullable({ ...Instant, description: 'Null if no end is known' }),
      },
      { title: 'AccountRestriction' },
    ),
    { description: 'What the business account may not do at the moment', examples: [[]] },
  ),
}

/** What the platform says about a number and its business account. */
const HealthFacts = Type.Object(known)
export type HealthFacts = Static<typeof HealthFacts>

/** As stored, with the time at which each fact was said: an older webhook does not replace a newer one. */
export interface StoredHealth extends HealthFacts {
  said_at: Partial<Record<keyof HealthFacts, string>>
  checked_at: string | null
}

export const nothingKnown: StoredHealth = {
  quality_rating: null,
  messaging_limit_tier: null,
  throughput_level: null,
  name_status: null,
  number_status: null,
  messaging_status: null,
  messaging_problems: [],
  account_review_status: null,
  account_violation: null,
  account_status: 'active',
  restrictions: [],
  said_at: {},
  checked_at: null,
}

export const Health = Type.Object(
  {
    ...known,
    messaging_limit: Nullable(
      Type.Integer({
        description:
          'People that the business may write to first within 24 hours, across all its numbers; null if unlimited or unknown',
        examples: [2000],
      }),
    ),
    checked_at: Nullable({ ...Instant, description: 'When the number was last read from the platform' }),
  },
  { title: 'ChannelHealth', description: 'What the platform says about the number and its business account' },
)
export type Health = Static<typeof Health>

/** Part of a webhook or of the number's fields. */
export interface HealthUpdate {
  /** The platform's time, ISO 8601. */
  at: string
  facts: Partial<HealthFacts>
}
