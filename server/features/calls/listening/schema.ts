import Type from 'typebox'
import { Instant, Nullable } from '../../../platform/schemas.ts'

export const ListeningTicket = Type.Object(
  {
    access_token: Nullable(
      Type.String({ description: 'Opens the socket within a minute; null when the response is a replay' }),
    ),
    ws_url: Type.String({
      examples: ['wss://desk.example.com/api/v1/calls/01976f3e-6f0a-7c44-9a51-0d3f5a1b2c3d/listen'],
    }),
    expires_at: Instant,
  },
  { title: 'ListeningTicket' },
)
