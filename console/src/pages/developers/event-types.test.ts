import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventKinds } from '../../../../server/app.ts'
import { eventGroups, eventText } from './event-types.ts'

test('every event type of the service can be chosen, with a description and in its group', () => {
  const known = eventGroups.flatMap(({ types }) => types.map(([type]) => type))
  // Pings go to the tested endpoint only and cannot be subscribed to.
  const all = eventKinds.map(({ type }) => type).filter((type) => type !== 'ping')
  assert.deepEqual([...known].sort(), [...all].sort())
  for (const { kind, types } of eventGroups) for (const [type] of types) assert.equal(type.split('.')[0], kind)
  for (const { type } of eventKinds) assert.notEqual(eventText(type), type)
})
