import Type, { type Static } from 'typebox'
import { FreeObject, Id, Instant, largestInteger, Nullable, OneOf } from '../../platform/schemas.ts'

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

/** JSON written by programs often has null for an absent member. */
const optional = (schema: object) => Nullable(Type.Unsafe<unknown>(schema))
const when = (type: string, required: string[], memberType = 'string') => ({
  if: { required: ['type'], properties: { type: { const: type } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required, properties: Object.fromEntries(required.map((member) => [member, { type: memberType }])) },
})

export const buttonTypes = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE', 'OTP', 'FLOW', 'CATALOG', 'MPM'] as const
const otpTypes = ['COPY_CODE', 'ONE_TAP', 'ZERO_TAP'] as const

export interface Button {
  type: (typeof buttonTypes)[number]
  text?: string
  url?: string
  phone_number?: string
  example?: unknown
  otp_type?: (typeof otpTypes)[number]
  [member: string]: unknown
}
const NewButton = {
  type: 'object',
  required: ['type'],
  properties: {
    type: OneOf(buttonTypes, {
      description:
        '`COPY_CODE` copies a coupon code, `OTP` a one-time password (authentication templates), `FLOW` opens a flow, `CATALOG` the catalog and `MPM` a choice of its products',
    }),
    text: optional({ type: 'string', description: 'Button label', examples: ['Show code'] }),
    url: optional({
      type: 'string',
      description: 'For `URL` buttons; may end in a variable',
      examples: ['https://example.com/{{1}}'],
    }),
    phone_number: optional({ type: 'string', description: 'For `PHONE_NUMBER` buttons', examples: ['+14155550100'] }),
    otp_type: optional({
      type: 'string',
      enum: otpTypes,
      description:
        'For `OTP` buttons. `ONE_TAP` and `ZERO_TAP` fill the code into your Android apps, which you name in `supported_apps`; `ZERO_TAP` also needs `zero_tap_terms_accepted`',
      examples: ['COPY_CODE'],
    }),
    flow_id: optional({
      type: 'string',
      description: 'For `FLOW` buttons: this, `flow_name` or `flow_json`',
      examples: ['1197715005513101'],
    }),
  },
  allOf: [when('QUICK_REPLY', ['text']), when('URL', ['text', 'url']), when('OTP', ['otp_type'])],
  additionalProperties: true,
  maxDepth: 16,
}

export const headerFormats = ['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION'] as const
export const componentTypes = [
  'HEADER',
  'BODY',
  'FOOTER',
  'BUTTONS',
  'CAROUSEL',
  'LIMITED_TIME_OFFER',
  'CALL_PERMISSION_REQUEST',
] as const

export interface Component {
  type: (typeof componentTypes)[number]
  format?: 'TEXT' | 'IMAGE' | 'VIDEO' | 'DOCUMENT' | 'LOCATION'
  text?: string
  buttons?: Button[]
  example?: Record<string, unknown>
  cards?: { components: Component[] }[]
  limited_time_offer?: { text: string; has_expiration?: boolean }
  add_security_recommendation?: boolean
  code_expiration_minutes?: number
}
const cardTypes = ['HEADER', 'BODY', 'BUTTONS'] as const

/** Members that the contract does not name belong to the platform, and are passed on. */
const componentSchema = (types: readonly string[], more: { properties: object; allOf?: object[] }) => ({
  type: 'object',
  required: ['type'],
  properties: {
    type: OneOf(types),
    format: optional({
      type: 'string',
      enum: headerFormats,
      description: 'For headers',
    }),
    text: optional({
      type: 'string',
      description: 'May contain the variables `{{1}}`, `{{2}}`, …',
      examples: ['Hello {{1}}, your parcel is ready.'],
    }),
    buttons: optional({ type: 'array', items: NewButton, description: 'For the type `BUTTONS`' }),
    example: optional({
      type: 'object',
      additionalProperties: true,
      description: 'Example values for the platform’s reviewers; neutral ones are used if you send none',
      examples: [{ body_text: [['Ines']] }],
    }),
    ...more.properties,
  },
  ...(more.allOf && { allOf: more.allOf }),
  additionalProperties: true,
  maxDepth: 16,
})

const NewCard = {
  type: 'object',
  required: ['components'],
  properties: { components: { type: 'array', items: componentSchema(cardTypes, { properties: {} }) } },
}

const NewComponent = Type.Unsafe<Component>(
  componentSchema(componentTypes, {
    properties: {
      cards: optional({
        type: 'array',
        items: NewCard,
        description:
          'For the type `CAROUSEL`: up to 10 cards, each with a picture or video, and optionally text and buttons',
      }),
      limited_time_offer: optional({
        type: 'object',
        required: ['text'],
        properties: { text: { type: 'string' }, has_expiration: optional({ type: 'boolean' }) },
        additionalProperties: true,
        description: 'For the type `LIMITED_TIME_OFFER`: its heading, and whether the message counts down to its end',
        examples: [{ text: 'Only this week', has_expiration: true }],
      }),
      add_security_recommendation: optional({
        type: 'boolean',
        description: 'For the body of an authentication template, which has no text of its own',
      }),
      code_expiration_minutes: optional({
        type: 'integer',
        minimum: 0,
        maximum: 10_000,
        description: 'For the footer of an authentication template: 1 to 90',
        examples: [10],
      }),
    },
    allOf: [when('CAROUSEL', ['cards'], 'array'), when('LIMITED_TIME_OFFER', ['limited_time_offer'], 'object')],
  }),
)

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
        'Files of the samples in its headers, as far as they are stored here: ids for `GET /templates/media/{media_id}/download`, by `header_handle`',
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
        'Progress of the registration: `registering`, `uncertain` (requested, no response), `held` (something must be changed first), `registered` or `refused`',
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
    description:
      'For a template whose business account has no channel any more: delete it here although it still exists at the platform',
  }),
})

