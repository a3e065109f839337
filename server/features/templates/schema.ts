import Type, { type Static } from 'typebox'
import { FreeObject, Id, Instant, largestInteger, Nullable, OneOf } from '../../platform/schemas.ts'
import { NewComponent } from './content/component-schema.ts'

export const categories = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const
export type Category = (typeof categories)[number]
const statuses = ['PENDING', 'APPROVED', 'REJECTED'] as const
export type Status = (typeof statuses)[number]
const registrations = ['registering', 'uncertain', 'held', 'registered', 'refused'] as const

export const templateName = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[a-z0-9_]+$',
  description: 'Lowercase letters, digits and underscores',
  examples: ['pickup_ready'],
})
export const templateLanguage = Type.String({
  pattern: '^[a-z]{2,3}(_[A-Z][a-z]{3})?(_([A-Z]{2}|[0-9]{3}))?$',
  description: 'A language tag',
  examples: ['en_US'],
})
const category = OneOf(categories, { examples: ['UTILITY'] })

/** As the platform returns them: it has more types than the contract, and adds its own members. */
const components = Type.Array(FreeObject(), {
  description: 'Header, body, footer and buttons',
  examples: [[{ type: 'BODY', text: 'Hello {{1}}, your parcel is ready.' }]],
})

export const Template = Type.Object(
  {
    id: Id,
    organization_id: Id,
    account_id: Type.String({ examples: ['215589313241560'] }),
    channel_id: Id,
    business_account_id: Type.String({
      description: 'Business account that owns the template',
      examples: ['102290129340398'],
    }),
    remote_template_id: Nullable(
      Type.String({
        description: 'The platform’s id, once it has confirmed the template',
        examples: ['810200300400500'],
      }),
    ),
    name: Type.String({ examples: ['pickup_ready'] }),
    language: Type.String({ examples: ['en_US'] }),
    category,
    upcoming_category: Nullable(
      Type.String({ description: 'The category that the platform has announced for it', examples: [null] }),
    ),
    status: OneOf(statuses, { description: 'Latest review verdict', examples: ['PENDING'] }),
    platform_status: Nullable(
      Type.String({
        description:
          'The platform’s own status, such as `PAUSED` or `DISABLED`; null until it has reported one. You can send a template when this and `status` are both `APPROVED`',
        examples: [null],
      }),
    ),
    rejected_reason: Nullable(
      Type.String({ description: 'Why it was rejected, if the platform gives a reason', examples: [null] }),
    ),
    components,
    sample_files: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description:
        'Stored files of the samples in its headers: ids for `GET /templates/media/{media_id}/download`, by `header_handle`',
      examples: [{}],
    }),
    message_send_ttl_seconds: Nullable(
      Type.Integer({
        description:
          'How long the platform tries to deliver a message, in seconds; -1 for 30 days, null for the platform’s default',
        examples: [null],
      }),
    ),
    quality_score: OneOf(['', 'GREEN', 'YELLOW', 'RED'] as const, { description: 'Empty until rated' }),
    registration: OneOf(registrations, {
      description:
        'Progress of the registration: `registering`, `uncertain` (requested, no response), `held` (the token, account or channel must be fixed first), `registered` or `refused`',
      examples: ['registering'],
    }),
    registration_error: Nullable(Type.String({ description: 'Why it is not registered yet', examples: [null] })),
    livemode: Type.Boolean(),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Template' },
)
export type Template = Static<typeof Template>

export const NewTemplate = Type.Object(
  {
    channel_id: Id,
    name: templateName,
    language: templateLanguage,
    category,
    components: Type.Array(NewComponent, {
      examples: [[{ type: 'BODY', text: 'Hello {{1}}, your parcel is ready.' }]],
    }),
    message_send_ttl_seconds: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: -1,
          maximum: 2_592_000,
          description:
            'How long the platform tries to deliver a message, in seconds: 30 to 900 for `AUTHENTICATION`, 30 to 43200 for `UTILITY` (-1 in both: 30 days), 43200 to 2592000 for `MARKETING`, where only the Marketing Messages API keeps it',
          examples: [null],
        }),
      ),
    ),
  },
  { title: 'NewTemplate' },
)
export type NewTemplate = Static<typeof NewTemplate>

export const Warning = Type.Object({
  loc: Type.Array(Type.String(), { examples: [['body', 'components', '0', 'text']] }),
  msg: Type.String({ examples: ['The platform refuses a body that starts with a variable'] }),
})
export type Warning = Static<typeof Warning>

export const CreatedTemplate = Type.Object(
  {
    ...Template.properties,
    warnings: Type.Array(Warning, {
      description: 'Platform rules that it seems to break; the platform decides',
      examples: [[]],
    }),
  },
  { title: 'CreatedTemplate' },
)

export const TemplatePreflight = Type.Object(
  {
    warnings: Type.Array(Warning, {
      description: 'Platform rules that it seems to break; the platform decides',
      examples: [[]],
    }),
    existing_id: Nullable({ ...Id, description: 'The existing template with this name and language' }),
  },
  { title: 'TemplatePreflight' },
)
export type TemplatePreflight = Static<typeof TemplatePreflight>

export const TemplateFilter = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 100, description: 'Maximum number of records to return' }),
  page: Type.Integer({ minimum: 1, maximum: largestInteger, default: 1, description: 'Page number, starting at 1' }),
  status: Type.Optional(OneOf(statuses)),
  category: Type.Optional(OneOf(categories)),
  language: Type.Optional({ ...templateLanguage, description: 'Return only templates in this language' }),
  search: Type.Optional(Type.String({ maxLength: 255, description: 'Part of the name' })),
})
export type TemplateFilter = Static<typeof TemplateFilter>

export const TemplatePage = Type.Object({
  items: Type.Array(Template),
  has_more: Type.Boolean({ examples: [false] }),
  total: Type.Integer({ examples: [1] }),
  page: Type.Integer({ examples: [1] }),
  limit: Type.Integer({ examples: [100] }),
})

export const TemplatePath = Type.Object({ template_id: Id })

export const DeleteOptions = Type.Object({
  local_only: Type.Boolean({
    default: false,
    description: 'For a template whose business account no longer has a channel: delete it in Frontdesk only',
  }),
})

export type TemplateVariables = Record<string, string>
export const templateVariables = Type.Unsafe<TemplateVariables>({
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 1024 },
  maxProperties: 100,
  description:
    'Values for the template’s variables. A value may contain `{{contact.name}}`, `{{contact.first_name}}`, `{{contact.phone_number}}` and `{{contact.custom_fields.x}}`, each with a fallback: `{{contact.first_name|there}}`. If a number occurs in several parts of the template, `header.1`, `body.1`, `button.0.1` and `card.0.body.1` address one of them. `header` alone is the file of a media header, `card.0.header` that of a card: a URL, or the id that `POST /templates/media` returned. Others: `header.latitude`, `header.longitude`, `header.name` and `header.address` of a location, `limited_time_offer.expires_at`, `button.0.1` for a coupon code, `button.0.payload` of a quick reply, `button.0.flow_token` and `button.0.flow_data`, `button.0.products` (`Bundles: a1, a2; Seeds: b1`) and `button.0.thumbnail`. By default `{{1}}` in a text is the contact’s name and any other variable is the custom field of that name',
  examples: [{ '1': 'Hi {{contact.first_name|there}}' }],
})
