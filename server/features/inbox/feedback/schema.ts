import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../../platform/http/pagination.ts'
import { OneOf } from '../../../platform/schemas.ts'
import { answerRatings, Message } from '../messages/schema.ts'

export const NewFeedback = Type.Object(
  {
    rating: OneOf(answerRatings),
    reason: Type.Optional(
      Type.String({ maxLength: 1000, description: 'Why, for colleagues', examples: ['We deliver to Norway now'] }),
    ),
  },
  { title: 'NewFeedback', examples: [{ rating: 'down', reason: 'We deliver to Norway now' }] },
)
export type NewFeedback = Static<typeof NewFeedback>

export const FeedbackFilter = Type.Object({ ...CursorQuery, rating: OneOf(answerRatings, { default: 'down' }) })
export type FeedbackFilter = Static<typeof FeedbackFilter>
export const RatedMessagePage = CursorPage(Message)
