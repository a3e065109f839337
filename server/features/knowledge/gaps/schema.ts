import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../../platform/http/pagination.ts'
import { Id, Instant, Nullable, OneOf } from '../../../platform/schemas.ts'
import { FaqVariants } from '../faqs/schema.ts'

const gapStatuses = ['open', 'answered', 'dismissed'] as const

const reason = OneOf(['not_found', 'handed_off'] as const, {
  description:
    'The knowledge base had no answer (`not_found`), or the agent handed the conversation off (`handed_off`)',
})

const GapQuestion = Type.Object(
  {
    text: Type.String({ description: 'What the customer asked', examples: ['Do you deliver to Norway?'] }),
    reason,
    agent_id: Nullable(Id),
    contact_id: Nullable(Id),
    inbox_id: Nullable({ ...Id, description: 'The conversation that it was asked in' }),
    call_id: Nullable({ ...Id, description: 'The call that it was asked in', examples: [null] }),
    asked_at: Instant,
  },
  { title: 'KnowledgeGapQuestion' },
)

export const Gap = Type.Object(
  {
    id: Id,
    organization_id: Id,
    status: OneOf(gapStatuses, {
      description: 'An answered gap opens again if agents still cannot answer its question',
    }),
    question: Type.String({ description: 'The first question of the group', examples: ['Do you deliver to Norway?'] }),
    question_count: Type.Integer({ minimum: 1, description: 'How often it was asked', examples: [4] }),
    examples: Type.Array(GapQuestion, { description: 'The latest questions of the group, at most five' }),
    first_seen_at: Instant,
    last_seen_at: Instant,
    document_id: Nullable({ ...Id, description: 'The FAQ entry that answers it', examples: [null] }),
    closed_at: Nullable({ ...Instant, description: 'When it was answered or dismissed', examples: [null] }),
    livemode: Type.Boolean(),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'KnowledgeGap' },
)
export type Gap = Static<typeof Gap>

export const GapPath = Type.Object({ gap_id: Id })

export const GapFilter = Type.Object({
  ...CursorQuery,
  status: OneOf(gapStatuses, { default: 'open' }),
})
export type GapFilter = Static<typeof GapFilter>
export const GapPage = CursorPage(Gap)

export const GapAnswer = Type.Object(
  {
    answer: Type.String({
      minLength: 1,
      maxLength: 8000,
      pattern: '\\S',
      examples: ['Yes. Delivery to Norway takes five days.'],
    }),
    question: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        pattern: '\\S',
        description:
          'The question as the FAQ shows it; without it the first question of the gap, or the one that its FAQ entry has',
        examples: ['Do you deliver to Norway?'],
      }),
    ),
    variants: Type.Optional(FaqVariants),
    collection_ids: Type.Optional(
      Type.Array(Id, {
        maxItems: 100,
        uniqueItems: true,
        description: 'Collections that the FAQ entry is put into',
        examples: [[]],
      }),
    ),
  },
  { title: 'KnowledgeGapAnswer', examples: [{ answer: 'Yes. Delivery to Norway takes five days.' }] },
)
export type GapAnswer = Static<typeof GapAnswer>
