import Type, { type Static } from 'typebox'
import { Instant, Nullable } from '../../../platform/schemas.ts'

export const currentPassword = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'Required, unless you have no password or have just signed in with a link',
    fillIn: 'your own',
  }),
)

export const code = Type.String({
  minLength: 1,
  maxLength: 32,
  description: 'A code of your authenticator app or a recovery code',
  examples: ['123456'],
  fillIn: 'from your authenticator app',
})

export const SecondFactors = Type.Object(
  {
    authenticator: Nullable(
      Type.Object({ confirmed_at: Instant }, { description: 'Null if no authenticator app is set up' }),
    ),
    recovery_codes_left: Type.Integer({ description: 'Unused recovery codes', examples: [10] }),
  },
  { title: 'SecondFactors' },
)
export type SecondFactors = Static<typeof SecondFactors>

export const AuthenticatorSetup = Type.Object({ current_password: currentPassword }, { title: 'AuthenticatorSetup' })

export const NewAuthenticator = Type.Object(
  {
    secret: Type.String({
      description: 'To type into the app. Shown only here',
      examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
    }),
    uri: Type.String({
      description: 'The same as an address, to show as a QR code',
      examples: [
        'otpauth://totp/Frontdesk%3Aada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Frontdesk',
      ],
    }),
  },
  { title: 'NewAuthenticator' },
)

export const CodeConfirmation = Type.Object({ code }, { title: 'CodeConfirmation' })

export const AuthenticatorRemoval = Type.Object(
  { current_password: currentPassword, code },
  { title: 'AuthenticatorRemoval' },
)

export const RecoveryCodes = Type.Object(
  {
    recovery_codes: Type.Array(Type.String({ examples: ['4k7mq-x2w9p'] }), {
      description: 'Each works once in place of a code of the app. Shown only here',
    }),
  },
  { title: 'RecoveryCodes' },
)
