import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Component } from '../content/component-schema.ts'
import type { Category } from '../schema.ts'
import { platformWarnings } from './platform-rules.ts'

const body = { type: 'BODY', text: 'Hello {{1}}, your parcel is ready.' }
const long = (length: number) => 'word '.repeat(Math.ceil(length / 5)).slice(0, length)
const buttons = (...list: object[]) => [body, { type: 'BUTTONS', buttons: list }]
const url = (address: string) => buttons({ type: 'URL', text: 'Open', url: address })
const reply = { type: 'QUICK_REPLY', text: 'Yes' }
const link = { type: 'URL', text: 'Open', url: 'https://example.com' }
const phone = { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+14155550100' }

const rules: [rule: string, components: object[], places: string[]][] = [
  ['nothing to say', [body], []],
  ['no body', [{ type: 'FOOTER', text: 'Bye' }], ['components']],
  ['a body without text', [{ type: 'BODY' }], ['components.0.text']],
  ['two bodies', [body, body], ['components.1.type']],
  ['a long body', [{ type: 'BODY', text: long(1025) }], ['components.0.text']],
  ['a body of just the length, in characters', [{ type: 'BODY', text: '👍'.repeat(1024) }], []],
  ['a variable at the end', [{ type: 'BODY', text: 'Your order is number {{1}}!' }], ['components.0.text']],
  ['variables that touch', [{ type: 'BODY', text: `Hello {{1}} {{2}} ${long(60)}` }], ['components.0.text']],
  ['too many variables', [{ type: 'BODY', text: 'On {{1}} at {{2}} in {{3}} please' }], ['components.0.text']],
  ['a gap between numbers', [{ type: 'BODY', text: `Hello {{1}} and {{3}}, ${long(60)}` }], ['components.0.text']],
  ['a name as a variable', [{ type: 'BODY', text: `Hello {{first_name}}, ${long(60)}` }], []],
  ['a name with a capital', [{ type: 'BODY', text: `Hello {{firstName}}, ${long(60)}` }], ['components.0.text']],
  ['names and numbers', [{ type: 'BODY', text: `Hello {{name}} and {{1}}, ${long(60)}` }], ['components.0.text']],
  [
    'a name in the body and a number in the header',
    [
      { type: 'BODY', text: `Hello {{name}}, ${long(60)}` },
      { type: 'HEADER', text: 'News for {{1}}' },
    ],
    ['components.1.text'],
  ],
  [
    'names in texts and a number in an address',
    [
      { type: 'BODY', text: `Hello {{name}}, ${long(60)}` },
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Open', url: 'https://example.com/{{1}}' }] },
    ],
    [],
  ],
  [
    'examples of names',
    [
      {
        type: 'BODY',
        text: `Hello {{name}}, ${long(60)}`,
        example: { body_text_named_params: [{ param_name: 'name', example: 'Ines' }] },
      },
    ],
    [],
  ],
  ['a special character', [{ type: 'BODY', text: `Hello {{#1}}, ${long(60)}` }], ['components.0.text']],
  ['braces that do not match', [{ type: 'BODY', text: `Hello {{1}, ${long(60)}` }], ['components.0.text']],
  ['too few examples', [{ ...body, example: { body_text: [[]] } }], ['components.0.example']],
  ['examples in a flat list', [{ ...body, example: { body_text: ['Ines'] } }], []],
  ['a long header', [body, { type: 'HEADER', format: 'TEXT', text: long(61) }], ['components.1.text']],
  ['two variables in a header', [body, { type: 'HEADER', text: 'A {{1}} b {{2}}' }], ['components.1.text']],
  ['a header without text', [body, { type: 'HEADER', format: 'TEXT' }], ['components.1.text']],
  ['a header without its file', [body, { type: 'HEADER', format: 'IMAGE' }], ['components.1.example']],
  ['a header with its file', [body, { type: 'HEADER', format: 'VIDEO', example: { header_handle: ['4::x'] } }], []],
  ['a variable in a footer', [body, { type: 'FOOTER', text: 'Bye {{1}}' }], ['components.1.text']],
  ['a long footer', [body, { type: 'FOOTER', text: long(61) }], ['components.1.text']],
  ['no buttons', buttons(), ['components.1.buttons']],
  ['ten replies', buttons(...Array(10).fill(reply)), []],
  ['eleven replies', buttons(...Array(11).fill(reply)), ['components.1.buttons', 'components.1.buttons']],
  ['three links', buttons(link, link, link), ['components.1.buttons']],
  ['two numbers', buttons(phone, phone), ['components.1.buttons']],
  ['replies before and after', buttons(reply, link, reply), ['components.1.buttons']],
  ['replies after', buttons(link, phone, reply, reply), []],
  ['a long label', buttons({ ...reply, text: long(26) }), ['components.1.buttons.0.text']],
  ['no number to call', buttons({ type: 'PHONE_NUMBER', text: 'Call' }), ['components.1.buttons.0.phone_number']],
  [
    'a button without a label',
    buttons({ type: 'PHONE_NUMBER' }),
    ['components.1.buttons.0.phone_number', 'components.1.buttons.0.text'],
  ],
  ['a long number', buttons({ ...phone, phone_number: `+${'1'.repeat(20)}` }), ['components.1.buttons.0.phone_number']],
  ['a variable at the end of an address', url('https://example.com/{{1}}'), []],
  ['a variable within an address', url('https://example.com/{{1}}/x'), ['components.1.buttons.0.url']],
  ['two variables in an address', url('https://example.com/{{1}}/{{2}}'), ['components.1.buttons.0.url']],
  ['a short link of the platform', url('https://wa.me/14155550100'), ['components.1.buttons.0.url']],
  ['not an address', url('example.com'), ['components.1.buttons.0.url']],
  ['a long address', url(`https://example.com/${'x'.repeat(2000)}`), ['components.1.buttons.0.url']],
]
for (const [rule, components, places] of rules)
  test(`the platform’s rules: ${rule}`, () => {
    const warnings = platformWarnings({ category: 'UTILITY', components: components as Component[] })
    assert.deepEqual(warnings.map(({ loc }) => loc.slice(1).join('.')).sort(), places)
    assert.ok(warnings.every(({ loc, msg }) => loc[0] === 'body' && msg.length > 10))
  })

const picture = { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::x'] } }
const otp = (members: object) => ({ type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', ...members }] })
const app = { package_name: 'com.example.app', signature_hash: 'K8a/AINcGX7' }
const card = (...parts: object[]) => ({
  components: [picture, { type: 'BODY', text: 'A plant for the shade.' }, ...parts],
})
const carousel = (...cards: object[]) => [body, { type: 'CAROUSEL', cards }]
const offer = (text: string, ...parts: object[]) => [
  { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text, has_expiration: true } },
  body,
  ...parts,
]
const code = { type: 'COPY_CODE', example: 'SAVE25' }

const kinds: [kind: string, category: Category, components: object[], places: string[]][] = [
  ['a one-time password', 'AUTHENTICATION', [{ type: 'BODY', add_security_recommendation: true }, otp({})], []],
  ['a text of its own', 'AUTHENTICATION', [body, otp({})], ['components.0.text']],
  ['no button', 'AUTHENTICATION', [{ type: 'BODY' }], ['components']],
  ['a header', 'AUTHENTICATION', [{ type: 'BODY' }, picture, otp({})], ['components.1.type']],
  [
    'a code that lives too long',
    'AUTHENTICATION',
    [{ type: 'BODY' }, { type: 'FOOTER', code_expiration_minutes: 91 }, otp({})],
    ['components.1.code_expiration_minutes'],
  ],
  ['one tap', 'AUTHENTICATION', [{ type: 'BODY' }, otp({ otp_type: 'ONE_TAP', supported_apps: [app] })], []],
  [
    'one tap without an app',
    'AUTHENTICATION',
    [{ type: 'BODY' }, otp({ otp_type: 'ONE_TAP' })],
    ['components.1.buttons.0.supported_apps'],
  ],
  [
    'zero tap without its terms, for a misspelt app',
    'AUTHENTICATION',
    [{ type: 'BODY' }, otp({ otp_type: 'ZERO_TAP', supported_apps: [{ package_name: 'app', signature_hash: 'x' }] })],
    [
      'components.1.buttons.0.supported_apps.0.package_name',
      'components.1.buttons.0.supported_apps.0.signature_hash',
      'components.1.buttons.0.zero_tap_terms_accepted',
    ],
  ],
  ['a one-time password elsewhere', 'UTILITY', [body, otp({})], ['components.1.buttons']],
  ['a carousel', 'MARKETING', carousel(card(), card()), []],
  ['a carousel that informs', 'UTILITY', carousel(card()), ['components.1.type']],
  [
    'a carousel with a footer',
    'MARKETING',
    [...carousel(card()), { type: 'FOOTER', text: 'Bye' }],
    ['components.1.type'],
  ],
  ['no cards', 'MARKETING', carousel(), ['components.1.cards']],
  ['eleven cards', 'MARKETING', carousel(...Array(11).fill(card())), ['components.1.cards']],
  [
    'cards that differ',
    'MARKETING',
    carousel(card(), card({ type: 'BUTTONS', buttons: [reply] })),
    ['components.1.cards.1'],
  ],
  [
    'a card without a picture, with a long text',
    'MARKETING',
    carousel({ components: [{ type: 'BODY', text: long(161) }] }),
    ['components.1.cards.0', 'components.1.cards.0'],
  ],
  [
    'a long label on a card',
    'MARKETING',
    carousel(card({ type: 'BUTTONS', buttons: [{ ...reply, text: long(26) }] })),
    ['components.1.cards.0.components.2.buttons.0.text'],
  ],
  ['an offer', 'MARKETING', offer('Only today', { type: 'BUTTONS', buttons: [code, link] }), []],
  ['a long heading', 'MARKETING', offer(long(17)), ['components.0.limited_time_offer.text']],
  ['an offer with a footer', 'MARKETING', offer('Today', { type: 'FOOTER', text: 'Bye' }), ['components.0.type']],
  [
    'an offer with its code last',
    'MARKETING',
    offer('Today', { type: 'BUTTONS', buttons: [link, code] }),
    ['components.0.type'],
  ],
  ['a coupon in a utility template', 'UTILITY', buttons(code), ['components.1.buttons']],
  ['a long coupon', 'MARKETING', buttons({ type: 'COPY_CODE', example: long(16) }), ['components.1.buttons.0.example']],
  ['a place', 'UTILITY', [body, { type: 'HEADER', format: 'LOCATION' }], []],
  ['a flow', 'UTILITY', buttons({ type: 'FLOW', text: 'Sign up', flow_id: '1' }), []],
  ['a flow without its name', 'UTILITY', buttons({ type: 'FLOW', text: 'Go' }), ['components.1.buttons.0.flow_id']],
  ['a catalog', 'MARKETING', buttons({ type: 'CATALOG', text: 'View catalog' }), []],
  ['a catalog beside a link', 'MARKETING', buttons({ type: 'CATALOG', text: 'View' }, link), ['components.1.buttons']],
  ['products without a header', 'MARKETING', buttons({ type: 'MPM', text: 'View items' }), ['components.1.buttons']],
  ['a request to call', 'UTILITY', [body, { type: 'CALL_PERMISSION_REQUEST' }], []],
  [
    'a request to call with a button',
    'UTILITY',
    [...buttons(reply), { type: 'CALL_PERMISSION_REQUEST' }],
    ['components.2.type'],
  ],
]
for (const [kind, category, components, places] of kinds)
  test(`the platform’s rules for kinds: ${kind}`, () => {
    const warnings = platformWarnings({ category, components: components as Component[] })
    assert.deepEqual(warnings.map(({ loc }) => loc.slice(1).join('.')).sort(), places)
  })

test('platform rules: the number of warnings is limited', () => {
  const many = Array(500).fill({ type: 'BODY', text: '{{1}}' })
  assert.equal(platformWarnings({ category: 'UTILITY', components: many }).length, 100)
})
