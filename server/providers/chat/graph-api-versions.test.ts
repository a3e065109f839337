import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeVersion } from './graph-api-versions.ts'

const on = (date: string) => new Date(`${date}T12:00:00Z`)

test('the warning for a version that has ended names the version that serves instead and its end', () => {
  const served = describeVersion('v19.0', 'v21.0', on('2026-11-16'))
  assert.deepEqual([served.asked, served.served, served.ends_on], ['v19.0', 'v21.0', '2027-01-21'])
  assert.equal(
    served.warning,
    'GRAPH_API_VERSION v19.0 ended on 2026-05-21. WhatsApp serves v21.0 instead, which ends on 2027-01-21. Set GRAPH_API_VERSION=v25.0.',
  )
  // Before the first live request the oldest remaining version is assumed.
  const expected = describeVersion('v19.0', null, on('2026-11-16'))
  assert.deepEqual([expected.served, expected.ends_on], [null, '2027-01-21'])
  assert.match(expected.warning ?? '', /is expected to serve v21\.0/)
  assert.equal(describeVersion('v19.0', null, on('2027-02-01')).ends_on, '2027-05-20')
})

test('the warning appears 90 days before the end and stays after it', () => {
  const warningOn = (date: string) => describeVersion('v25.0', 'v25.0', on(date)).warning
  assert.equal(warningOn('2028-04-29'), null)
  assert.equal(
    warningOn('2028-04-30'),
    'The Graph API version v25.0 ends on 2028-07-29. Set GRAPH_API_VERSION to a newer version.',
  )
  assert.match(warningOn('2028-07-29') ?? '', /ends on 2028-07-29/)
  assert.match(warningOn('2028-07-30') ?? '', /ended on 2028-07-29/)
})

test('a version without a known end has no warning, an unexpected version has one', () => {
  for (const version of ['v26.0', 'v31.0'])
    assert.deepEqual(describeVersion(version, version, on('2026-11-16')), {
      asked: version,
      served: version,
      ends_on: null,
      warning: null,
    })
  assert.match(describeVersion('v26.0', 'v25.0', on('2026-11-16')).warning ?? '', /serves v25\.0.*not v26\.0/)
})
