import Type, { type Static } from 'typebox'
import { Nullable } from '../../../platform/schemas.ts'
import { Membership } from '../schema.ts'

const token = (fillIn: string) => Type.String({ minLength: 1, maxLength: 512, fillIn })

/** Long enough to resist guessing without rules about symbols. */
export const minPasswordLength = 12
const newPassword = Type.String({
  minLength: minPasswordLength,
  maxLength: 256,
  examples: ['correct horse battery staple'],
})
const password = Type.String({ minLength: 1, maxLength: 256, fillIn: 'your own' })

const secondFactor = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 32,
    description: 'A code of your authenticator app or a recovery code, if you have set one up',
  }),
)

export const Login = Type.Object(
  {
    email: Type.String({
      minLength: 1,
      maxLength: 320,
      examples: ['ada@example.com'],
      fillIn: 'your own',
    }),
    password,
    code: secondFactor,
  },
  { title: 'Login', examples: [{ email: 'ada@example.com', password: 'password' }] },
)
export type Login = Static<typeof Login>

const accessToken = Type.String({ description: 'Send it as `Authorization: Bearer …`' })
const expiresIn = Type.Integer({ description: 'Seconds until the access token expires', examples: [3600] })
const tokenType = Type.String({ examples: ['Bearer'] })

export const SignedIn = Type.Object(
  {
    access_token: accessToken,
    token_type: tokenType,
    expires_in: expiresIn,
    refresh_token: Nullable(
      Type.String({
        description: 'For `POST /auth/refresh`, once. Null if the cookie holds it, where scripts cannot read it',
      }),
    ),
    organizations: Type.Array(Membership, { description: 'Organizations that the person belongs to' }),
  },
  { title: 'SignedIn' },
)
export type SignedIn = Static<typeof SignedIn>

/** An empty body means that the cookie holds the token. */
export const Refresh = Type.Object(
  { refresh_token: Type.Optional(token('from the sign-in response')) },
  { title: 'Refresh', default: {} },
)

export const SignInLink = Type.Object(
  { token: token('from the sign-in link'), code: secondFactor },
  { title: 'SignInLink', examples: [{ token: 'token' }] },
)
export type SignInLink = Static<typeof SignInLink>

export const PasswordReset = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 320, examples: ['ada@example.com'] }) },
  { title: 'PasswordReset' },
)

export const SignInOptions = Type.Object(
  {
    password_reset: Type.Boolean({
      description: 'Whether this installation emails links to choose a new password',
      examples: [true],
    }),
    single_sign_on: Nullable(
      Type.Object(
        {
          name: Type.String({ description: 'For the button', examples: ['Acme ID'] }),
          url: Type.String({ description: 'Where a browser goes to sign in', examples: ['/auth/single-sign-on'] }),
        },
        { description: 'The identity provider of this installation; null without one' },
      ),
    ),
  },
  { title: 'SignInOptions' },
)

export const PasswordChange = Type.Object(
  {
    current_password: Type.Optional(password),
    new_password: newPassword,
  },
  { title: 'PasswordChange' },
)
export type PasswordChange = Static<typeof PasswordChange>

export const InvitationAcceptance = Type.Object(
  {
    token: token('from the link of the invitation'),
    name: Type.Optional(Type.String({ maxLength: 255, examples: ['Ada Lovelace'] })),
    password: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'A new password of at least 12 characters, or the password of the email’s existing account',
        examples: ['correct horse battery staple'],
      }),
    ),
    code: secondFactor,
  },
  {
    title: 'InvitationAcceptance',
    examples: [{ token: 'token', name: 'Ada Lovelace', password: 'correct horse battery staple' }],
  },
)
export type InvitationAcceptance = Static<typeof InvitationAcceptance>

export const Joined = Type.Object(
  {
    organization: Membership,
    access_token: Nullable(accessToken),
    token_type: tokenType,
    expires_in: Nullable(expiresIn),
    refresh_token: Nullable(Type.String()),
    organizations: Type.Array(Membership, { description: 'Organizations that the person belongs to' }),
  },
  { title: 'Joined', description: 'The tokens are null for a person who is already signed in' },
)
export type Joined = Static<typeof Joined>