export const SyncChoice = Type.Object(
  { channel_id: Type.Optional({ ...Id, description: 'Only the business account of this channel' }) },
  { title: 'SyncChoice', default: {} },
)

const count = (description: string) => Type.Integer({ description, examples: [0] })
export const SyncReport = Type.Object(
  {
    added: count('Found at the platform and stored'),
    updated: count('Updated from the platform'),
    removed: count('Deleted because the platform no longer has them'),
    unchanged: count('Already up to date'),
    synced_at: Instant,
    failures: Type.Array(
      Type.Object({
        channel_id: Id,
        business_account_id: Type.String(),
        detail: Type.String(),
        upstream: Type.Object({
          code: Type.Unsafe<string | number | null>({ type: ['string', 'integer', 'null'] }),
          message: Type.String(),
        }),
      }),
      { description: 'Business accounts that could not be read while others could', examples: [[]] },
    ),
  },
  { title: 'SyncReport' },
)
export type SyncReport = Static<typeof SyncReport>

export type TemplateVariables = Record<string, string>
export const templateVariables = Type.Unsafe<TemplateVariables>({
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 1024 },
  maxProperties: 100,
  description:
    'Values for the template’s variables. A value may contain `{{contact.name}}`, `{{contact.first_name}}`, `{{contact.phone_number}}` and `{{contact.custom_fields.x}}`, each with a fallback: `{{contact.first_name|there}}`. If a number occurs in several parts of the template, `header.1`, `body.1`, `button.0.1` and `card.0.body.1` address one of them. `header` alone is the file of a media header, `card.0.header` that of a card: a URL, or the id that `POST /templates/media` returned. Others: `header.latitude`, `header.longitude`, `header.name` and `header.address` of a location, `limited_time_offer.expires_at`, `button.0.1` for a coupon code, `button.0.payload` of a quick reply, `button.0.flow_token` and `button.0.flow_data`, `button.0.products` (`Bundles: a1, a2; Seeds: b1`) and `button.0.thumbnail`. By default `{{1}}` in a text is the contact’s name and any other variable is the custom field of that name',
  examples: [{ '1': 'Hi {{contact.first_name|there}}' }],
})
