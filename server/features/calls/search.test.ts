import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../platform/ids.ts'
import { ok, sharedTestApp, type TestOrganization } from '../../testing/app.ts'
import type { Call } from './schema.ts'

const app = await sharedTestApp()
const ownNumber = '+13105550100'

/** Inserts calls to these numbers, oldest first; every second one failed. */
async function organizationThatCalled(...numbers: string[]): Promise<TestOrganization> {
  const org = await app.organization()
  await app.database.inTenant({ organizationId: org.id, livemode: false }, async (tx) => {
    for (const [i, number] of numbers.entries())
      await tx.run`insert into calls (id, medium, direction, call_id, from_number, to_number, status, ended_at, deadline_at)
        values (${newId()}, 'phone', 'outbound', ${`CA${newId().replaceAll('-', '')}`}, ${ownNumber}, ${number},
          ${i % 2 ? 'failed' : 'completed'}, now(), now())`
  })
  return org
}

async function found({ call }: TestOrganization, search: string, more = ''): Promise<string[]> {
  const answer = ok(await call('GET', `call-logs?search=${encodeURIComponent(search)}${more}`))
  if (!more) assert.equal(answer.total, answer.items.length, search)
  return answer.items.map(({ to_number }: Call) => to_number)
}

/** Variants of the number with one digit wrong, missing, doubled, or swapped with the next. */
function slips(digits: string): string[] {
  const all = new Set<string>()
  for (let i = 0; i < digits.length; i++) {
    const [before, digit, next, after] = [digits.slice(0, i), digits[i] as string, digits[i + 1], digits.slice(i + 1)]
    all.add(`${before}${(Number(digit) + 5) % 10}${after}`)
    all.add(`${before}${after}`)
    all.add(`${before}${digit}${digit}${after}`)
    if (next) all.add(`${before}${next}${digit}${digits.slice(i + 2)}`)
  }
  return [...all]
}

test('a number is found with one digit wrong, missing, doubled or swapped, with and without its country code', async () => {
  const org = await organizationThatCalled('+14155550118', '+493090182')
  for (const [number, digits] of [
    ['+14155550118', '14155550118'],
    ['+14155550118', '4155550118'],
    ['+493090182', '3090182'],
  ] as const)
    await Promise.all(slips(digits).map(async (slip) => assert.deepEqual(await found(org, slip), [number], slip)))
})

test('a number with a typo is found however it is punctuated', async () => {
  const org = await organizationThatCalled('+14155550118', '+442079460321')
  for (const search of ['+1 415 555 0181', '+1 (415) 556-0118', '415.555.018', '(415) 55 0118'])
    assert.deepEqual(await found(org, search), ['+14155550118'], search)
  for (const search of ['+44 (0)20 7946 0321', '020 7946 0321', '0044 20 7946 0321', '0044 20 7946 0231'])
    assert.deepEqual(await found(org, search), ['+442079460321'], search)
})

test('an exact match hides similar numbers; a typo finds only numbers one edit away, newest first', async () => {
  const near = ['+14155550118', '+14155550119', '+14155550117', '+14155550118']
  const org = await organizationThatCalled(...near, '+14155550128', '+16285550118')
  assert.deepEqual(await found(org, '4155550118'), ['+14155550118', '+14155550118'])
  assert.deepEqual(await found(org, '415555011 5'), near.toReversed())
  assert.deepEqual(await found(org, '4155550115', '&status=failed'), ['+14155550118', '+14155550119'])
  assert.deepEqual(await found(org, '4155550115', '&page_size=2&page=2'), ['+14155550119', '+14155550118'])
  assert.deepEqual(await found(org, '4155550115', '&page_size=2&page=3'), [])
  const beyond = await org.call('GET', 'call-logs?search=4155550115&page=9')
  assert.deepEqual([beyond.body.total, beyond.body.items], [4, []])
  assert.deepEqual(await found(org, '7185550234'), [])
})

test('a typo in the organization’s own number finds every call, and never another organization’s calls', async () => {
  const numbers = Array.from({ length: 60 }, (_, i) => `+4479115${String(i * 1009).padStart(5, '0')}`)
  const org = await organizationThatCalled(...numbers)
  const { body } = await org.call('GET', 'call-logs?search=3105550010')
  assert.deepEqual([body.total, body.items[0].to_number, body.items.length], [60, numbers[59], 20])
  const within = await organizationThatCalled('+13105550110', '+13105550110')
  assert.deepEqual(await found(within, '3105550010'), ['+13105550110', '+13105550110'], 'both numbers are near')
  assert.deepEqual(await found(within, '3105550010', '&page_size=1&page=2'), ['+13105550110'])
  const other = await organizationThatCalled('+14155550118')
  assert.deepEqual(await found(other, '+4479115000001'), [])
  assert.deepEqual(await found(org, '4155550181'), [])
})

test('two typos, or a typo in a call id, are found by similarity', async () => {
  const org = await organizationThatCalled('+442079460321', '+14155550118')
  assert.deepEqual(await found(org, '+44 20 7946 0377'), ['+442079460321'])
  const { items } = (await org.call('GET', 'call-logs?page_size=1')).body
  const slipped = items[0].call_id.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'))
  assert.deepEqual((await found(org, slipped))[0], '+14155550118')
})
