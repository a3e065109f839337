import Type, { type Static } from 'typebox'
import { OneOf } from '../../../platform/schemas.ts'

export const Presence = Type.Object(
  {
    state: OneOf(['viewing', 'typing', 'left'] as const, {
      description: 'What you are doing in the conversation',
      examples: ['viewing'],
    }),
  },
  { title: 'Presence' },
)
export type Presence = Static<typeof Presence>
