import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptedType } from './accepted-type.ts'

const zip = Buffer.from('504b0304140000000800', 'hex')
const pdf = Buffer.from('%PDF-1.7\n%âãÏÓ\n', 'latin1')
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const text = Buffer.from('Refunds take 14 days.')

test('a file is accepted when its name and its first bytes agree', () => {
  for (const [name, head, type] of [
    ['a.pdf', pdf, 'pdf'],
    ['A.PDF', Buffer.concat([Buffer.from('From a mail program\r\n'), pdf]), 'pdf'],
    ['a.docx', zip, 'docx'],
    ['a.docx', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'docx'],
    ['a.b.txt', text, 'txt'],
    ['a.txt', Buffer.from('\ufeffGrüße', 'utf16le'), 'txt'],
    ['a.txt', Buffer.from('Grüße von uns', 'utf16le'), 'txt'],
    ['a.txt', Buffer.from('Stra\xdfe', 'latin1'), 'txt'],
    ['a.txt', Buffer.from('<html>how pages look</html>'), 'txt'],
    ['empty.pdf', Buffer.alloc(0), 'pdf'],
  ] as const)
    assert.equal(acceptedType(name, head), type, name)
})

test('any other file is refused with a message that names the accepted types', () => {
  for (const [name, head] of [
    ['a.png', png],
    ['a.csv', text],
    ['a.doc', zip],
    ['pdf', pdf],
    ['', text],
    ['a.pdf', png],
    ['a.pdf', text],
    ['a.docx', pdf],
    ['a.docx', text],
    ['a.txt', pdf],
    ['a.txt', png],
    ['a.txt', zip],
    ['a.txt', Buffer.from([65, 0, 66, 67])],
    ['a.txt', Buffer.alloc(64)],
  ] as const)
    assert.throws(() => acceptedType(name, head), { status: 400, message: /PDF, DOCX or TXT/ }, name)
})
