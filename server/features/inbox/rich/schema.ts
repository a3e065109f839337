import Type, { type Static } from 'typebox'
import { FreeObject, OneOf } from '../../../platform/schemas.ts'

/** Messages with more than text: something to tap, a place, contact cards. Lengths and counts are the platform's. */

const text = (maxLength: number, example: string, description?: string) =>
  Type.String({ maxLength, pattern: '\\S', examples: [example], ...(description && { description }) })
const httpsUrl = Type.String({ format: 'uri', pattern: '^https://', maxLength: 2000 })
const productId = text(255, 'A1', 'The product’s id in the catalog')

const Header = Type.Object(
  {
    type: OneOf(['text', 'image', 'video', 'document'] as const, {
      description: '`button` and `cta_url` accept all of them, the other types `text`',
    }),
    text: Type.Optional(text(60, 'Your appointment')),
    link: Type.Optional({ ...httpsUrl, description: 'Where the platform fetches the image, video or document' }),
  },
  { title: 'InteractiveHeader' },
)

const Section = Type.Object(
  {
    title: Type.Optional(text(24, 'This week', 'Required with more than one section')),
    rows: Type.Optional(
      Type.Array(
        Type.Object({
          id: text(200, 'mon', 'Comes back with the customer’s choice'),
          title: text(24, 'Monday'),
          description: Type.Optional(text(72, '9 am to noon')),
        }),
        { minItems: 1, maxItems: 10, description: 'Rows of a `list`, at most 10 in all sections together' },
      ),
    ),
    product_retailer_ids: Type.Optional(
      Type.Array(productId, {
        minItems: 1,
        maxItems: 30,
        description: 'Products of a `product_list`, at most 30 in all sections together',
      }),
    ),
  },
  { title: 'InteractiveSection' },
)

const Flow = Type.Object(
  {
    id: Type.Optional(text(255, '1122334455', 'Id of the flow; send either this or `name`')),
    name: Type.Optional(text(200, 'appointment')),
    token: Type.Optional(text(1024, 'booking-81', 'Comes back with the customer’s answers')),
    mode: Type.Optional(OneOf(['draft', 'published'] as const, { description: '`published` by default' })),
    action: Type.Optional(OneOf(['navigate', 'data_exchange'] as const, { description: '`navigate` by default' })),
    screen: Type.Optional(text(255, 'APPOINTMENT', 'The first screen; only with `navigate`')),
    data: Type.Optional(
      FreeObject({ minProperties: 1, description: 'Input of the first screen', examples: [{ day: 'Monday' }] }),
    ),
  },
  { title: 'InteractiveFlow' },
)

const interactiveTypes = [
  'button',
  'list',
  'cta_url',
  'location_request_message',
  'flow',
  'product',
  'product_list',
] as const

export const Interactive = Type.Object(
  {
    type: OneOf(interactiveTypes, {
      description:
        '`button`: up to three reply buttons. `list`: a menu of up to ten rows. `cta_url`: a button that opens a link. `location_request_message`: asks for the customer’s location. `flow`: opens a form. `product`, `product_list`: items of a catalog',
    }),
    header: Type.Optional(Header),
    footer: Type.Optional(text(60, 'Reply to change it')),
    buttons: Type.Optional(
      Type.Array(
        Type.Object({ id: text(256, 'yes', 'Comes back with the customer’s tap'), title: text(20, 'Yes, please') }),
        { minItems: 1, maxItems: 3, description: 'For `button`; ids and titles are unique' },
      ),
    ),
    label: Type.Optional(text(20, 'Choose', 'The button of a `list`, a `cta_url` or a `flow`')),
    url: Type.Optional({ ...httpsUrl, description: 'For `cta_url`', examples: ['https://example.com/dates'] }),
    sections: Type.Optional(
      Type.Array(Section, { minItems: 1, maxItems: 10, description: 'For `list` and `product_list`' }),
    ),
    flow: Type.Optional(Flow),
    catalog_id: Type.Optional(text(255, '194836987003835', 'For `product` and `product_list`')),
    product_retailer_id: Type.Optional({ ...productId, description: 'For `product`: its id in the catalog' }),
  },
  {
    title: 'Interactive',
    description: 'Adds buttons, a list or another element to tap to the text in `body`. Each `type` has its own fields',
    examples: [{ type: 'button', buttons: [{ id: 'yes', title: 'Yes, please' }] }],
  },
)
export type Interactive = Static<typeof Interactive>

export const Place = Type.Object(
  {
    latitude: Type.Number({ minimum: -90, maximum: 90, examples: [37.7749] }),
    longitude: Type.Number({ minimum: -180, maximum: 180, examples: [-122.4194] }),
    name: Type.Optional(text(1000, 'Front desk')),
    address: Type.Optional(text(1000, '1 Market Street, San Francisco', 'Shown only with a name')),
  },
  { title: 'LocationMessage', description: 'A location to send; `body` stays empty' },
)

const kindOf = (example: string) => Type.Optional(Type.String({ maxLength: 64, examples: [example] }))
const word = (example: string, maxLength = 255) => Type.Optional(Type.String({ maxLength, examples: [example] }))

export const ContactCard = Type.Object(
  {
    name: Type.Object({
      formatted_name: text(255, 'Ines Moreno'),
      first_name: word('Ines'),
      last_name: word('Moreno'),
      middle_name: word('Maria'),
      prefix: word('Dr.'),
      suffix: word('Jr.'),
    }),
    phones: Type.Optional(
      Type.Array(
        Type.Object({
          phone: text(64, '+14155550100'),
          type: kindOf('WORK'),
          wa_id: word('14155550100', 64),
        }),
        { maxItems: 20 },
      ),
    ),
    emails: Type.Optional(
      Type.Array(Type.Object({ email: text(255, 'ines@example.com'), type: kindOf('WORK') }), { maxItems: 20 }),
    ),
    urls: Type.Optional(
      Type.Array(Type.Object({ url: text(2000, 'https://example.com'), type: kindOf('WORK') }), { maxItems: 20 }),
    ),
    addresses: Type.Optional(
      Type.Array(
        Type.Object({
          street: word('1 Market Street'),
          city: word('San Francisco'),
          state: word('CA'),
          zip: word('94105', 32),
          country: word('United States'),
          country_code: word('us', 2),
          type: kindOf('WORK'),
        }),
        { maxItems: 20 },
      ),
    ),
    org: Type.Optional(
      Type.Object({ company: word('Frontdesk'), department: word('Reception'), title: word('Receptionist') }),
    ),
    birthday: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['1999-01-23'] })),
  },
  { title: 'ContactCard' },
)

/** What a message carries instead of plain text; stored as its `payload`. */
export type RichContent =
  | { type: 'interactive'; interactive: Interactive & { body: string } }
  | { type: 'location'; location: Static<typeof Place> }
  | { type: 'contacts'; contacts: Static<typeof ContactCard>[] }
