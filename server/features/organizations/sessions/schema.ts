import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../../platform/http/pagination.ts'
import { Id, Instant, OneOf } from '../../../platform/schemas.ts'

export const Session = Type.Object(
  {
    id: Id,
    signed_in_by: OneOf(['password', 'link', 'invitation', 'passkey', 'single_sign_on'] as const, {
      description: 'How the session was opened',
    }),
    user_agent: Type.String({ description: 'The browser or program that signed in', examples: ['Mozilla/5.0 …'] }),
    ip_address: Type.String({
      description: 'Where the person signed in or last refreshed the access token; empty if unknown',
      examples: ['203.0.113.7'],
    }),
    created_at: Instant,
    last_used_at: { ...Instant, description: 'With a precision of one minute' },
    expires_at: { ...Instant, description: 'When the session ends if it is not used before' },
    is_current: Type.Boolean({ description: 'Whether this request belongs to it', examples: [true] }),
  },
  { title: 'Session' },
)
export type Session = Static<typeof Session>

export const SessionPath = Type.Object({ session_id: Id })
export const SessionFilter = Type.Object({ ...CursorQuery })
export type SessionFilter = Static<typeof SessionFilter>
export const SessionPage = CursorPage(Session)
