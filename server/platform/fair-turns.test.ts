import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeClock } from '../testing/fake-clock.ts'
import { createFairTurns } from './fair-turns.ts'

type Turns = ReturnType<typeof createFairTurns>
type Turn = Awaited<ReturnType<Turns['take']>>

/** Asks for `n` turns and returns those that were given so far. */
function takeMany(turns: Turns, holder: string, n: number): Turn[] {
  const given: Turn[] = []
  for (let i = 0; i < n; i++)
    void turns.take(holder).then(
      (turn) => given.push(turn),
      () => {},
    )
  return given
}
/** Promises that are resolved by now have called their handlers. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

test('a holder that is alone leaves a quarter of the turns to the next one', async () => {
  const turns = createFairTurns({ max: 8, timeoutMs: 60_000 }, fakeClock().clock)
  const noisy = takeMany(turns, 'noisy', 20)
  const quiet = takeMany(turns, 'quiet', 2)
  await settled()
  assert.deepEqual([noisy.length, quiet.length, turns.waiting], [6, 2, 14])
})

test('beside others a holder has its share of turns, and all that it may have once they are gone', async () => {
  const { clock, pass } = fakeClock()
  const turns = createFairTurns({ max: 8, perHolder: 1, timeoutMs: 60_000 }, clock)
  await turns.take('quiet')
  const noisy = takeMany(turns, 'noisy', 20)
  await settled()
  assert.equal(noisy.length, 1)
  turns.release(noisy.shift() as Turn)
  await settled()
  assert.equal(noisy.length, 1, 'one at a time')
  // No other holder has come for two seconds, although one still has its turn.
  pass(2_300)
  await settled()
  assert.equal(noisy.length, 6)
})

test('a turn that lasts long makes room for the next one of its holder, up to a quarter of all', async () => {
  const { clock, pass } = fakeClock()
  const turns = createFairTurns({ max: 12, perHolder: 1, timeoutMs: 60_000 }, clock)
  const comeAndGo = async () => {
    for (const holder of ['one', 'two', 'three']) turns.release(await turns.take(holder))
  }
  await comeAndGo()
  const noisy = takeMany(turns, 'noisy', 20)
  await settled()
  const counts = [noisy.length]
  for (let second = 0; second < 4; second++) {
    for (let n = 0; n < 11; n++) {
      await comeAndGo()
      pass(100)
    }
    await settled()
    counts.push(noisy.length)
  }
  assert.deepEqual(counts, [1, 2, 3, 3, 3])
})

test('who waits for too long is told so, and the turn goes to another', async () => {
  const { clock, pass } = fakeClock()
  const turns = createFairTurns({ max: 1, timeoutMs: 500 }, clock)
  const held = await turns.take('first')
  const late = turns.take('second')
  pass(500)
  await assert.rejects(late, /timeout/)
  const third = turns.take('third')
  turns.release(held)
  assert.equal((await third).holder, 'third')
})
