import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../../platform/http/pagination.ts'
import { Id, Instant, OneOf } from '../../../platform/schemas.ts'

const statement = {
  channel: OneOf(['all', 'chat', 'voice', 'email'] as const, { description: 'Where it applies' }),
  purpose: Type.String({
    pattern: '^[a-z][a-z0-9_]{0,63}$',
    description: 'Purpose: `marketing`, `recording`, or a word of your own',
    examples: ['marketing'],
  }),
  state: OneOf(['granted', 'withdrawn'] as const),
  source: Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: '\\S',
    description:
      'How the person said so. The service writes `message` (a word such as STOP), `platform` (a setting or refusal of WhatsApp) and `user` (entered by a member)',
    examples: ['web_form'],
  }),
  text: Type.String({
    maxLength: 4096,
    description: 'What the person said, or the text that they agreed to',
    examples: ['Yes, send me offers by WhatsApp.'],
  }),
}

export const Consent = Type.Object(
  {
    id: Id,
    organization_id: Id,
    contact_id: Id,
    ...statement,
    at: { ...Instant, description: 'When the person said so' },
    livemode: Type.Boolean(),
    created_at: Instant,
  },
  { title: 'Consent' },
)
export type Consent = Static<typeof Consent>

export const NewConsent = Type.Object(
  {
    ...statement,
    source: { ...statement.source, default: 'user' },
    text: { ...statement.text, default: '' },
    at: Type.Optional(Type.String({ format: 'date-time', description: 'Now, if you leave it out; not in the future' })),
  },
  {
    title: 'NewConsent',
    examples: [{ channel: 'voice', purpose: 'recording', state: 'granted', source: 'web_form', text: 'I agree.' }],
  },
)
export type NewConsent = Static<typeof NewConsent>

export const ConsentFilter = Type.Object(CursorQuery)
export type ConsentFilter = Static<typeof ConsentFilter>
export const ConsentPage = CursorPage(Consent)
