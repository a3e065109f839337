import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { createBatchRecorder } from './batch-recorder.ts'

test('as many writes at once as allowed and no more, whichever group they are of, and each result once', async () => {
  const written: string[] = []
  let [running, most] = [0, 0]
  const recorder = createBatchRecorder<string>(
    {
      name: 'test',
      log: pino({ level: 'silent' }),
      groupOf: ([group = '']) => group,
      async write(results) {
        most = Math.max(most, ++running)
        await setImmediate()
        running--
        written.push(...results)
      },
      onWritten: async () => {},
    },
    { gatherMs: 0, maxBatch: 2, maxWriters: 2, maxWritersOfGroup: 1 },
  )
  const results = ['a', 'b', 'c', 'd', 'e'].flatMap((group) => [1, 2, 3, 4, 5].map((n) => `${group}${n}`))
  for (const result of results) recorder.add(result)
  await recorder.settled()
  assert.deepEqual(written.sort(), results)
  assert.equal(most, 2)
})
