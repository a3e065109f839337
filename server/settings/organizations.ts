import { isSupportedCountry } from 'libphonenumber-js/min'
import Type, { type Static } from 'typebox'
import { secret } from './setting.ts'

export const OrganizationSettings = Type.Object(
  {
    BOOTSTRAP_API_KEY: secret({
      pattern: '^svc_sk_(test|live)_[0-9A-Za-z]{32,}$',
      description:
        'Registers exactly this key, with full access, for the first organization. It is never logged; once revoked it stays revoked.',
    }),
    DEMO_DATA: Type.Boolean({
      default: true,
      description: 'Whether the first start of an embedded run creates demo contacts and tasks in test mode.',
    }),
    DEFAULT_COUNTRY: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{2}$',
        description:
          'Two-letter country code for phone numbers without `+`, for organizations that have not set their own. If unset, such numbers are refused.',
      }),
    ),
  },
  { title: 'Organizations' },
)

type OrganizationSettings = Static<typeof OrganizationSettings>

export function* organizationProblems({ DEFAULT_COUNTRY: country }: OrganizationSettings): Iterable<string> {
  if (country && !isSupportedCountry(country))
    yield `DEFAULT_COUNTRY must be a country with phone numbers, such as US, not ${country}`
}
