import Type from 'typebox'
import { Nullable, OneOf } from '../../../platform/schemas.ts'

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

export const NewComponent = Type.Unsafe<Component>(
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
        description: 'For the body of an authentication template, whose text comes from the platform',
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
