import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Component } from '../schema.ts'
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
  ['a body that the platform writes', [{ type: 'BODY', add_security_recommendation: true }], []],
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

test('platform rules: authentication templates are exempt, and the number of warnings is limited', () => {
  const [warning] = platformWarnings({ category: 'AUTHENTICATION', components: [body as Component] })
  assert.deepEqual(warning?.loc, ['body', 'category'])
  const many = Array(500).fill({ type: 'BODY', text: '{{1}}' })
  assert.equal(platformWarnings({ category: 'UTILITY', components: many }).length, 100)
})
