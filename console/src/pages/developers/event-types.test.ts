import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventKinds } from '../../../../server/kinds.ts'
import { eventGroups, eventText } from './event-types.ts'

test('every type of event that the service has can be chosen, in words and under its own kind', () => {
  const known = eventGroups.flatMap(({ types }) => types.map(([type]) => type))
  // A ping goes to the one endpoint that is tested: nobody subscribes to it.
  const all = eventKinds.map(({ type }) => type).filter((type) => type !== 'ping')
  assert.deepEqual([...known].sort(), [...all].sort())
  for (const { kind, types } of eventGroups) for (const [type] of types) assert.equal(type.split('.')[0], kind)
  for (const { type } of eventKinds) assert.notEqual(eventText(type), type)
})
