import Type, { type Static } from 'typebox'
import type { ServerSettings } from './server.ts'
import { secret, together } from './setting.ts'

export const EmailSettings = Type.Object(
  {
    SMTP_URL: secret({
      pattern: '^smtps?://',
      description:
        'Mail server for invitations and password resets, such as `smtp://user:password@mail.example.com:587` (STARTTLS) or `smtps://…:465`. With a password, a server without encryption is refused. Requires `MAIL_FROM` and `PUBLIC_URL`. If unset, no email is sent and links are passed on by hand.',
    }),
    MAIL_FROM: Type.Optional(
      Type.String({
        pattern: '@',
        description: 'Sender of emails, such as `Frontdesk <desk@example.com>`. Requires `SMTP_URL`.',
      }),
    ),
  },
  { title: 'Email' },
)

type EmailSettings = Static<typeof EmailSettings>

export function* emailProblems(settings: EmailSettings & Pick<ServerSettings, 'PUBLIC_URL'>): Iterable<string> {
  yield* together(settings, 'SMTP_URL', 'MAIL_FROM')
  if (settings.SMTP_URL && !settings.PUBLIC_URL) yield 'SMTP_URL requires PUBLIC_URL, which links in emails lead to'
}
