import Type, { type Static } from 'typebox'
import { FreeObject, Id, Instant, Nullable } from '../../../platform/schemas.ts'
import { code, currentPassword } from '../second-factors/schema.ts'

export const Passkey = Type.Object(
  {
    id: Id,
    name: Type.String({ examples: ['Work laptop'] }),
    created_at: Instant,
    last_used_at: Nullable(Instant),
  },
  { title: 'Passkey' },
)
export type Passkey = Static<typeof Passkey>

export const Passkeys = Type.Object({ data: Type.Array(Passkey) }, { title: 'Passkeys' })
export const PasskeyPath = Type.Object({ passkey_id: Id })

export const PasskeySetup = Type.Object({ current_password: currentPassword }, { title: 'PasskeySetup' })
export const PasskeyRemoval = Type.Object(
  { current_password: currentPassword, code: Type.Optional(code) },
  { title: 'PasskeyRemoval' },
)

export const PasskeyOptions = FreeObject({
  title: 'PasskeyOptions',
  description:
    'For `navigator.credentials`, with binary values in base64url, as `parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON` read them',
})

const response = FreeObject({
  description: 'The credential that the browser returns, as its `toJSON()` writes it',
  fillIn: 'from the browser',
})
export const NewPasskey = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: ['Work laptop'] }),
    response,
  },
  { title: 'NewPasskey' },
)
export type NewPasskey = Static<typeof NewPasskey>

export const PasskeyCreated = Type.Object(
  {
    ...Passkey.properties,
    recovery_codes: Nullable(
      Type.Array(Type.String({ examples: ['4k7mq-x2w9p'] }), {
        description: 'With your first second factor; null if you have recovery codes already. Shown only here',
      }),
    ),
  },
  { title: 'PasskeyCreated' },
)

export const PasskeyLogin = Type.Object({ response }, { title: 'PasskeyLogin' })
