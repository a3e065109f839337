import Type, { type Static } from 'typebox'
import { Nullable, OneOf } from '../../../platform/schemas.ts'

export const Transfer = Type.Object(
  {
    to: Type.String({ description: 'E.164', examples: ['+12025550142'] }),
    status: OneOf(['requested', 'connected', 'not_answered'] as const, {
      description: '`not_answered`: a task and a ticket ask for a call back',
    }),
    briefing: Nullable(
      Type.String({
        description: 'What the person who answered heard before the caller was connected',
        examples: ['Call from Ines Duarte. She wants to change an invoice. Press any key to take the call.'],
      }),
    ),
  },
  { title: 'CallTransfer' },
)
export type Transfer = Static<typeof Transfer>
