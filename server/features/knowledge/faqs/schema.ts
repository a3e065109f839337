import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../../platform/http/pagination.ts'
import { Id, Instant, Nullable, OneOf } from '../../../platform/schemas.ts'

export const maxVariants = 20
export const maxQuestion = 500
export const maxAnswer = 8_000

const question = Type.String({
  minLength: 1,
  maxLength: maxQuestion,
  pattern: '\\S',
  description: 'As a customer would ask it; unique in any case',
  examples: ['How long does a refund take?'],
})
const answer = Type.String({
  minLength: 1,
  maxLength: maxAnswer,
  pattern: '\\S',
  examples: ['Refunds arrive within 14 days of the return.'],
})
export const FaqVariants = Type.Array(Type.String({ minLength: 1, maxLength: maxQuestion, pattern: '\\S' }), {
  maxItems: maxVariants,
  description: 'Other ways to ask the same',
  examples: [['When do I get my money back?']],
})

export const Faq = Type.Object(
  {
    id: Id,
    organization_id: Id,
    question,
    answer,
    variants: FaqVariants,
    status: OneOf(['processing', 'ready', 'failed'] as const, {
      description:
        'Searches find the current text once it is `ready`. After a change they find the previous text until then',
    }),
    error: Nullable(Type.String()),
    livemode: Type.Boolean(),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Faq', description: 'A question with its answer. It is also the document with the same id' },
)
export type Faq = Static<typeof Faq>

export const NewFaq = Type.Object(
  { question, answer, variants: Type.Optional(FaqVariants) },
  {
    examples: [
      {
        question: 'How long does a refund take?',
        answer: 'Refunds arrive within 14 days of the return.',
        variants: ['When do I get my money back?'],
      },
    ],
  },
)
export type NewFaq = Static<typeof NewFaq>

export const FaqChanges = Type.Object(
  { question: Type.Optional(question), answer: Type.Optional(answer), variants: Type.Optional(FaqVariants) },
  { examples: [{ answer: 'Refunds arrive within 7 days of the return.' }] },
)
export type FaqChanges = Static<typeof FaqChanges>

export const FaqFilter = Type.Object({
  ...CursorQuery,
  search: Type.Optional(
    Type.String({ maxLength: 200, description: 'Part of the question, a variant or the answer, in any case' }),
  ),
})
export type FaqFilter = Static<typeof FaqFilter>

export const FaqPage = Type.Object({ ...CursorPage(Faq).properties }, { title: 'FaqPage' })
export const FaqPath = Type.Object({ faq_id: Id })

export const FaqImportForm = Type.Object({
  file: Type.String({
    format: 'binary',
    description: 'A CSV file with the columns `question`, `answer` and optionally `variants`, separated by `|`',
    fillIn: 'a CSV file of yours',
  }),
})

export const FaqImport = Type.Object(
  {
    created: Type.Integer({ minimum: 0, examples: [12] }),
    updated: Type.Integer({ minimum: 0, description: 'Questions that existed with another answer', examples: [1] }),
    unchanged: Type.Integer({ minimum: 0, examples: [0] }),
  },
  { title: 'FaqImport' },
)
export type FaqImport = Static<typeof FaqImport>
